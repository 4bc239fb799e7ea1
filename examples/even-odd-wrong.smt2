; Even and odd by mutual recursion, with a slip: an odd number and 3 is taken to be odd.
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (forall ((n Int)) (=> (even n) (odd (+ n 1)))))
(assert (forall ((n Int)) (and (=> (odd n) (even (+ n 1))) (=> (odd n) (odd (+ n 3))))))
(assert (forall ((n Int)) (=> (and (even n) (odd n)) false)))
(check-sat)
