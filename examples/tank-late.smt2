; The tank of tank.smt2, with a valve that closes too late. Each line of the answer is a clause that was used, with its line:
;     whet verify examples/tank-late.smt2              unsat: a derivation of what must not be
; expect unsat
(set-logic HORN)
(declare-fun state (Int Int Int) Bool)
(assert (state 0 0 0))
(assert (forall ((level Int) (filled Int) (drained Int))
  (=> (and (state level filled drained) (< level 10))
      (state (+ level 2) (+ filled 2) drained))))
(assert (forall ((level Int) (filled Int) (drained Int))
  (=> (and (state level filled drained) (> level 0))
      (state (- level 1) filled (+ drained 1)))))
(assert (forall ((level Int) (filled Int) (drained Int))
  (=> (and (state level filled drained) (not (and (>= level 0) (<= level 10) (= level (- filled drained)))))
      false)))
(check-sat)
