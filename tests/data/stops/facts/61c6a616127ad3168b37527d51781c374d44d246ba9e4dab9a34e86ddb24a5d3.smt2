; whet fact 1: this holds in every reachable state
(set-logic ALL)
(declare-const |c| Int)
(assert (<= |c| 4))
