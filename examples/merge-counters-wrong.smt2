; Two counters are run apart and merged; that the sum is at most 3 times the number of steps is wrong.
; expect unsat
(set-logic HORN)
(declare-fun left (Int Int) Bool)
(declare-fun right (Int Int) Bool)
(declare-fun merged (Int Int) Bool)
(assert (left 0 0))
(assert (forall ((k Int) (x Int)) (=> (left k x) (left (+ k 1) (+ x 2)))))
(assert (right 0 0))
(assert (forall ((k Int) (y Int)) (=> (right k y) (right (+ k 1) (+ y 4)))))
(assert (forall ((i Int) (j Int) (x Int) (y Int)) (=> (and (left i x) (right j y)) (merged (+ i j) (+ x y)))))
(assert (forall ((k Int) (s Int)) (=> (and (merged k s) (or (< s (* 2 k)) (> s (* 3 k)))) false)))
(check-sat)
