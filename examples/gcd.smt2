; Greatest common divisors by remainders: (gcd a b r) with a division by a variable.
; expect sat
(set-logic HORN)
(declare-fun gcd (Int Int Int) Bool)
(assert (forall ((a Int)) (=> (> a 0) (gcd a 0 a))))
(assert (forall ((a Int) (b Int) (r Int)) (=> (and (> b 0) (>= a 0) (gcd b (mod a b) r)) (gcd a b r))))
(assert (forall ((a Int) (b Int) (r Int)) (=> (and (gcd a b r) (> b 0)) (and (> r 0) (<= r b)))))
(check-sat)
