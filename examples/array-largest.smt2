; The largest element of an array.
; expect sat
(set-logic HORN)
(declare-fun scan ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (scan a 1 (select a 0) n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int))
  (=> (and (scan a i m n) (< i n)) (scan a (+ i 1) (ite (> (select a i) m) (select a i) m) n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int) (k Int))
  (=> (and (scan a i m n) (>= i n) (<= 0 k) (< k n) (> (select a k) m)) false)))
(check-sat)
