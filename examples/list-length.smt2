; The length of a list whose nodes 1 to 4 go on at n1 to n4, and 0 is its end: at most the number of its first node.
; expect sat
(set-logic HORN)
(declare-fun length (Int Int Int Int Int Int) Bool)
(assert (forall ((n1 Int) (n2 Int) (n3 Int) (n4 Int)) (=> (and (= n1 0) (<= 0 n2 1) (<= 0 n3 2) (<= 0 n4 3)) (length n1 n2 n3 n4 0 0))))
(assert (forall ((n1 Int) (n2 Int) (n3 Int) (n4 Int) (at Int) (n Int))
  (=> (and (<= 1 at 4) (length n1 n2 n3 n4 (ite (= at 1) n1 (ite (= at 2) n2 (ite (= at 3) n3 n4))) n)) (length n1 n2 n3 n4 at (+ n 1)))))
(assert (forall ((n1 Int) (n2 Int) (n3 Int) (n4 Int) (at Int) (n Int)) (=> (length n1 n2 n3 n4 at n) (<= n at))))
(check-sat)
