; What is written is never smaller than what was written before, so any two elements are in order: that takes two cells.
; expect sat
(set-logic HORN)
(declare-fun write ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (last Int)) (write a 0 last)))
(assert (forall ((a (Array Int Int)) (i Int) (last Int) (x Int)) (=> (and (write a i last) (<= last x)) (write (store a i x) (+ i 1) x))))
(assert (forall ((a (Array Int Int)) (i Int) (last Int) (j Int) (k Int))
  (=> (and (write a i last) (<= 0 j) (< j k) (< k i) (> (select a j) (select a k))) false)))
(check-sat)
