; Takeuchi's function with a wrong claim: the last two cases are exchanged.
; expect unsat
(set-logic HORN)
(declare-fun tak (Int Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (<= x y) (tak x y z y))))
(assert (forall ((x Int) (y Int) (z Int) (a Int) (b Int) (c Int) (r Int))
  (=> (and (> x y) (tak (- x 1) y z a) (tak (- y 1) z x b) (tak (- z 1) x y c) (tak a b c r)) (tak x y z r))))
(assert (forall ((x Int) (y Int) (z Int) (r Int)) (=> (tak x y z r) (= r (ite (<= x y) y (ite (<= y z) x z))))))
(check-sat)
