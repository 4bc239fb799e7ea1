; Even and odd numbers by mutual recursion: each is 0, 1 or the sum of two smaller ones.
; expect sat
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (odd 1))
(assert (forall ((a Int) (b Int)) (=> (and (odd a) (odd b)) (even (+ a b)))))
(assert (forall ((a Int) (b Int)) (=> (and (even a) (odd b)) (odd (+ a b)))))
(assert (forall ((n Int)) (=> (odd n) (= (mod n 2) 1))))
(check-sat)
