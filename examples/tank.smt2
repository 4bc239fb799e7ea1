; A tank is filled by steps of two and drained by steps of one; the meter counts both. Is the level always what the
; meter says? Clauses say what each step makes of (level, filled, drained); the last one is what must not be.
;     whet verify examples/tank.smt2 --model      sat: it is, and this is why
; expect sat
(set-logic HORN)
(declare-fun state (Int Int Int) Bool)
(assert (state 0 0 0))
(assert (forall ((level Int) (filled Int) (drained Int))
  (=> (and (state level filled drained) (< level 9))
      (state (+ level 2) (+ filled 2) drained))))
(assert (forall ((level Int) (filled Int) (drained Int))
  (=> (and (state level filled drained) (> level 0))
      (state (- level 1) filled (+ drained 1)))))
(assert (forall ((level Int) (filled Int) (drained Int))
  (=> (and (state level filled drained) (not (and (>= level 0) (<= level 10) (= level (- filled drained)))))
      false)))
(check-sat)
