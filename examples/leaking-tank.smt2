; A tank leaks: it loses half a unit in a unit of time, and a pump adds two. The pump is switched on at a level of 1 at the
; latest and off at 8; it takes up to one unit of time until it does what it is told. Does the tank ever run dry or over?
; Time passes by any real amount; (wait) is how long the pump has been told to do something else.
;     whet verify examples/leaking-tank.smt2 --model      sat: it does neither, and this is why
; expect sat
(set-logic HORN)
(declare-fun state (Bool Real Bool Real) Bool) ; pump is on, level, pump is told to change, for how long
(assert (forall ((level Real)) (=> (and (<= 4 level) (<= level 5)) (state false level false 0.0))))
; time passes: the level may not go beyond what the sensors report
(assert (forall ((level Real) (t Real))
  (=> (and (state false level false 0.0) (< 0 t) (>= (- level (/ t 2)) 1)) (state false (- level (/ t 2)) false 0.0))))
(assert (forall ((level Real) (t Real))
  (=> (and (state true level false 0.0) (< 0 t) (<= (+ level (* (/ 3 2) t)) 8)) (state true (+ level (* (/ 3 2) t)) false 0.0))))
; a sensor reports
(assert (forall ((level Real)) (=> (and (state false level false 0.0) (= level 1)) (state false level true 0.0))))
(assert (forall ((level Real)) (=> (and (state true level false 0.0) (= level 8)) (state true level true 0.0))))
; until the pump does what it is told
(assert (forall ((on Bool) (level Real) (wait Real) (t Real))
  (=> (and (state on level true wait) (< 0 t) (<= (+ wait t) 1))
      (state on (ite on (+ level (* (/ 3 2) t)) (- level (/ t 2))) true (+ wait t)))))
(assert (forall ((on Bool) (level Real) (wait Real)) (=> (state on level true wait) (state (not on) level false 0.0))))
(assert (forall ((on Bool) (level Real) (told Bool) (wait Real))
  (=> (and (state on level told wait) (or (<= level (/ 1 4)) (>= level 10))) false)))
(check-sat)
