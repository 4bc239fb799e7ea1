; McCarthy's function: m(n) = n - 10 if n > 100, else m(m(n + 11)). It is 91 for every n up to 101.
; expect sat
(set-logic HORN)
(declare-fun m (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (m n (- n 10)))))
(assert (forall ((n Int) (p Int) (r Int)) (=> (and (<= n 100) (m (+ n 11) p) (m p r)) (m n r))))
(assert (forall ((n Int) (r Int)) (=> (and (m n r) (<= n 101)) (= r 91))))
(check-sat)
