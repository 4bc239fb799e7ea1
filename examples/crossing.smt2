; Two traffic lights at a crossing. One goes from red to green only while the other is red. Never are both something else than red.
; expect sat
(set-logic HORN)
(declare-datatype Light ((red) (green) (yellow)))
(declare-fun crossing (Light Light) Bool)
(define-fun after ((l Light)) Light (ite (= l red) green (ite (= l green) yellow red)))
(assert (crossing red red))
(assert (forall ((a Light) (b Light)) (=> (and (crossing a b) (or (distinct a red) (= b red))) (crossing (after a) b))))
(assert (forall ((a Light) (b Light)) (=> (and (crossing a b) (or (distinct b red) (= a red))) (crossing a (after b)))))
(assert (forall ((a Light) (b Light)) (=> (crossing a b) (or ((_ is red) a) ((_ is red) b)))))
(check-sat)
