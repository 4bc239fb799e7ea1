; whet fact 1: this holds in every reachable state
(set-logic ALL)
(declare-const |a| Int)
(assert (<= |a| 4))
