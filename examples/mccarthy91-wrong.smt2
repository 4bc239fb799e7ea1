; McCarthy's function with a wrong claim: that it is 91 for every n up to 102.
; expect unsat
(set-logic HORN)
(declare-fun m (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (m n (- n 10)))))
(assert (forall ((n Int) (p Int) (r Int)) (=> (and (<= n 100) (m (+ n 11) p) (m p r)) (m n r))))
(assert (forall ((n Int) (r Int)) (=> (and (m n r) (<= n 102)) (= r 91))))
(check-sat)
