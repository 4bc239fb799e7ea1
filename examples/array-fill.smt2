; An array of any length is filled, then each element is looked at.
; expect sat
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)
(declare-fun look ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (fill a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (fill a i n) (< i n)) (fill (store a i 42) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (fill a i n) (>= i n)) (look a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (look a i n) (< i n)) (look a (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (look a i n) (< i n) (distinct (select a i) 42)) false)))
(check-sat)
