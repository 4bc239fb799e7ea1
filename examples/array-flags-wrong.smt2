; Flags are turned over; two of them are set in the end.
; expect unsat
(set-logic HORN)
(declare-fun flags ((Array Int Bool)) Bool)
(assert (flags ((as const (Array Int Bool)) false)))
(assert (forall ((a (Array Int Bool)) (i Int)) (=> (and (flags a) (>= i 0)) (flags (store a i (not (select a i)))))))
(assert (forall ((a (Array Int Bool))) (=> (and (flags a) (select a 0) (select a 5)) false)))
(check-sat)
