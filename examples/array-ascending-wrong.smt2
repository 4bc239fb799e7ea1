; As array-ascending.smt2, but what is written may be smaller by one.
; expect unsat
(set-logic HORN)
(declare-fun write ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (last Int)) (write a 0 last)))
(assert (forall ((a (Array Int Int)) (i Int) (last Int) (x Int)) (=> (and (write a i last) (<= last (+ x 1))) (write (store a i x) (+ i 1) x))))
(assert (forall ((a (Array Int Int)) (i Int) (last Int) (j Int) (k Int))
  (=> (and (write a i last) (<= 0 j) (< j k) (< k i) (> (select a j) (select a k))) false)))
(check-sat)
