"""Models of C programs against a second, plain and slow translation: an interpreter of clang's tree (oracle/c_interpreter.py). Random runs of the
model are replayed there, and random runs there must be runs of the model: same inputs, same outcome, same values at the places of the model.

    second_translation.py FILE...         the same for files, with what is compared
"""
import collections
import os
import random
import re
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import EXAMPLES, SANITIZED, Skip, case, main, whet, write

import c_programs
from c_interpreter import Run, Stop
from c_tree import NotRead, Program
from shown_model import ERRORS, Shown, Simulated, SimulatedCalls, stem

BENCH = os.environ.get("WHET_BENCH")
ROUNDS = int(os.environ.get("WHET_ROUNDS", "1"))
SEED = int(os.environ.get("WHET_SEED", "1"))
STEPS, WORK, MOST_LOOKS = 40, 30000, 300
LOOPS = {"WhileStmt", "DoStmt", "ForStmt"}
BRANCHES = LOOPS | {"IfStmt", "SwitchStmt", "LabelStmt"}


class Aside(Exception):
    """There is nothing to compare: why."""


class Recorder:
    """Runs the interpreter, and keeps what it sees at lines of places."""

    def __init__(self, program, lines, choose):
        self.taken, self.seen, self.choose = [], [], choose
        self.run = Run(program, self.next, WORK)
        self.run.watch(lines, self.look)
        self.outcome = self.run.outcome()

    def next(self, name, low, high):
        value = self.choose(name, low, high)
        self.taken.append((name, value))
        return value

    def look(self, line, run):
        self.seen.append((len(self.taken), line, run.values()))
        if len(self.seen) > MOST_LOOKS:
            raise Stop("cut")


def at_random(seed):
    r = random.Random(seed)

    def choose(name, low, high):
        near = r.choice([0, 1, 2, 3, 5, 8, 10, 16, 100, low, high, low + 1, high - 1, r.randint(-20, 20), r.randint(low, high)])
        return min(max(near, low), high)

    return choose


def given(inputs, after):
    """Inputs in their order, then what `after` gives; what is asked for must be what is given."""
    rest = list(reversed(inputs))

    def choose(name, low, high):
        if not rest:
            return after(name, low, high)
        wanted, value = rest.pop()
        assert wanted == name, f"the model takes {wanted} and the program asks for {name}"
        assert low <= value <= high, f"{name} = {value} is no value of its type"
        return value

    return choose


def stop(name, low, high):
    raise Stop("cut")


def line_of(place):
    found = re.match(r"line(\d+)(?:_\d+)?$", place)
    return int(found.group(1)) if found else None


def agrees(state, values, reads):
    """Variables that a step reads have their values; others may be 0, which is what whet gives those that nobody reads."""
    for name, value in state.items():
        if name == "program" or stem(name).startswith("saved"):
            continue
        holds = values.get(stem(name))
        if value not in (holds or ()) and (name in reads or value != 0):
            return False
    return True


def embed(states, seen, reads):
    """Each state of the model is seen in the interpreter, in their order."""
    at = 0
    for taken, state in states:
        line = line_of(state["program"])
        if line is None:
            continue
        start = at
        while at < len(seen) and not (seen[at][:2] == (taken, line) and agrees(state, seen[at][2], reads(state["program"]))):
            at += 1
        near = [s for s in seen[start:] if s[:2] == (taken, line)]
        assert at < len(seen), f"after {taken} inputs the model is at {state}; the program there has {near[:3]}"


def compare_ends(model, program):
    """Of a run with all its inputs: both come to the same error, or both end (a step of the model that needs more inputs is not taken)."""
    assert program == ("end" if model in ("stuck", None) else model), f"the model comes to {model}, the program to {program}"


def count_instances(program):
    """How often the text of each function is run through: calls of it, times those of the functions that they are in."""
    calls = {name: collections.Counter(callees(f, [])) for name, f in program.functions.items()}
    found = {name: int(name == "main") for name in calls}
    for _ in calls:  # longer than any chain of calls; recursive functions grow
        found = {name: int(name == "main") + sum(found[f] * calls[f][name] for f in calls) for name in calls}
    return found


def lines_of(node, program, kinds, found):
    if node.get("kind") in kinds:
        found.append(program.line(node))
    for inner in node.get("inner", []):
        lines_of(inner, program, kinds, found)
    return found


def single_heads(program, shown):
    """Lines with one loop and nothing else that branches, in a function that is called from one place, whose head is a place of the model."""
    instances, found = count_instances(program), []
    for name, function in program.functions.items():
        if instances[name] == 1:
            lines = lines_of(function, program, BRANCHES, [])
            found += [line for line in lines_of(function, program, LOOPS, []) if lines.count(line) == 1]
    return [line for line in found if f"line{line}" in shown.states and f"line{line}_2" not in shown.states]


def compare_visits(program, shown, states, run):
    """The program is at the head of a loop as often as the model."""
    visits = collections.Counter(state["program"] for _, state in states)
    for line in single_heads(program, shown):
        assert visits[f"line{line}"] == run.run.heads[line], \
            f"the model is {visits[f'line{line}']} times at line {line}, the program {run.run.heads[line]} times"


def from_model(path, program, shown, lines, seed):
    """A random run of the model, in the interpreter."""
    result = whet("simulate", path, "--trace", "full", "--steps", STEPS, "--seed", seed)
    assert result.status == 0, result
    simulated = Simulated(result)
    again, end = shown.follow(simulated.inputs)
    for (_, printed), (_, computed) in zip(simulated.states, again):
        assert printed == computed, f"simulate says {printed}, and its inputs lead to {computed}"
    ended = simulated.end == "stuck"
    run = Recorder(program, lines, given(simulated.inputs, at_random(seed) if ended else stop))
    if run.outcome != "cut":
        assert len(run.taken) >= len(simulated.inputs), f"the program comes to {run.outcome} before {simulated.states[-1]}"
        embed(simulated.states, run.seen, shown.reads)
        if simulated.end:
            compare_ends(simulated.end, run.outcome)
    elif len(run.seen) <= MOST_LOOKS and run.run.work >= 0:  # there was no other input
        embed(simulated.states, run.seen, shown.reads)


def from_program(program, shown, lines, seed):
    """A random run of the interpreter, in the model."""
    run = Recorder(program, lines, at_random(seed))
    states, end = shown.follow(run.taken)
    if run.outcome == "cut":
        last = run.seen[-1][0] if run.seen else 0
        states = [s for s in states if s[0] < last]
    else:
        compare_ends(end, run.outcome)
        compare_visits(program, shown, states, run)
    embed(states, run.seen, shown.reads)
    return run.outcome


def compare_system(path, program, shown, seeds):
    lines = {line_of(state) for state in shown.states} - {None}
    outcomes = []
    for seed in seeds:
        from_model(path, program, shown, lines, seed)
        outcomes.append(from_program(program, shown, lines, seed))
    return outcomes


# ---- programs with procedures ----

def callees(node, found):
    if node.get("kind") == "DeclRefExpr" and node["referencedDecl"]["kind"] == "FunctionDecl":
        found.append(node["referencedDecl"]["name"])
    for inner in node.get("inner", []):
        callees(inner, found)
    return found


def recursive(program):
    """Functions that may call themselves."""
    calls = {name: callees(f, []) for name, f in program.functions.items()}

    def reached(name):
        found, waiting = set(), list(calls[name])
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += calls.get(one, ())
        return found

    return {name for name in calls if name in reached(name)}


def events_of(program, choose, names):
    """What a run of the interpreter does, as SimulatedCalls has it; and its outcome."""
    events = []

    def next_input(name, low, high):
        value = choose(name, low, high)
        events.append(("input", name, value))
        return value

    def hear(kind, name, what):
        if name not in names:
            return
        if kind == "return":
            events.append(("return", what if isinstance(what, int) else None))
            return
        parameters = [p.get("name") for p in program.functions[name]["inner"] if p["kind"] == "ParmVarDecl"]
        events.append(("call", name, dict(zip(parameters, what))))

    run = Run(program, next_input, WORK)
    run.calls.append(hear)
    return events, run.outcome()


def same_event(model, program):
    if model[0] == "call":
        return program[:2] == model[:2] and all(program[2][n] == v for n, v in model[2].items() if n in program[2])
    return model == program or (model == ("return", None) and program[0] == "return")


def compare_calls(path, program, seeds):
    names = recursive(program)
    for seed in seeds:
        result = whet("simulate", path, "--steps", STEPS, "--seed", seed)
        assert result.status == 0, result
        simulated = SimulatedCalls(result)
        inputs = [e[1:] for e in simulated.events if e[0] == "input"]
        events, outcome = events_of(program, given(inputs, at_random(seed) if simulated.end == "stuck" else stop), names)
        for model, there in zip(simulated.events, events):
            assert same_event(model, there), f"the model has {model}, the program {there}"
        if outcome != "cut" and simulated.end:
            assert (simulated.end == "error") == (outcome in ERRORS.values()), f"the model: {simulated.end}, the program: {outcome}"
            assert len(events) >= len(simulated.events), f"the program ends before {simulated.events[len(events)]}"
    return [outcome]


# ---- files ----

def compare(path, seeds):
    """Outcomes of runs; raises AssertionError for a difference, Aside if there is nothing to compare."""
    shown = whet("show", path)
    is_procedures = "several predicates" in shown.err
    if shown.status and not is_procedures:
        raise Aside("not read by whet: " + shown.err.split(": error: ")[-1].split("\n")[0])
    try:
        program = Program(path)
        if is_procedures:
            return compare_calls(path, program, seeds)
        return compare_system(path, program, Shown(shown.out), seeds)
    except NotRead as what:
        raise Aside(f"not read by the interpreter: {what}") from what
    except SyntaxError as what:
        raise Aside(f"not read by the second reading: {what}") from what


def compare_all(paths, seeds):
    """How many were compared, how many not and why; the differences."""
    outcomes, aside, wrong = collections.Counter(), collections.Counter(), []
    for path in paths:
        try:
            outcomes.update(compare(path, seeds))
        except Aside as why:
            aside[str(why)] += 1
        except AssertionError as what:
            wrong.append(f"{os.path.basename(path)}: {what}")
    return outcomes, aside, wrong


def need_clang():
    if not shutil.which("clang"):
        raise AssertionError("clang is needed: tools/install-dependencies build test")


@case
def examples_mean_the_same(folder):
    need_clang()
    paths = [os.path.join(EXAMPLES, name) for name in sorted(os.listdir(EXAMPLES)) if name.endswith(".c")]
    outcomes, aside, wrong = compare_all(paths, range(SEED, SEED + 10 * ROUNDS))
    assert not wrong, "\n".join(wrong)
    assert not aside, aside
    assert sum(outcomes.values()) > len(paths)


@case
def random_programs_mean_the_same(folder):
    need_clang()
    count = (8 if SANITIZED else 40) * ROUNDS
    paths = [write(folder, f"p{seed}.c", c_programs.reached(seed)) for seed in range(SEED, SEED + count)]
    outcomes, aside, wrong = compare_all(paths, [1])
    assert not wrong, "\n".join(wrong)
    assert sum(aside.values()) * 4 < count, aside
    assert len(outcomes) > 1, outcomes


def bench_files():
    """Every file takes its turn: a fixed part of them, and another part for another WHET_SEED."""
    found = []
    for folder, _, names in sorted(os.walk(os.path.join(BENCH, "c"))):
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith((".c", ".i"))]
    part = 16 if SANITIZED else 3
    return found if ROUNDS > 1 else found[SEED % part::part]


@case
def benchmark_files_mean_the_same(folder):
    need_clang()
    if not BENCH:
        raise Skip("WHET_BENCH is not set")
    paths = bench_files()
    outcomes, aside, wrong = compare_all(paths, [SEED])
    assert not wrong, "\n".join(wrong)
    assert sum(aside.values()) * 2 < len(paths), aside


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        outcomes, aside, wrong = compare_all(sys.argv[1:], range(SEED, SEED + ROUNDS))
        for what in wrong:
            print(what)
        print(dict(outcomes), dict(aside), f"{len(wrong)} differ", sep="\n")
    else:
        main()
