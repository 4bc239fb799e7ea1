"""What the tests of the program share: running it, and TAP."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WHET = os.environ.get("WHET_PROGRAM", os.path.join(ROOT, "build", "whet"))
FAULTY = os.environ.get("WHET_FAULTY", os.path.join(ROOT, "build", "tests", "whet-faulty"))
UNSURE = os.environ.get("WHET_UNSURE", os.path.join(ROOT, "build", "tests", "whet-unsure"))
BUILD = os.environ.get("WHET_BUILD", os.path.join(ROOT, "build"))
REPRODUCE = os.environ.get("WHET_REPRODUCE", os.path.join(BUILD, "tests", "reproduce"))
EXAMPLES = os.path.join(ROOT, "examples")
DATA = os.path.join(ROOT, "tests", "data")
MODELS = os.path.join(DATA, "models")
SANITIZED = "WHET_SANITIZED" in os.environ

# Scripts that import this one find the oracles, and leave no files next to the sources.
sys.path.append(os.path.join(ROOT, "tests", "oracle"))
sys.dont_write_bytecode = True

_cases = []


class Skip(Exception):
    pass


def case(function):
    """Marks a function as a test case. It gets a folder of its own and fails by raising. Cases of a file that is imported are not run."""
    if function.__module__ == "__main__":
        _cases.append(function)
    return function


class Result:
    def __init__(self, process, out, err):
        self.status, self.out, self.err = process.returncode, out, err

    def __repr__(self):
        return f"status {self.status}\n--- stdout\n{self.out}--- stderr\n{self.err}"


def whet(*words, program=WHET, env=None, cwd=None, timeout=1200):
    process = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                             env={**os.environ, **(env or {})}, cwd=cwd, timeout=timeout)
    return Result(process, process.stdout, process.stderr)


def commands():
    """The commands of the program, as its help lists them."""
    return re.findall(r"^  ([a-z]+)", whet("--help").out, re.MULTILINE)


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(content)
    return path


def schema():
    try:
        import jsonschema
    except ImportError:
        raise Skip("python3-jsonschema is not installed")
    with open(os.path.join(ROOT, "docs", "whet.schema.json"), encoding="utf-8") as f:
        content = json.load(f)
    jsonschema.Draft202012Validator.check_schema(content)
    return jsonschema.Draft202012Validator(content)


def example(name):
    return os.path.join(EXAMPLES, name)


def examples():
    """The models in examples/."""
    return [name for name in sorted(os.listdir(EXAMPLES)) if name.endswith((".whet", ".smt2", ".vmt", ".c", ".svlib"))]


def equal(got, wanted, about=""):
    assert got == wanted, f"{about}\ngot:    {got!r}\nwanted: {wanted!r}"


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    number = failed = 0
    for function in _cases:
        name = function.__name__.replace("_", " ")
        if only not in name:
            continue
        number += 1
        try:
            with tempfile.TemporaryDirectory() as folder:
                function(folder)
            print(f"ok {number} - {name}", flush=True)
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}", flush=True)
        except Exception:  # whatever it is, it is reported, and the next case runs
            failed += 1
            print(f"not ok {number} - {name}")
            print("\n".join("# " + line for line in traceback.format_exc().splitlines()), flush=True)
    print(f"1..{number}")
    sys.exit(1 if failed else 0)


def main_or_campaign(fuzz):
    """The cases; or, with --rounds or --seed, fuzz(folder, seed, rounds)."""
    if len(sys.argv) < 2 or not sys.argv[1].startswith("--"):
        main()
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    place = os.path.join(BUILD, "findings")
    os.makedirs(place, exist_ok=True)
    print(fuzz(place, given.seed, given.rounds))
