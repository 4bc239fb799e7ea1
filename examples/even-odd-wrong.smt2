; Even and odd numbers with a slip: the sum of two odd ones is taken to be odd too.
; expect unsat
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (odd 1))
(assert (forall ((a Int) (b Int)) (and (=> (and (odd a) (odd b)) (even (+ a b))) (=> (and (odd a) (odd b)) (odd (+ a b))))))
(assert (forall ((a Int) (b Int)) (=> (and (even a) (odd b)) (odd (+ a b)))))
(assert (forall ((n Int)) (=> (odd n) (= (mod n 2) 1))))
(check-sat)
