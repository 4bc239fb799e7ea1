#!/usr/bin/python3
"""What whet makes of random texts, compared with a second reading of the language (second_reading.py) that shares nothing with it.

    language.py                        the test
    language.py KNOBS FIRST COUNT      other seeds, the readings only

The reading: both explore the model; the same number of states, the same properties, each broken after the same number of steps or not
at all. The program: `whet verify` as a user runs it, its verdicts and the length of its traces.
"""
import json
import os
import subprocess
import sys
import tempfile

from harness import DATA, EXAMPLES, REPRODUCE, WHET
import second_reading

DEFAULT = [("tiny", 1, 300), ("finite", 1, 300)]
PROGRAM = ("finite", 500001, 30)


def report(words, whet):
    print(f"# seed {whet['model']}: {words}")
    for text in whet["source"].splitlines():
        print("#   " + text)


def second(whet):
    """Steps to the nearest breach of each property, and the number of states; None if there are too many."""
    read = second_reading.read(whet["source"], folder=os.path.dirname(str(whet["model"])))
    if read is None:
        return None, 0
    return {**read["properties"], "no-runtime-error": read["no-runtime-error"]}, read["states"]


def differences(whet):
    """What is not the same, as words; None if one of the two gave up because of size."""
    if "error" in whet:
        return [f"whet cannot read it: {whet['error']}"]
    if "states" not in whet:
        return None
    try:
        wanted, states = second(whet)
    except (SyntaxError, KeyError, ValueError) as error:
        return [f"the second reading cannot read it: {error!r}"]
    if wanted is None:
        return None
    found = []
    if states != whet["states"]:
        found.append(f"{whet['states']} states, {states} in the second reading")
    got = {"no-runtime-error": None, **whet["properties"]}  # there is no such property if nothing can fail
    for name in sorted(set(wanted) | set(got)):
        if wanted.get(name, "missing") != got.get(name, "missing"):
            found.append(f"{name}: {got.get(name, 'missing')}, {wanted.get(name, 'missing')} in the second reading")
    return found


def models(knobs, first, count):
    output = subprocess.run([REPRODUCE, "explore", knobs, str(first), str(count)], stdout=subprocess.PIPE, text=True, check=False)
    return [json.loads(line) for line in output.stdout.splitlines()]


def compare_readings(knobs, first, count):
    seen = wrong = 0
    all_models = models(knobs, first, count)
    for whet in all_models:
        found = differences(whet)
        seen += found is not None
        if found:
            wrong += 1
            report("; ".join(found), whet)
    if len(all_models) != count or seen < count * 3 // 4:
        print(f"# {len(all_models)} models came of {count}, of which {seen} are small enough")
        wrong += 1
    return wrong


def compare_examples():
    return compare_files(EXAMPLES, 4)


def compare_constructs():
    """A model for each construct that random models do not have: all are small enough."""
    folder = os.path.join(DATA, "language")
    return compare_files(folder, sum(name.endswith(".whet") for name in os.listdir(folder)))


def compare_files(folder, least):
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".whet"))
    output = subprocess.run([REPRODUCE, "explore-file", *paths], stdout=subprocess.PIPE, text=True, check=False)
    wrong = seen = 0
    for line in output.stdout.splitlines():
        whet = json.loads(line)
        found = differences(whet)
        seen += found is not None
        if found:
            wrong += 1
            print(f"# {whet['model']}: " + "; ".join(found))
    return wrong + (seen < least)


def verify(source):
    """Verdict and steps of the trace, by property, as the program prints them in JSON."""
    with tempfile.NamedTemporaryFile("w", suffix=".whet") as file:
        file.write(source)
        file.flush()
        run = subprocess.run([WHET, "verify", file.name, "--json", "-", "--quiet"], stdout=subprocess.PIPE, text=True, check=False)
    found = {}
    for entry in json.loads(run.stdout)["properties"]:
        found[entry["name"]] = entry["verdict"], len(entry["trace"]) - 1 if entry.get("trace") else None
    return found


def compare_program(knobs, first, count):
    wrong = unknown = 0
    for whet in models(knobs, first, count):
        wanted, _ = second(whet)
        if wanted is None:
            continue
        for name, (verdict, steps) in verify(whet["source"]).items():
            unknown += verdict == "unknown"
            depth = wanted[name]
            right = ("safe", None) if depth is None else ("unsafe", depth)
            if verdict != "unknown" and (verdict, steps) != right:
                wrong += 1
                report(f"{name}: {verdict} with {steps} steps, {right} in the second reading", whet)
    if unknown > count // 10:
        print(f"# {unknown} properties are unknown")
        wrong += 1
    return wrong


def main():
    rest = sys.argv[1:]
    runs = [(rest[0], int(rest[1]), int(rest[2]))] if len(rest) == 3 else DEFAULT
    slow = 5 if os.environ.get("WHET_SANITIZED") and len(rest) != 3 else 1
    results = []
    for knobs, first, count in runs:
        results.append((f"two readings of {count // slow} {knobs} models agree", compare_readings(knobs, first, count // slow)))
    if not rest:
        results.append(("two readings of the small examples agree", compare_examples()))
        results.append(("two readings of each construct agree", compare_constructs()))
        knobs, first, count = PROGRAM
        results.append((f"the program agrees on {count // slow} models", compare_program(knobs, first, count // slow)))
    for number, (name, wrong) in enumerate(results, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
    print(f"1..{len(results)}")
    return any(wrong for _, wrong in results)


if __name__ == "__main__":
    sys.exit(main())
