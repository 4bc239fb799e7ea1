; The same, but it says that a common divisor that is below both numbers is 1.
; expect unsat
(set-logic HORN)
(declare-fun gcd (Int Int Int) Bool)
(assert (forall ((a Int)) (=> (> a 0) (gcd a 0 a))))
(assert (forall ((a Int) (b Int) (r Int)) (=> (and (> b 0) (>= a 0) (gcd b (mod a b) r)) (gcd a b r))))
(assert (forall ((a Int) (b Int) (r Int)) (=> (and (gcd a b r) (< r b) (< b a)) (< r 2))))
(check-sat)
