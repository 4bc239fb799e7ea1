"""The heap of C programs: verdicts of each property, each compared with what the compiled program does."""
import os
import re
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from compiled import runs_well, text_of, verdicts
from harness import EXAMPLES, SANITIZED, Skip, case, equal, main, whet, write

NODE = "struct node { int v; struct node *next; };\ntypedef struct node Node, *List;\n"
NEW = NODE + "struct node *new(int v, struct node *next) { struct node *n = malloc(sizeof *n); n->v = v; n->next = next; return n; }\n"
TREE = "typedef struct tree { struct tree *left, *right; int key; } tree;\n"
BUILD = "List l = 0; for (int i = 0; i < 3; i++) l = new(i, l);"
FREE = "while (l) { List t = l->next; free(l); l = t; }"

# Before main, the body of main, what is violated.
PROGRAMS = [
    (NEW, f"{BUILD} if (l->v != 2 || l->next->v != 1 || l->next->next->v != 0 || l->next->next->next) reach_error(); {FREE}", set()),
    (NEW, f"{BUILD} if (l->next->next->v == 0) reach_error(); {FREE}", {"unreach-call"}),
    (NEW, f"List l = new(1, new(0, 0)), r = 0; while (l) {{ List t = l->next; l->next = r; r = l; l = t; }} if (r->v != 0 || r->next->v != 1) reach_error(); l = r; {FREE}", set()),
    (NEW, f"{BUILD}", {"valid-memtrack"}),
    (NEW, f"{BUILD} {FREE} free(l);", set()),
    (NEW, "List l = new(1, 0), m = l; free(l); m->v = 2;", {"valid-deref"}),
    (NEW, "List l = new(1, 0), m = l; free(l); free(m);", {"valid-free"}),
    (NEW, "List l = new(1, 0); List m = l->next; free(l); m->v = 2;", {"valid-deref"}),
    (NEW, "List a = new(1, 0), b = new(2, a); a->next = b; if (b->next->next != b || a->next == a) reach_error(); free(a); free(b);", set()),
    (NEW, "List a = new(1, 0), b = a; b->v = 5; if (a->v == 5) reach_error(); free(b);", {"unreach-call"}),
    (NEW, "int n = __VERIFIER_nondet_int(); List l = 0; if (n == 3) l = new(n, 0); l->v = 1; free(l);", {"valid-deref"}),
    (NEW, "int n = __VERIFIER_nondet_int(); List l = 0; if (n == 3) l = new(n, 0); if (l) { if (l->v != 3) reach_error(); free(l); }", set()),
    (NEW + "void push(List *at, int v) { *at = new(v, *at); } int pop(List *at) { List t = *at; int v = t->v; *at = t->next; free(t); return v; }",
     "List s = 0; push(&s, 1); push(&s, 2); if (pop(&s) != 2 || pop(&s) != 1 || s) reach_error();", set()),
    (NEW + "void push(List *at, int v) { *at = new(v, *at); } int pop(List *at) { List t = *at; int v = t->v; *at = t->next; free(t); return v; }",
     "List s = 0; push(&s, 1); pop(&s); pop(&s);", {"valid-deref"}),
    (NODE, "Node a = {1, 0}, b = {2, &a}; List p = &b; p->next->v = 7; if (a.v != 7 || b.v != 2) reach_error(); p = p->next; if (p != &a) reach_error();", set()),
    (NODE, "Node a = {1, 0}; List p = &a; if (p->next) reach_error(); free(p);", {"valid-free"}),
    (NODE + "Node first = {1, 0}; List head = &first;", "Node other = {2, head}; head = &other; if (head->next->v != 1 || head->v != 2) reach_error();", set()),
    (NODE + "#include <string.h>\n", "Node *p = malloc(sizeof(Node)), *q = p; memset(q, 0, sizeof *q); if (p->v || p->next) reach_error(); free(&*p);", set()),
    (NODE + "#include <string.h>\n", "Node *p = malloc(sizeof(Node)), *q = 0; q = p->next = 0; if (!p->next) { free(p); memset(p, 0, sizeof *p); }", {"valid-deref"}),
    (NODE, "int a[3] = {1, 2, 3}, x = 4, *p[2] = {&x, 0}; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0; *p[0] = a[i]; if (x != i + 1) reach_error();", set()),
    (NODE, "int a[3] = {1, 2, 3}, x = 4, *p[2] = {&x, 0}; int i = __VERIFIER_nondet_int(); if (i == 3) x = a[i]; if (*p[0] != x) reach_error();", {"valid-deref"}),
    (NODE, "List t[3] = {0}; t[1] = malloc(sizeof(Node)); t[2] = t[1]; t[1]->v = 6; if (t[2]->v != 6 || t[0]) reach_error(); free(t[2]);", set()),
    (NODE, "Node *p = calloc(1, sizeof(Node)); if (p->v || p->next) reach_error(); free(p);", set()),
    (NODE, "Node *p = malloc(sizeof(Node)); p->next = p; p->v = 4; Node c = *p; c.v = 5; if (p->v != 4 || c.next != p) reach_error(); *p = c; if (p->v == 5) reach_error(); free(p);", {"unreach-call"}),
    (TREE + "tree *leaf(int k) { tree *t = malloc(sizeof(tree)); t->left = t->right = 0; t->key = k; return t; }",
     "tree *t = leaf(5); t->left = leaf(3); t->right = leaf(8); if (t->left->key >= t->key || t->right->key <= t->key || t->left->left) reach_error(); free(t->left); free(t->right); free(t);", set()),
    (TREE + "tree *leaf(int k) { tree *t = malloc(sizeof(tree)); t->left = t->right = 0; t->key = k; return t; }\n"
     "int sum(tree *t) { if (!t) return 0; return t->key + sum(t->left) + sum(t->right); } void drop(tree *t) { if (t) { drop(t->left); drop(t->right); free(t); } }",
     "tree *t = leaf(5); t->left = leaf(3); if (sum(t) == 8) reach_error(); drop(t);", {"unreach-call"}),
    ("", "int x = 1, y = 2, *p; p = __VERIFIER_nondet_int() ? &x : &y; *p = 7; if (x + y != 8 && x + y != 9) reach_error();", set()),
    ("", "int x = 1, y = 2, *p = &x, **q = &p; *q = &y; *p = 5; if (x != 1 || y != 5) reach_error();", set()),
    ("", "int x = 1, *p = &x, **q = &p; **q = 3; if (x == 3) reach_error();", {"unreach-call"}),
    ("int g; int *which; void set(int *p) { which = p; }", "int x = 4; set(&g); *which = 1; set(&x); *which = 2; if (g != 1 || x != 2) reach_error();", set()),
    ("int *kept; void f(void) { int x = 3; kept = &x; if (*kept != 3) reach_error(); }", "f(); *kept = 1;", {"valid-deref"}),
    ("struct pair { int a, b; };", "struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->a = 1; *q = *p; q->b = 2; if (q->a != 1) reach_error(); if (p == q) reach_error(); free(p); free(q);", set()),
    ("struct inner { int a; }; struct outer { struct inner i; struct outer *o; };",
     "struct outer *p = malloc(sizeof *p); p->i.a = 3; p->o = p; struct inner k = p->o->i; p->o->i.a = 4; if (k.a != 3 || p->i.a != 4) reach_error(); free(p);", set()),
    (NODE + "void set(int *p, int v) { *p = v; }", "Node *n = malloc(sizeof *n); n->next = 0; set(&n->v, 8); if (n->v != 8) reach_error(); free(n);", set()),
    (NODE + "int late(Node *n, int *p) { free(n); return *p; }", "Node *n = malloc(sizeof *n); n->next = 0; n->v = 1; late(n, &n->v);", {"valid-deref"}),
    ("int g, *keep; void f(int n) { if (n) return; int x; x = 1; keep = &x; *keep = 2; keep = &g; }", "keep = &g; int n = __VERIFIER_nondet_int(); f(n); *keep = 3; if (g != 3) reach_error();", set()),
    ("int g, *kept; void f(int n) { if (n) return; int x; x = 1; kept = &x; *kept = 2; }", "kept = &g; int n = __VERIFIER_nondet_int(); f(n); *kept = 3;", {"valid-deref"}),
    ("int g, *keep; void f(int n) { if (n > 5) return; int x; x = 1; keep = &x; f(n + 1); *(&x) = 2; keep = &g; }", "int n = __VERIFIER_nondet_int(); if (n < 0) return 0; keep = &g; f(n); *keep = 3;", set()),
    ("int g; int f(int n) { int r = 0; switch (n) { case 0: return 1; default: ; } int x = n; int *p; p = &x; if (n > 2) p = &g; *p = 7; r = x; return r; }",
     "int n = __VERIFIER_nondet_int(); int y; int *q; q = &y; y = 4; f(n); if (*q != 4) reach_error();", set()),
    (NEW + "int length(List l) { return l ? 1 + length(l->next) : 0; }", f"{BUILD} if (length(l) == 3) reach_error(); {FREE}", {"unreach-call"}),
    ("struct s { int x, y; };", "struct s *p = malloc(3 * sizeof *p); int *q = &p[1].x; *q = 2; if (p[1].x != 2) reach_error(); free(p);", set()),
    ("struct s { int x, y; };", "struct s *p = malloc(3 * sizeof *p); int *q = &p[1].x; free(p); *q = 1;", {"valid-deref"}),
    ("struct s { int x, y; }; void g(struct s *p, int *q) { free(p); *q = 1; }", "struct s *p = malloc(sizeof *p); g(p, &p->y);", {"valid-deref"}),
]

# --property valid-memcleanup: the end of main, its verdict.
AT_THE_END = [
    ("", "SAFE"),
    ("head = malloc(sizeof *head);", "UNSAFE"),
    ("head = malloc(sizeof *head); free(head);", "SAFE"),
    ("head = malloc(sizeof *head); exit(0);", "UNSAFE"),
    ("head = malloc(sizeof *head); if (__VERIFIER_nondet_int()) free(head);", "UNSAFE"),
]

REFUSED = [
    (NODE, "Node *p = malloc(sizeof *p); long *q = (long *)p; *q = 1;", "reads memory as another type"),
    (NODE, "Node *p = 0; for (int i = 0; i < 2; i++) { p = malloc(4); p->v = 1; }", "this memory is not one object of type"),
    (NODE, "Node *p = malloc(sizeof *p), n; p->v = (p->v = 1) + p->v;", "in an order that C does not fix"),
    (NODE, "Node *p = malloc(sizeof *p); p->next = p; p->next[1].v = 3;", "an element of an array is meant by a pointer with several values"),
    (NODE, "Node *p = malloc(sizeof *p); p->next = 0; List *q = &p->next; q = &p; *q = 0;", "the address of a part of an object"),
    (NODE, "Node *p = malloc(sizeof *p); p->next = p; if ((long)p->next == 3) reach_error();", "this conversion (PointerToIntegral) is not read"),
    (NODE, "List p = 0; for (int i = 0; i < 2; i++) { Node x; x.next = p; p = &x; } p->v = 1;", "declared in an inner block"),
    (NODE, "List p = malloc(sizeof(Node)), q = 0; q = p; q->next = p; if (p < q->next) reach_error();", "this operation on pointers with several values is not read"),
    (NODE + "void elsewhere(List);", "List p = malloc(sizeof(Node)); p->next = p; elsewhere(p->next);", "a pointer is given to `elsewhere`"),
    (NODE + "int elsewhere(Node);", "Node a = {1, 0}, b = {2, &a}; List p = &b; p = p->next; elsewhere(b); if (p->v != 1) reach_error();", "a pointer is given to `elsewhere`"),
    (NODE + "List head;", "head = malloc(sizeof *head);", "valid-memtrack is not decided of this program: global or static variables hold pointers"),
]


@case
def verdicts_are_those_of_the_compiled_program(folder):
    if not shutil.which("clang"):
        raise Skip("clang is not installed")
    for before, body, violated in PROGRAMS[::3 if SANITIZED else 1]:
        path = write(folder, "p.c", text_of(before, body))
        r = whet("verify", path, "--quiet", "--confirm", "--work", "400000")
        found = verdicts(r)
        equal({name for name, verdict in found.items() if verdict == "UNSAFE"}, violated, f"{body}\n{r}")
        assert violated or "UNKNOWN" not in (found["unreach-call"], found["no-overflow"]), f"{body}\n{r}"
        for name in violated - ({"valid-memtrack"} if "kept" not in before else violated):  # compilers do not see these reliably
            assert f"note: {name}: confirmed" in r.err, f"{body}\n{r}"
        if not violated:
            runs_well(folder, path, (0, 1, 3))


@case
def runs_go_on_after_huge_allocations(folder):
    """A compiled program with clang's checks ends at such a call, and so confirms nothing."""
    for body in ("int n = __VERIFIER_nondet_int(); char *p = malloc(n); if (n < 0) reach_error(); free(p);",
                 "int n = __VERIFIER_nondet_int(); int *p = calloc(n, 4); if (n < 0) reach_error(); free(p);",
                 "char *p = malloc(-1); reach_error(); free(p);"):
        r = whet("verify", write(folder, "p.c", text_of("", body)), "--quiet", "--work", "400000")
        equal(verdicts(r)["unreach-call"], "UNSAFE", f"{body}\n{r}")


@case
def what_is_left_at_the_end(folder):
    for end, verdict in AT_THE_END:
        path = write(folder, "p.c", text_of(NODE + "List head;", end))
        r = whet("verify", path, "--quiet", "--property", "valid-memcleanup", "--work", "400000")
        equal(verdicts(r), {"valid-memcleanup": verdict}, f"{end}\n{r}")


@case
def memory_safety_is_three_properties(folder):
    scalar = write(folder, "s.c", "int main(void) { int x = 1; return x; }\n")
    r = whet("verify", scalar, "--quiet", "--property", "valid-memsafety")
    equal(verdicts(r), {"valid-deref": "SAFE", "valid-free": "SAFE", "valid-memtrack": "SAFE"}, r)
    write(folder, "valid-memsafety.prp", "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n")
    write(folder, "p.c", text_of(NEW, "List l = new(1, 0); l->v = 2;"))
    task = "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: {}valid-memsafety.prp\n    expected_verdict: false\n    subproperty: valid-memtrack\n"
    for place in ("", "../elsewhere/"):
        r = whet("verify", write(folder, "t.yml", task.format(place)), "--quiet", "--trace", "off", "--work", "400000")
        equal(verdicts(r), {"valid-deref": "SAFE", "valid-free": "SAFE", "valid-memtrack": "UNSAFE"}, r)
        assert "expects another verdict" not in r.err, r


@case
def the_examples_have_the_verdicts_they_expect(folder):
    names = sorted(os.listdir(os.path.join(EXAMPLES, "heap")))
    equal(len(names), 6)
    for name in names:
        path = os.path.join(EXAMPLES, "heap", name)
        with open(path, encoding="utf-8") as f:
            wanted = dict(re.findall(r"^// expect ([\w-]+): (SAFE|UNSAFE)", f.read(), re.MULTILINE))
        assert wanted, path
        found = verdicts(whet("verify", path, "--quiet", "--work", "400000"))
        equal({prop: found.get(prop) for prop in wanted}, wanted, path)


@case
def what_is_not_known_is_refused(folder):
    for before, body, message in REFUSED:
        words = ("--property", "valid-memtrack") if "memtrack" in message else ()
        r = whet("verify", write(folder, "p.c", text_of(before, body)), *words)
        equal((r.status, r.out), (2, ""), f"{body}\n{r}")
        assert re.match(r"\S+p\.c:\d+:\d+: error: ", r.err) and message in r.err, f"{body}\n{r}"


if __name__ == "__main__":
    main()
