; whet certificate 1
; An inductive invariant, and what must be shown of it: each check-sat below answers unsat.
(set-info :whet-model "ticket2.whet")
(set-info :whet-property "mutex")
(set-logic QF_LIA)

; every variable is within its type
(define-fun types ((|t| Int) (|s| Int) (|P[1]| Int) (|P[2]| Int) (|P[1].a| Int) (|P[2].a| Int)) Bool
  (and (>= |P[1]| 0) (<= |P[1]| 2) (>= |P[2]| 0) (<= |P[2]| 2)))

(define-fun inv ((|t| Int) (|s| Int) (|P[1]| Int) (|P[2]| Int) (|P[1].a| Int) (|P[2].a| Int)) Bool
  (or
    (and (= |P[1]| 0) (= |P[2]| 0) (= |t| |s|))
    (and (= |P[1]| 0) (= |P[2]| 1) (and (= |t| (+ |s| 1)) (= |s| |P[2].a|)))
    (and (= |P[1]| 0) (= |P[2]| 2) (and (= |t| (+ |s| 1)) (= |s| |P[2].a|)))
    (and (= |P[1]| 1) (= |P[2]| 0) (and (= |t| (+ |s| 1)) (= |s| |P[1].a|)))
    (and (= |P[1]| 1) (= |P[2]| 1) (and (= |s| |P[1].a|) (= |t| (+ |s| 2)) (= (+ |s| 1) |P[2].a|)))
    (and (= |P[1]| 1) (= |P[2]| 1) (and (= |s| |P[2].a|) (= |t| (+ |s| 2)) (= (+ |s| 1) |P[1].a|)))
    (and (= |P[1]| 1) (= |P[2]| 2) (and (= |s| |P[2].a|) (= |t| (+ |s| 2)) (= (+ |s| 1) |P[1].a|)))
    (and (= |P[1]| 2) (= |P[2]| 0) (and (= |t| (+ |s| 1)) (= |s| |P[1].a|)))
    (and (= |P[1]| 2) (= |P[2]| 1) (and (= |s| |P[1].a|) (= |t| (+ |s| 2)) (= (+ |s| 1) |P[2].a|)))))

(declare-const |t| Int)
(declare-const |s| Int)
(declare-const |P[1]| Int) ; 0 = idle, 1 = waiting, 2 = critical
(declare-const |P[2]| Int) ; 0 = idle, 1 = waiting, 2 = critical
(declare-const |P[1].a| Int)
(declare-const |P[2].a| Int)

; initial
(push 1)
(assert (and (>= |P[1]| 0) (<= |P[1]| 2) (>= |P[2]| 0) (<= |P[2]| 2) (= |s| 0) (= |t| 0) (= |P[1].a| 0) (= |P[1]| 0) (= |P[2].a| 0) (= |P[2]| 0)))
(assert (not (and (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|) (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))))
(check-sat)
(pop 1)

; preserved by P[1].take
(push 1)
(assert (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (= |P[1]| 0))
(assert (not (and (types (+ |t| 1) |s| 1 |P[2]| |t| |P[2].a|) (inv (+ |t| 1) |s| 1 |P[2]| |t| |P[2].a|))))
(check-sat)
(pop 1)

; preserved by P[1].enter
(push 1)
(assert (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (and (> (+ |s| 1) |P[1].a|) (= |P[1]| 1)))
(assert (not (and (types |t| |s| 2 |P[2]| |P[1].a| |P[2].a|) (inv |t| |s| 2 |P[2]| |P[1].a| |P[2].a|))))
(check-sat)
(pop 1)

; preserved by P[1].leave
(push 1)
(assert (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (= |P[1]| 2))
(assert (not (and (types |t| (+ |s| 1) 0 |P[2]| |P[1].a| |P[2].a|) (inv |t| (+ |s| 1) 0 |P[2]| |P[1].a| |P[2].a|))))
(check-sat)
(pop 1)

; preserved by P[2].take
(push 1)
(assert (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (= |P[2]| 0))
(assert (not (and (types (+ |t| 1) |s| |P[1]| 1 |P[1].a| |t|) (inv (+ |t| 1) |s| |P[1]| 1 |P[1].a| |t|))))
(check-sat)
(pop 1)

; preserved by P[2].enter
(push 1)
(assert (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (and (> (+ |s| 1) |P[2].a|) (= |P[2]| 1)))
(assert (not (and (types |t| |s| |P[1]| 2 |P[1].a| |P[2].a|) (inv |t| |s| |P[1]| 2 |P[1].a| |P[2].a|))))
(check-sat)
(pop 1)

; preserved by P[2].leave
(push 1)
(assert (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (= |P[2]| 2))
(assert (not (and (types |t| (+ |s| 1) |P[1]| 0 |P[1].a| |P[2].a|) (inv |t| (+ |s| 1) |P[1]| 0 |P[1].a| |P[2].a|))))
(check-sat)
(pop 1)

; excludes bad states
(push 1)
(assert (types |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (inv |t| |s| |P[1]| |P[2]| |P[1].a| |P[2].a|))
(assert (and (= |P[1]| 2) (= |P[2]| 2)))
(check-sat)
(pop 1)
