; whet certificate 1
; An inductive invariant, and what must be shown of it: each check-sat below answers unsat.
(set-info :whet-model "wheel.whet")
(set-info :whet-property "one")
(set-logic QF_NIA)

; every variable is within its type
(define-fun types ((|x| Int) (|div | Int) (|inv | Int)) Bool
  (and (>= |x| 0) (<= |x| 2) (>= |inv | 0)))

(define-fun inv ((|x| Int) (|div | Int) (|inv | Int)) Bool
  (and (= |div | 1) (= (ite (= 0 |div |) |inv | (mod |inv | |div |)) 0)))

(declare-const |x| Int)
(declare-const |div | Int)
(declare-const |inv | Int)

; initial
(push 1)
(assert (and (>= |x| 0) (<= |x| 2) (>= |inv | 0) (= |inv | 4) (= |div | 1) (= |x| 0)))
(assert (not (and (types |x| |div | |inv |) (inv |x| |div | |inv |))))
(check-sat)
(pop 1)

; preserved by turn
(push 1)
(assert (types |x| |div | |inv |))
(assert (inv |x| |div | |inv |))
(assert (let ((?36 (ite (= 0 |div |) 0 (div |inv | |div |)))) (>= ?36 (- 3))))
(assert (not (and (types (mod (+ |x| 1) 3) (* |div | |div |) (+ (ite (= 0 |div |) 0 (div |inv | |div |)) 3)) (inv (mod (+ |x| 1) 3) (* |div | |div |) (+ (ite (= 0 |div |) 0 (div |inv | |div |)) 3)))))
(check-sat)
(pop 1)

; excludes bad states
(push 1)
(assert (types |x| |div | |inv |))
(assert (inv |x| |div | |inv |))
(assert (not (= |div | 1)))
(check-sat)
(pop 1)
