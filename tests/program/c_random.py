"""Random C programs: whet's verdicts against what the system's compiler makes of them.

    c_random.py SEED...                                    these programs
    c_random.py campaign FIRST COUNT [--log FILE] [--work N]

A campaign takes programs in batches, of all four kinds, and compares for each: the compilers, the interpreter of clang's tree, the engine that follows one
run, and one more engine in turn, with little work each. A log has a line for each batch: what it has is not done again, and `DIFFERENCE` begins a line for each
program on which they do not agree."""
import argparse
import collections
import os
import re
import shutil
import sys
import tempfile
import time

from harness import SANITIZED, case, main, whet, write

import c_batches
import c_programs

PROGRAMS = int(os.environ.get("WHET_ROUNDS", "1")) * (12 if SANITIZED else 60)
FIRST = int(os.environ.get("WHET_SEED", "1"))
ASKED_OF_ALL = PROGRAMS * 4 // 15  # what `explicit` cannot follow is asked of all engines, which takes long, for so many of the programs only
UNDEFINED = ("no-overflow", "division", "valid-deref")


def verdicts(result):
    return dict(re.findall(r"^([\w-]+): (SAFE|UNSAFE|UNKNOWN)", result.out, re.MULTILINE))


def refusal(result):
    """What whet does not read, or None."""
    return "refused: " + result.err.split(": error: ")[1].split("\n")[0] if result.status == 2 and ": error: " in result.err else None


def follow(path, text, ask_others):
    """`explicit`, and `derive` if functions call themselves, follow the one run; what `explicit` cannot hold in 64 bits, others may."""
    engine = "derive" if " r0(int d" in text else "explicit"
    result = whet("verify", path, "--engine", engine, "--quiet", "--trace", "off", "--timeout", "60", "--work", "200000")
    return whet("verify", path, "--quiet", "--trace", "off", "--timeout", "60", *ask_others) if "64 bits" in result.out and ask_others else result


def contradiction(found, values, is_end_an_error):
    """Whether verdicts of properties are not what the compiled program does; they may be unknown."""
    if values is None:
        return found["unreach-call"] == "UNSAFE" or all(found[name] == "SAFE" for name in UNDEFINED)
    return any(found[name] == "UNSAFE" for name in UNDEFINED) or found["unreach-call"] == ("SAFE" if is_end_an_error else "UNSAFE")


def compare(folder, seed, values, ask_others):
    """None, or what is wrong; "refused" or "unknown" if there is nothing to compare."""
    text = c_programs.checked(seed, values)
    result = follow(write(folder, f"checked{seed}.c", text), text, ask_others)
    if refusal(result):
        return refusal(result)
    found = verdicts(result)
    if len(found) != 4 or result.status not in (0, 10, 20):
        return f"seed {seed}: {result}"
    if contradiction(found, values, False):
        return f"seed {seed}: {'undefined' if values is None else values} for the compiler, but {found}"
    if values is not None:
        text = c_programs.reached(seed)
        end = verdicts(follow(write(folder, f"reached{seed}.c", text), text, ask_others))
        if len(end) != 4 or contradiction(end, values, True):
            return f"seed {seed}: the end is reached, but {end}"
    return "unknown" if "UNKNOWN" in found.values() else None


ASKED = {"no-overflow", "division", "valid-deref", "unreach-call"}
ASKED_OF_MEMORY = ASKED | {"valid-free", "valid-memtrack"}  # of programs that allocate


def unexpanded(folder, name, text, *words):
    return whet("verify", write(folder, name, text), "--quiet", "--trace", "off", "--expand-arrays", "1", "--timeout", "60", *words)


def compare_arrays(folder, seed, values, *words):
    """The same for arrays that are not expanded: `walk` follows the one run; no engine may find another."""
    text = c_programs.source(seed, "") if values is None else c_programs.agreed(seed, values)
    result = unexpanded(folder, f"agreed{seed}.c", text, "--engine", "walk", "--work", "100000")
    if refusal(result):
        return refusal(result)
    found = verdicts(result)
    violated = {name for name, verdict in found.items() if verdict == "UNSAFE"}
    allocates = re.search(r"= [mc]alloc\(", text)
    if set(found) != (ASKED_OF_MEMORY if allocates else ASKED) or result.status not in (10, 20):
        return f"seed {seed}: {result}"
    lost = {"valid-memtrack"} if values is not None and allocates else set()  # nothing is freed
    if values is None and violated & {"unreach-call", "valid-memtrack"} or values is not None and violated - lost - {"unreach-call"}:
        return f"seed {seed}: {values} for the compiler, but {found}"
    other = verdicts(unexpanded(folder, f"checked{seed}.c", c_programs.checked(seed, values), *words))
    others = {name for name, verdict in other.items() if verdict == "UNSAFE"}
    is_kept = any("SAFE" in (found[name], other[name]) for name in lost)
    if "unreach-call" in others or (values is not None and others - lost) or is_kept:
        return f"seed {seed}: {values} for the compiler, but {found} and {other}"
    return None if violated - lost else "unknown"


def is_aside(what):
    return what and what.startswith(("refused", "unknown"))


def need_compilers():
    if not shutil.which("clang") or not shutil.which("cc"):
        raise AssertionError("clang and cc are needed: tools/install-dependencies build test")


def judge(found, part):
    """Nothing is wrong, and less than a `part`th is not compared."""
    wrong = [what for what in found if what and not is_aside(what)]
    aside = [what for what in found if is_aside(what)]
    assert not wrong, "\n".join(wrong)
    assert len(aside) * part < len(found), f"too many are not compared: {sorted(set(aside))}"


@case
def the_compiler_agrees(folder):
    need_compilers()
    values = c_batches.outcomes(range(FIRST, FIRST + PROGRAMS), folder)
    judge([compare(folder, seed, values[seed], ["--work", "2000000"] if seed - FIRST < ASKED_OF_ALL else None) for seed in values], 4)


@case
def the_compiler_agrees_about_corners(folder):
    need_compilers()
    first = c_programs.CORNERS + FIRST
    values = c_batches.outcomes(range(first, first + PROGRAMS // 5), folder)
    judge([compare(folder, seed, values[seed], ["--work", "2000000"]) for seed in values], 2)


@case
def the_compiler_agrees_about_arrays_that_are_not_expanded(folder):
    need_compilers()
    first = c_programs.ARRAYS + FIRST
    values = c_batches.outcomes(range(first, first + PROGRAMS // 5), folder)
    judge([compare_arrays(folder, seed, values[seed], "--work", "60000") for seed in values], 4)


@case
def the_compiler_agrees_about_pointers_into_several_arrays(folder):
    need_compilers()
    first = c_programs.POINTERS + FIRST
    values = c_batches.outcomes(range(first, first + PROGRAMS // 5), folder)
    judge([compare(folder, seed, values[seed], None) for seed in values], 2)


@case
def the_interpreter_agrees(folder):
    """Of a batch; that it can disagree is seen from values that are not those of the compiler."""
    need_compilers()
    values = c_batches.outcomes(range(FIRST, FIRST + PROGRAMS), folder)
    judge([interpreter_differs(seed, values[seed], end) for seed, end in c_batches.interpreted(values, folder).items()], 4)
    others = {seed: [n ^ 1 for n in given] for seed, given in values.items() if given is not None}
    ends = c_batches.interpreted(others, folder)
    assert ends and all(end == "unreach-call" or end.startswith("not read") for end in ends.values()), ends


# ---- campaigns ----

BATCH = 70  # programs: four parts of seven of the first kind, one of each of the others
ENGINES = ("alpha", "kind", "widen", "spacer", "accelerate", "pdr", "derive", "cegar")
ARRAY_ENGINES = ("cells", "spacer")


def interpreter_differs(seed, values, end):
    if end.startswith("not read"):
        return "refused: interpreter: " + end
    if end == "cut":
        return "unknown"
    if values is None:
        return None if end in UNDEFINED else f"seed {seed}: undefined for the compiler, but {end} for the interpreter"
    return None if end == "end" else f"seed {seed}: {values} for the compiler, but {end} for the interpreter"


def ask_in_turn(folder, number, seed, values, work):
    """One more engine, with the values at the end or the end itself as the error."""
    engine, is_end_an_error = ENGINES[number // 2 % len(ENGINES)], values is not None and number % 2 == 1
    name = f"{'reached' if is_end_an_error else 'checked'}{seed}.c"
    result = whet("verify", os.path.join(folder, name), "--engine", engine, "--quiet", "--trace", "off", "--timeout", "60", "--work", work)
    found = verdicts(result)
    if len(found) != 4 or result.status not in (0, 10, 20):
        return engine, found, f"seed {seed}: {engine}: {result}"
    return engine, found, f"seed {seed}: {values} for the compiler, but {found} for {engine} ({name})" if contradiction(found, values, is_end_an_error) else None


def run_batch(folder, numbers, work):
    """What is not the same, and counts of what was compared."""
    wrong, counts = [], collections.Counter()

    def note(what, whom):
        if what and not is_aside(what):
            wrong.append(what)
        counts[f"{whom} {what.split(':')[0] if is_aside(what) else 'compared'}"] += 1

    kinds = {0: [n for n in numbers if n % 7 < 4], c_programs.POINTERS: [n for n in numbers if n % 7 == 4], c_programs.CORNERS: [n for n in numbers if n % 7 == 5], c_programs.ARRAYS: [n for n in numbers if n % 7 == 6]}
    for start, chosen in kinds.items():
        if not chosen:
            continue
        values = c_batches.outcomes([start + n for n in chosen], folder)
        counts["undefined"] += sum(given is None for given in values.values())
        for seed, end in c_batches.interpreted(values, folder).items():
            note(interpreter_differs(seed, values[seed], end), "interpreter")
        for number, (seed, given) in zip(chosen, values.items()):
            if start == c_programs.ARRAYS:
                note(compare_arrays(folder, seed, given, "--engine", ARRAY_ENGINES[number // 7 % len(ARRAY_ENGINES)], "--work", work), "arrays")
                continue
            what = compare(folder, seed, given, None)
            note(what, "run")
            if not what or what == "unknown":
                engine, found, what = ask_in_turn(folder, number, seed, given, work)
                note(what, engine)
                counts[f"{engine} verdicts"] += sum(verdict != "UNKNOWN" for verdict in found.values())
    return wrong, counts


def done_before(log):
    if not os.path.exists(log):
        return {}
    with open(log, encoding="utf-8") as f:
        return {int(first): rest for first, rest in re.findall(r"^batch (\d+): (.*)$", f.read(), re.MULTILINE)}


def campaign(first, count, log, work):
    """Batches of the numbers from first on; the whole of what the log has at the end."""
    need_compilers()
    for start in range(first, first + count, BATCH):
        if start in done_before(log):
            continue
        began = time.process_time() + sum(os.times()[2:4])
        with tempfile.TemporaryDirectory() as folder:
            wrong, counts = run_batch(folder, range(start, min(start + BATCH, first + count)), work)
        seconds = time.process_time() + sum(os.times()[2:4]) - began
        with open(log, "a", encoding="utf-8") as f:
            f.writelines(f"DIFFERENCE {what}\n" for what in wrong)
            counts.update({"programs": min(BATCH, first + count - start), "differences": len(wrong), "seconds": round(seconds)})
            f.write(f"batch {start}: " + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())) + "\n")
    total = collections.Counter()
    for rest in done_before(log).values():
        total.update({name: int(n) for name, n in re.findall(r"([\w -]+?) (\d+)(?:, |$)", rest)})
    print(", ".join(f"{name} {n}" for name, n in sorted(total.items())))
    return total["differences"]


def main_or_seeds():
    if len(sys.argv) > 1 and sys.argv[1] == "campaign":
        parser = argparse.ArgumentParser()
        parser.add_argument("campaign")
        parser.add_argument("first", type=int)
        parser.add_argument("count", type=int)
        parser.add_argument("--log", default="c-campaign.txt")
        parser.add_argument("--work", type=int, default=10000)
        given = parser.parse_args()
        sys.exit(1 if campaign(given.first, given.count, given.log, given.work) else 0)
    if len(sys.argv) < 2 or not sys.argv[1].isdigit():
        main()
    with tempfile.TemporaryDirectory() as folder:
        for seed in map(int, sys.argv[1:]):
            values = c_batches.outcomes([seed], folder)
            print(seed, interpreter_differs(seed, values[seed], c_batches.interpreted(values, folder)[seed]),
                  compare_arrays(folder, seed, values[seed], "--work", "60000") if c_programs.is_array(seed) else compare(folder, seed, values[seed], ["--work", "2000000"]))


if __name__ == "__main__":
    main_or_seeds()
