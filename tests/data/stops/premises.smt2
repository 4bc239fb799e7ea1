; Z3's derivation has the premises of a step in another order than the clause: all steps are solved at once.
(declare-fun P ((Array Int Int)) Bool) (declare-fun Q (Int) Bool) (assert (P ((as const (Array Int Int)) 0))) (assert (Q 2))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a) (Q i)) (and (P (store a i i)) (Q (+ i 1))))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (P a) (distinct (select a 4) 0)) false)))
(check-sat)
