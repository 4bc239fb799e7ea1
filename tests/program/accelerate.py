#!/usr/bin/python3
"""Runs with many rounds at once: random programs whose loops `explicit` can still follow step by step have the same verdicts."""
import json
import random

from harness import case, equal, main, whet, write


def loop(r, depth=0):
    """A loop over x that ends, with an inner case, a second loop after it, or values that wrap around."""
    bound, by = r.randint(60, 400), r.choice([1, 2, 3, 5])
    changes = r.choice(["y := y + 1", "y := y - 2", "y := if y < 90 then y + 3 else y - 90", "y := (y + 7) % 100", "z := 5; y := y + 1", "z := x; y := y + 1", "y := 0 - y", "skip"])
    condition = r.choice(["y < 50", "x < %d" % (bound // 2), "x %% %d != 0" % r.choice([2, 3]), "x != %d" % r.randint(30, bound)])
    body = r.choice(["%s" % changes, "if %s { %s }" % (condition, changes)])
    inner = "" if depth or r.random() < 0.6 else "\n  " + loop(r, 1).replace("x", "w")
    return "while x < %d { x := x + %d\n %s }%s" % (bound, by, body, inner)


def program(r):
    loops = "\n".join("%s\n %s" % (loop(r), r.choice(["x := 0", "x := 0 - 5", "skip", "x := y"])) for _ in range(r.randint(1, 2)))
    wrong = "%s %s %d" % (r.choice(["y", "x + y", "y - x", "z + y"]), r.choice([">", "<"]), r.randint(-20, 200))
    return "var x, y, z, w : int\ninit x >= -5 && x <= 5 && y = 0 && z = 0 && w = 0\nprogram {\n %s\n assert !(%s)\n}\n" % (loops, wrong)


@case
def verdicts_are_those_of_single_steps(folder):
    unsafe = rounds = 0
    for seed in range(36):
        r = random.Random(seed)
        file = write(folder, "m.whet", program(r))
        slow = whet("verify", file, "--engine", "explicit", "--work", "5000000", "--trace", "off")
        fast = whet("verify", file, "--engine", "accelerate", "--work", "1500000", "--json", "-")
        verdict = json.loads(fast.out)["properties"][0]
        assert fast.status in (10, 20) and "rejected" not in fast.out + fast.err, (seed, fast)
        if verdict["verdict"] == "unsafe":
            unsafe += 1
            rounds += any("round" in step for step in verdict["trace"])
            equal(slow.status, 10, (seed, open(file).read(), slow, fast))
    assert unsafe >= 4 and rounds >= 4, (unsafe, rounds)


@case
def a_loop_of_millions(folder):
    text = "var x : int = 0\nprogram { while x < 268435455 { x := x + 2 } assert x % 2 != 0 }\n"
    r = whet("verify", write(folder, "m.whet", text), "--json", "-")
    equal(r.status, 10, r)
    steps = json.loads(r.out)["properties"][0]["trace"]
    assert any(step.get("times", 0) > 100000000 for step in steps), r


@case
def rounds_of_a_program_in_c(folder):
    text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n int n = __VERIFIER_nondet_int(), i = 0, k = 0;\n" \
           " while (i < n) { if (__VERIFIER_nondet_int()) { i++; k += 2; } else i += 3; }\n if (k == 300000 && i == n + 2) reach_error();\n return 0;\n}\n"
    r = whet("verify", write(folder, "p.c", text), "--property", "unreach-call", "--engine", "accelerate", "--confirm")
    equal(r.status, 10, r)
    assert "times more; the last time:" in r.out and "confirmed: the compiled program comes to the error" in r.out + r.err, r


main()
