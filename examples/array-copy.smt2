; An array is copied, element by element.
; expect sat
(set-logic HORN)
(declare-fun copy ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (copy a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (copy a b i n) (< i n)) (copy a (store b i (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (copy a b i n) (>= i n) (<= 0 k) (< k n) (distinct (select a k) (select b k))) false)))
(check-sat)
