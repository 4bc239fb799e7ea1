"""Random C programs: whet's verdicts against what the system's compiler makes of them."""
import os
import re
import shutil
import sys

from harness import SANITIZED, case, main, whet, write

import c_programs

PROGRAMS = int(os.environ.get("WHET_ROUNDS", "1")) * (12 if SANITIZED else 60)
FIRST = int(os.environ.get("WHET_SEED", "1"))
ASKED_OF_ALL = PROGRAMS * 4 // 15  # what `explicit` cannot follow is asked of all engines, which takes long, for so many of the programs only


def verdicts(result):
    return dict(re.findall(r"^([\w-]+): (SAFE|UNSAFE|UNKNOWN)", result.out, re.MULTILINE))


def run(folder, name, text, seed):
    """`explicit`, and `derive` if functions call themselves, follow the one run; what `explicit` cannot hold in 64 bits, others may."""
    path = write(folder, name, text)
    engine = "derive" if " r0(int d" in text else "explicit"
    result = whet("verify", path, "--engine", engine, "--quiet", "--timeout", "60")
    ask_others = "64 bits" in result.out and seed - FIRST < ASKED_OF_ALL
    return whet("verify", path, "--quiet", "--work", "2000000", "--timeout", "60") if ask_others else result


def compare(folder, seed):
    """None, or what is wrong; "refused" or "unknown" if there is nothing to compare."""
    values = c_programs.outcome(seed, folder)
    result = run(folder, f"checked{seed}.c", c_programs.checked(seed, values), seed)
    if result.status == 2 and ": error: " in result.err:
        return "refused: " + result.err.split(": error: ")[1].split("\n")[0]
    found = verdicts(result)
    if len(found) != 4 or result.status not in (0, 10, 20):
        return f"seed {seed}: {result}"
    undefined = [found[name] for name in ("no-overflow", "division", "valid-deref")]
    if "UNKNOWN" in found.values():
        return "unknown"
    if values is None:
        return None if "UNSAFE" in undefined and found["unreach-call"] == "SAFE" else f"seed {seed}: undefined for the compiler, but {found}"
    if set(found.values()) != {"SAFE"}:
        return f"seed {seed}: {values} for the compiler, but {found}"
    end = verdicts(run(folder, f"reached{seed}.c", c_programs.reached(seed), seed))
    return None if end.get("unreach-call") in ("UNSAFE", "UNKNOWN") else f"seed {seed}: the end is reached, but {end}"


@case
def the_compiler_agrees(folder):
    if not shutil.which("clang") or not shutil.which("cc"):
        raise AssertionError("clang and cc are needed: tools/install-dependencies build test")
    found = {}
    for seed in range(FIRST, FIRST + PROGRAMS):
        found[seed] = compare(folder, seed)
    wrong = [what for what in found.values() if what and not what.startswith(("refused", "unknown"))]
    aside = [what for what in found.values() if what and what.startswith(("refused", "unknown"))]
    assert not wrong, "\n".join(wrong)
    assert len(aside) * 4 < PROGRAMS, f"too many are not compared: {sorted(set(aside))}"


@case
def the_compiler_agrees_about_corners(folder):
    if not shutil.which("clang") or not shutil.which("cc"):
        raise AssertionError("clang and cc are needed: tools/install-dependencies build test")
    first = c_programs.CORNERS + FIRST
    found = [compare(folder, seed) for seed in range(first, first + PROGRAMS // 5)]
    wrong = [what for what in found if what and not what.startswith(("refused", "unknown"))]
    aside = [what for what in found if what and what.startswith(("refused", "unknown"))]
    assert not wrong, "\n".join(wrong)
    assert len(aside) * 2 < len(found), f"too many are not compared: {sorted(set(aside))}"


ASKED = {"no-overflow", "division", "valid-deref", "unreach-call"}
ASKED_OF_MEMORY = ASKED | {"valid-free", "valid-memtrack"}  # of programs that allocate


def unexpanded(folder, name, text, *words):
    return whet("verify", write(folder, name, text), "--quiet", "--expand-arrays", "1", "--timeout", "60", *words)


def compare_arrays(folder, seed):
    """The same for arrays that are not expanded: `walk` follows the one run; no engine may find another."""
    values = c_programs.outcome(seed, folder)
    text = c_programs.source(seed, "") if values is None else c_programs.agreed(seed, values)
    result = unexpanded(folder, f"agreed{seed}.c", text, "--engine", "walk", "--work", "300000")
    if result.status == 2 and ": error: " in result.err:
        return "refused: " + result.err.split(": error: ")[1].split("\n")[0]
    found = verdicts(result)
    violated = {name for name, verdict in found.items() if verdict == "UNSAFE"}
    allocates = re.search(r"= [mc]alloc\(", text)
    if set(found) != (ASKED_OF_MEMORY if allocates else ASKED) or result.status not in (10, 20):
        return f"seed {seed}: {result}"
    lost = {"valid-memtrack"} if values is not None and allocates else set()  # nothing is freed
    if values is None and violated & {"unreach-call", "valid-memtrack"} or values is not None and violated - lost - {"unreach-call"}:
        return f"seed {seed}: {values} for the compiler, but {found}"
    other = verdicts(unexpanded(folder, f"checked{seed}.c", c_programs.checked(seed, values), "--work", "60000"))
    others = {name for name, verdict in other.items() if verdict == "UNSAFE"}
    is_kept = any("SAFE" in (found[name], other[name]) for name in lost)
    if "unreach-call" in others or (values is not None and others - lost) or is_kept:
        return f"seed {seed}: {values} for the compiler, but {found} and {other}"
    return None if violated - lost else "unknown"


@case
def the_compiler_agrees_about_arrays_that_are_not_expanded(folder):
    if not shutil.which("clang") or not shutil.which("cc"):
        raise AssertionError("clang and cc are needed: tools/install-dependencies build test")
    first = c_programs.ARRAYS + FIRST
    found = [compare_arrays(folder, seed) for seed in range(first, first + PROGRAMS // 5)]
    wrong = [what for what in found if what and not what.startswith(("refused", "unknown"))]
    aside = [what for what in found if what and what.startswith(("refused", "unknown"))]
    assert not wrong, "\n".join(wrong)
    assert len(aside) * 4 < len(found), f"too many are not compared: {sorted(set(aside))}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for number in sys.argv[1:]:
            print(number, (compare_arrays if c_programs.ARRAYS <= int(number) < c_programs.CORNERS else compare)("/tmp", int(number)))
    else:
        main()
