; Flags are turned over, but none below 0.
; expect sat
(set-logic HORN)
(declare-fun flags ((Array Int Bool)) Bool)
(assert (flags ((as const (Array Int Bool)) false)))
(assert (forall ((a (Array Int Bool)) (i Int)) (=> (and (flags a) (>= i 0)) (flags (store a i (not (select a i)))))))
(assert (forall ((a (Array Int Bool))) (=> (and (flags a) (select a (- 1))) false)))
(check-sat)
