; Ackermann's function with a wrong claim: that it is at most 2 n + 2. It is 5 for 2 and 1.
; expect unsat
(set-logic HORN)
(declare-fun ack (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (ack 0 n (+ n 1)))))
(assert (forall ((m Int) (r Int)) (=> (and (> m 0) (ack (- m 1) 1 r)) (ack m 0 r))))
(assert (forall ((m Int) (n Int) (s Int) (r Int)) (=> (and (> m 0) (> n 0) (ack m (- n 1) s) (ack (- m 1) s r)) (ack m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (ack m n r) (> r (+ (* 2 n) 2))) false)))
(check-sat)
