"""Texts in the shapes in which other tools write them (bench/chc-shapes): they become small models, and verdicts are right."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys

from harness import ROOT, SANITIZED, Skip, case, equal, main, whet, write
from clauses import check_model, solvers

loader = importlib.machinery.SourceFileLoader("chc_shapes", os.path.join(ROOT, "bench", "chc-shapes"))
sys.dont_write_bytecode = True
shapes = importlib.util.module_from_spec(importlib.util.spec_from_loader("chc_shapes", loader))
loader.exec_module(shapes)


def ending(shape):
    return "vmt" if shape == "vmt" else "smt2"


def made(folder, shape, size, seed):
    return write(folder, f"{shape}-{size}-{seed}.{ending(shape)}", shapes.make(shape, size, seed))


# shape, size: at most so many steps and bytes in the model
SMALL = {("bits", 20): (40, 5000), ("bits", 100): (170, 20000), ("events", 20): (45, 6000), ("nodes", 20): (10, 40000), ("nodes", 60): (10, 100000),
         ("rules", 60): (10, 100000), ("graph", 60): (90, 20000), ("refinement", 60): (200, 20000), ("pairs", 40): (30, 6000), ("vmt", 40): (10, 80000)}


@case
def models_are_small(folder):
    for (shape, size), (steps, length) in SMALL.items():
        result = whet("show", made(folder, shape, size, 0))
        equal(result.status, 0, f"{shape}: {result.err[:300]}")
        found = sum("->" in line or "when" in line for line in result.out.splitlines())
        assert found <= steps and len(result.out) <= length, f"{shape} {size}: {found} steps, {len(result.out)} bytes"


@case
def cases_that_are_hard_to_find_are_not_looked_for_for_ever(folder):
    """More values than places for them: each of the disjunctions has alternatives, and all that can be combined are some millions, none of which is possible in the end."""
    names = [f"x{i}" for i in range(12)]
    parts = [f"(or {' '.join(f'(= {n} {k})' for k in range(11))})" for n in names] + [f"(distinct {a} {b})" for i, a in enumerate(names) for b in names[:i]]
    text = f"""(declare-fun P (Int) Bool) (assert (P 0))
(assert (forall ((a Int) {' '.join(f'({n} Int)' for n in names)}) (=> (and (P a) {' '.join(parts)}) (P (+ a x0)))))
(assert (forall ((a Int)) (=> (and (P a) (< a 0)) false)))"""
    result = whet("show", write(folder, "places.smt2", text))
    equal(result.status, 0, result)
    assert "action" in result.out and len(result.out) < 20000, result.out[:2000]


@case
def a_step_with_many_modes_is_one_piece(folder):
    """Each of the 2^7 modes says what all variables become: together they say a hundred times what the step does."""
    modes, numbers = [f"b{i}" for i in range(7)], [f"x{i}" for i in range(14)]
    state = modes + numbers
    sorts = {n: "Bool" if n in modes else "Int" for n in state}
    parts = [f"(= {m}n (ite {modes[i - 1]} (not {m}) (and {m} i)))" for i, m in enumerate(modes)]
    for i, n in enumerate(numbers):
        one, other = modes[i % 7], modes[(i + 3) % 7]
        parts.append(f"(or (not {one}) (ite {other} (= {n}n (+ {n} {i + 1})) (= {n}n (- {n} {numbers[i - 1]}))))")
        parts.append(f"(or {one} (ite (and i {other}) (= {n}n (+ {n} j)) (= {n}n {numbers[i - 2]})))")
    variables = " ".join(f"({n} {sorts[n]}) ({n}n {sorts[n]})" for n in state)
    first = " ".join(["true"] * 7 + ["0"] * 14)
    text = f"""(declare-fun P ({' '.join(sorts[n] for n in state)}) Bool) (assert (P {first}))
(assert (forall ({variables} (i Bool) (j Int)) (=> (and (P {' '.join(state)}) {' '.join(parts)}) (P {' '.join(n + 'n' for n in state)}))))
(assert (forall ({' '.join(f'({n} {sorts[n]})' for n in state)}) (=> (and (P {' '.join(state)}) (> x0 5) b0 (not b1)) false)))"""
    result = whet("show", write(folder, "modes.smt2", text))
    equal(result.status, 0, result)
    found = sum("action" in line for line in result.out.splitlines())
    assert found < 20, f"{found} steps, {len(result.out)} bytes"


@case
def verdicts_agree_with_z3_and_models_are_believed(folder):
    if "z3" not in solvers():
        raise Skip("z3 is not there")
    decided = 0
    for shape in sorted(set(shapes.SHAPES) - {"vmt"}):
        for seed in range(1 if SANITIZED else 2):
            path = made(folder, shape, 6, seed)
            result = whet("verify", path, "--quiet", "--trace", "off", "--model", "--work", "2000000", "--timeout", "60")
            word, model = (result.out.split("\n", 1) + [""])[:2]
            assert word in ("sat", "unsat", "unknown"), f"{path}: {result}"
            theirs = subprocess.run(["z3", "-T:20", path], capture_output=True, text=True, check=False).stdout.split("\n", 1)[0]
            if shape == "rules":  # z3 answers there whether the query can be reached
                theirs = {"sat": "unsat", "unsat": "sat"}.get(theirs, theirs)
            if "unknown" not in (word, theirs) and theirs in ("sat", "unsat"):
                equal(word, theirs, path)
                decided += 1
            if word == "sat":
                with open(path, encoding="utf-8") as f:
                    _, invalid, _ = check_model("z3", f.read(), model)
                equal(invalid, 0, path)
    assert decided > 2, decided


@case
def every_engine_reads_them(folder):
    for shape in sorted(shapes.SHAPES):
        result = whet("verify", made(folder, shape, 10, 1), "--quiet", "--trace", "off", "--engine", "cegar", "--timeout", "1")
        assert result.status in (0, 10, 20), f"{shape}: {result}"


if __name__ == "__main__":
    main()
