; whet fact 1: this holds in every reachable state
(set-logic ALL)
(declare-const |b| Int)
(assert (<= |b| 4))
