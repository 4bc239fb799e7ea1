"""Programs with arrays of any length as Horn clauses, as translators of programs write them: a predicate for each head of a loop, arrays and
numbers as its arguments, and queries for assertions and for the bounds of indices. Each has a wrong twin.

A variable that begins with one of the letters a, b, c, q is an array of integers, others are integers."""
import re

PROGRAMS = {}  # name -> relations, rules
WORDS = {"and", "or", "not", "select", "store", "ite", "false", "true", "distinct", "div"}


def program(name, relations, *rules):
    """Relations are a name and parameters; a rule is its head and its body."""
    PROGRAMS[name] = (relations, rules)


def sort(variable):
    return "(Array Int Int)" if variable[0] in "abcq" else "Int"


def clauses(name):
    """The program as SMT-LIB."""
    relations, rules = PROGRAMS[name]
    names, out = {r.split()[0] for r in relations}, ["(set-logic HORN)"]
    for relation, *parameters in (r.split() for r in relations):
        out.append(f"(declare-fun {relation} ({' '.join(map(sort, parameters))}) Bool)")
    for head, body in rules:
        variables = dict.fromkeys(w for w in re.findall(r"[a-zA-Z]+", head + " " + body) if w not in names | WORDS)
        quantified = " ".join(f"({v} {sort(v)})" for v in variables)
        out.append(f"(assert (forall ({quantified}) (=> (and {body}) {head})))")
    return "\n".join(out + ["(check-sat)"]) + "\n"


# init
for w,hi in (("",""),("-wrong","=")):
    program("init"+w, ["P a i n","Q a k n"],
     ("(P a 0 n)","(>= n 0)"),
     ("(P (store a i 7) (+ i 1) n)","(P a i n) (< i n)"),
     ("(Q a 0 n)","(P a i n) (>= i n)"),
     ("(Q a (+ k 1) n)",f"(Q a k n) (<{hi} k n)"),
     ("false",f"(Q a k n) (<{hi} k n) (distinct (select a k) 7)"))
# copy
for w,src in (("","i"),("-wrong","(- i 1)")):
    program("copy"+w, ["P a b i n","Q a b k n"],
     ("(P a b 0 n)","(>= n 0)"),
     ("(P a (store b i (select a %s)) (+ i 1) n)"%src,"(P a b i n) (< i n)"),
     ("(Q a b 0 n)","(P a b i n) (>= i n)"),
     ("(Q a b (+ k 1) n)","(Q a b k n) (< k n)"),
     ("false","(Q a b k n) (< k n) (distinct (select a k) (select b k))"))
# reverse copy
for w,src in (("","(- n i 1)"),("-wrong","(- n i)")):
    program("reverse"+w, ["P a b i n","Q a b k n"],
     ("(P a b 0 n)","(>= n 0)"),
     ("(P a (store b i (select a %s)) (+ i 1) n)"%src,"(P a b i n) (< i n)"),
     ("(Q a b 0 n)","(P a b i n) (>= i n)"),
     ("(Q a b (+ k 1) n)","(Q a b k n) (< k n)"),
     ("false","(Q a b k n) (< k n) (distinct (select a (- n k 1)) (select b k))"))
# find
for w,st in (("","0"),("-wrong","1")):
    program("find"+w, ["P a i n x","Q a i n x k"],
     ("(P a %s n x)"%st,"(>= n 1)"),
     ("(P a (+ i 1) n x)","(P a i n x) (< i n) (distinct (select a i) x)"),
     ("(Q a i n x 0)","(P a i n x) (< i n) (= (select a i) x)"),
     ("(Q a n n x 0)","(P a i n x) (>= i n)"),
     ("(Q a i n x (+ k 1))","(Q a i n x k) (< k i)"),
     ("false","(Q a i n x k) (< k i) (= (select a k) x)"),
     ("false","(Q a i n x k) (< i n) (distinct (select a i) x)"))
# max
for w,op in (("",">"),("-wrong","<")):
    program("max"+w, ["P a i m n","Q a m k n"],
     ("(P a 1 (select a 0) n)","(>= n 1)"),
     ("(P a (+ i 1) (select a i) n)","(P a i m n) (< i n) (%s (select a i) m)"%op),
     ("(P a (+ i 1) m n)","(P a i m n) (< i n) (not (%s (select a i) m))"%op),
     ("(Q a m 0 n)","(P a i m n) (>= i n)"),
     ("(Q a m (+ k 1) n)","(Q a m k n) (< k n)"),
     ("false","(Q a m k n) (< k n) (> (select a k) m)"))
# partition into two arrays
for w,op in (("",">="),("-wrong",">")):
    program("split"+w, ["P a b c i j k n","Q b c j k l","R c k l"],
     ("(P a b c 0 0 0 n)","(>= n 0)"),
     ("(P a (store b j (select a i)) c (+ i 1) (+ j 1) k n)","(P a b c i j k n) (< i n) (%s (select a i) 0)"%op),
     ("(P a b (store c k (select a i)) (+ i 1) j (+ k 1) n)","(P a b c i j k n) (< i n) (not (%s (select a i) 0))"%op),
     ("(Q b c j k 0)","(P a b c i j k n) (>= i n)"),
     ("(Q b c j k (+ l 1))","(Q b c j k l) (< l j)"),
     ("false","(Q b c j k l) (< l j) (< (select b l) 0)"),
     ("(R c k 0)","(Q b c j k l) (>= l j)"),
     ("(R c k (+ l 1))","(R c k l) (< l k)"),
     ("false","(R c k l) (< l k) (>= (select c l) 0)"))
# partition in place (Lomuto), pivot x
for w,op in (("","<="),("-wrong",">")):
    program("partition"+w, ["P a i j n x","Q a i n x k"],
     ("(P a 0 0 n x)","(>= n 0)"),
     ("(P (store (store a i (select a j)) j (select a i)) (+ i 1) (+ j 1) n x)","(P a i j n x) (< j n) (%s (select a j) x)"%op),
     ("(P a i (+ j 1) n x)","(P a i j n x) (< j n) (not (%s (select a j) x))"%op),
     ("(Q a i n x 0)","(P a i j n x) (>= j n)"),
     ("(Q a i n x (+ k 1))","(Q a i n x k) (< k n)"),
     ("false","(Q a i n x k) (< k i) (> (select a k) x)"),
     ("false","(Q a i n x k) (>= k i) (< k n) (<= (select a k) x)"))
# insertion sort, sorted
def insertion(cond, bounds, name, sorted_):
    rules=[("(P a 1 n)","(>= n 1)"),
     ("(Q a i (- i 1) (select a i) n)","(P a i n) (< i n)"),
     ("(Q (store a (+ j 1) (select a j)) i (- j 1) x n)","(Q a i j x n) (>= j 0) (%s (select a j) x)"%cond),
     ("(P (store a (+ j 1) x) (+ i 1) n)","(Q a i j x n) (>= j 0) (not (%s (select a j) x))"%cond),
     ("(P (store a (+ j 1) x) (+ i 1) n)","(Q a i j x n) (< j 0)")]
    rel=["P a i n","Q a i j x n"]
    if sorted_:
        rel.append("R a k n")
        rules+=[("(R a 0 n)","(P a i n) (>= i n)"),("(R a (+ k 1) n)","(R a k n) (< (+ k 1) n)"),
          ("false","(R a k n) (< (+ k 1) n) (> (select a k) (select a (+ k 1)))")]
    if bounds:
        rules+=[("false","(P a i n) (< i n) (or (< i 0) (>= i %s))"%bounds),
         ("false","(Q a i j x n) (>= j 0) (or (< j 0) (>= j n))"),
         ("false","(Q a i j x n) (>= j 0) (or (< (+ j 1) 0) (>= (+ j 1) %s))"%bounds),
         ("false","(Q a i j x n) (or (< (+ j 1) 0) (>= (+ j 1) %s))"%bounds)]
    program(name,rel,*rules)
insertion(">",None,"insertion-sorted",True); insertion("<",None,"insertion-sorted-wrong",True)
insertion(">","n","insertion-bounds",False); insertion(">","(- n 1)","insertion-bounds-wrong",False)
# bubble sort
def bubble(start, lim, name, sorted_, bounds):
    # for (i=n-1;i>0;i--) for (j=0;j<i;j++) if (a[j]>a[j+1]) swap
    rel=["P a i n","Q a i j n"]
    rules=[("(P a (- n 1) n)","(>= n 0)"),
      ("(Q a i %s n)"%start,"(P a i n) (> i 0)"),
      ("(Q (store (store a j (select a (+ j 1))) (+ j 1) (select a j)) i (+ j 1) n)","(Q a i j n) (%s j i) (> (select a j) (select a (+ j 1)))"%lim),
      ("(Q a i (+ j 1) n)","(Q a i j n) (%s j i) (<= (select a j) (select a (+ j 1)))"%lim),
      ("(P a (- i 1) n)","(Q a i j n) (not (%s j i))"%lim)]
    if sorted_:
        rel.append("R a k n")
        rules+=[("(R a 0 n)","(P a i n) (<= i 0)"),("(R a (+ k 1) n)","(R a k n) (< (+ k 1) n)"),
          ("false","(R a k n) (< (+ k 1) n) (> (select a k) (select a (+ k 1)))")]
    if bounds:
        rules+=[("false","(Q a i j n) (%s j i) (or (< j 0) (>= j n))"%lim),("false","(Q a i j n) (%s j i) (or (< (+ j 1) 0) (>= (+ j 1) n))"%lim)]
    program(name,rel,*rules)
bubble("0","<","bubble-sorted",True,False); bubble("1","<","bubble-sorted-wrong",True,False)
bubble("0","<","bubble-bounds",False,True); bubble("0","<=","bubble-bounds-wrong",False,True)
# selection sort
def selection(start,name):
    rel=["P a i n","Q a i j m n","R a k n"]
    program(name,rel,
      ("(P a 0 n)","(>= n 0)"),
      ("(Q a i %s i n)"%start,"(P a i n) (< i n)"),
      ("(Q a i (+ j 1) j n)","(Q a i j m n) (< j n) (< (select a j) (select a m))"),
      ("(Q a i (+ j 1) m n)","(Q a i j m n) (< j n) (>= (select a j) (select a m))"),
      ("(P (store (store a i (select a m)) m (select a i)) (+ i 1) n)","(Q a i j m n) (>= j n)"),
      ("(R a 0 n)","(P a i n) (>= i n)"),("(R a (+ k 1) n)","(R a k n) (< (+ k 1) n)"),
      ("false","(R a k n) (< (+ k 1) n) (> (select a k) (select a (+ k 1)))"))
selection("(+ i 1)","selection-sorted"); selection("(+ i 2)","selection-sorted-wrong")
# binary search: a sorted (ensured by a loop that writes it), not found means not there
for w,upd in (("","(- m 1)"),("-wrong","(- m 2)")):
    program("search"+w, ["I a i n y","P a l h n x","R a n x k"],
     ("(I a 0 n y)","(>= n 0)"),
     ("(I (store a i z) (+ i 1) n z)","(I a i n y) (< i n) (or (= i 0) (>= z y))"),
     ("(P a 0 (- n 1) n x)","(I a i n y) (>= i n)"),
     ("(P a (+ m 1) h n x)","(P a l h n x) (<= l h) (= m (div (+ l h) 2)) (< (select a m) x)"),
     ("(P a l %s n x)"%upd,"(P a l h n x) (<= l h) (= m (div (+ l h) 2)) (> (select a m) x)"),
     ("(R a n x 0)","(P a l h n x) (> l h)"),
     ("(R a n x (+ k 1))","(R a n x k) (< k n)"),
     ("false","(R a n x k) (< k n) (= (select a k) x)"))
    program("search-bounds"+w, ["P a l h n x"],
     ("(P a 0 %s n x)"%("(- n 1)" if not w else "n"),"(>= n 0)"),
     ("(P a (+ m 1) h n x)","(P a l h n x) (<= l h) (= m (div (+ l h) 2)) (< (select a m) x)"),
     ("(P a l (- m 1) n x)","(P a l h n x) (<= l h) (= m (div (+ l h) 2)) (> (select a m) x)"),
     ("false","(P a l h n x) (<= l h) (= m (div (+ l h) 2)) (or (< m 0) (>= m n))"))
# merge of two sorted arrays; sortedness of a, b as loops that fill them
for w,op in (("","<="),("-wrong",">=")):
    program("merge"+w, ["I a i m y","J a b i m n y","P a b c i j m n","R c k l"],
     ("(I a 0 m y)","(>= m 0)"),
     ("(I (store a i z) (+ i 1) m z)","(I a i m y) (< i m) (or (= i 0) (>= z y))"),
     ("(J a b 0 m n y)","(I a i m z) (>= i m) (>= n 0)"),
     ("(J a (store b i z) (+ i 1) m n z)","(J a b i m n y) (< i n) (or (= i 0) (>= z y))"),
     ("(P a b c 0 0 m n)","(J a b i m n y) (>= i n)"),
     ("(P a b (store c (+ i j) (select a i)) (+ i 1) j m n)","(P a b c i j m n) (< i m) (or (>= j n) (%s (select a i) (select b j)))"%op),
     ("(P a b (store c (+ i j) (select b j)) i (+ j 1) m n)","(P a b c i j m n) (< j n) (or (>= i m) (not (%s (select a i) (select b j))))"%op),
     ("(R c 0 (+ m n))","(P a b c i j m n) (>= i m) (>= j n)"),
     ("(R c (+ k 1) l)","(R c k l) (< (+ k 1) l)"),
     ("false","(R c k l) (< (+ k 1) l) (> (select c k) (select c (+ k 1)))"))
# sentinel
for w,op in (("","n"),("-wrong","(+ n 1)")):
    program("sentinel"+w, ["P a i n x"],
     ("(P (store a %s x) 0 n x)"%op,"(>= n 0)"),
     ("(P a (+ i 1) n x)","(P a i n x) (distinct (select a i) x)"),
     ("false","(P a i n x) (or (< i 0) (> i n))"))
# ring buffer of capacity n: b the buffer, q what was put, h next to read, t next to write, r number read, s number put
for w,cap in (("","n"),("-wrong","(+ n 1)")):
    full="(< (- s r) %s)"%cap
    program("ring"+w, ["P b q h t r s n"],
     ("(P b q 0 0 0 0 n)","(> n 0)"),
     ("(P (store b t x) (store q s x) h (ite (= (+ t 1) n) 0 (+ t 1)) r (+ s 1) n)","(P b q h t r s n) "+full),
     ("(P b q (ite (= (+ h 1) n) 0 (+ h 1)) t (+ r 1) s n)","(P b q h t r s n) (< r s)"),
     ("false","(P b q h t r s n) (< r s) (distinct (select b h) (select q r))"))
    program("ring-bounds"+w, ["P b h t r s n"],
     ("(P b 0 0 0 0 n)","(> n 0)"),
     ("(P (store b t x) h (ite (= (+ t 1) %s) 0 (+ t 1)) r (+ s 1) n)"%cap,"(P b h t r s n) (< (- s r) n)"),
     ("(P b (ite (= (+ h 1) n) 0 (+ h 1)) t (+ r 1) s n)","(P b h t r s n) (< r s)"),
     ("false","(P b h t r s n) (< (- s r) n) (or (< t 0) (>= t n))"),
     ("false","(P b h t r s n) (< r s) (or (< h 0) (>= h n))"))
