; A ring buffer b of any capacity n; q is all that was ever put in. What comes out is what was put in, in that order.
; expect sat
(set-logic HORN)
(declare-fun P ((Array Int Int) (Array Int Int) Int Int Int Int Int) Bool)
(assert (forall ((b (Array Int Int)) (q (Array Int Int)) (n Int)) (=> (and (> n 0)) (P b q 0 0 0 0 n))))
(assert (forall ((b (Array Int Int)) (t Int) (x Int) (q (Array Int Int)) (s Int) (h Int) (n Int) (r Int))
  (=> (and (P b q h t r s n) (< (- s r) n)) (P (store b t x) (store q s x) h (ite (= (+ t 1) n) 0 (+ t 1)) r (+ s 1) n))))
(assert (forall ((b (Array Int Int)) (q (Array Int Int)) (h Int) (n Int) (t Int) (r Int) (s Int))
  (=> (and (P b q h t r s n) (< r s)) (P b q (ite (= (+ h 1) n) 0 (+ h 1)) t (+ r 1) s n))))
(assert (forall ((b (Array Int Int)) (q (Array Int Int)) (h Int) (t Int) (r Int) (s Int) (n Int))
  (=> (and (P b q h t r s n) (< r s) (distinct (select b h) (select q r))) false)))
(check-sat)
