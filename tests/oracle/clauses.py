"""What the tests of Horn clauses share: reading s-expressions, and other solvers that check models."""
import re
import shutil
import subprocess

TOKENS = re.compile(r'\|[^|]*\||"(?:[^"]|"")*"|;[^\n]*|[()]|[^\s()|";]+')


def parse(text):
    """All s-expressions of a text, as nested lists of words."""
    stack = [[]]
    for token in TOKENS.findall(text):
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, "parentheses"
    return stack[0]


def show(expression):
    return expression if isinstance(expression, str) else "(" + " ".join(map(show, expression)) + ")"


def datatypes(command):
    """The command as SMT-LIB 2.6 has it: (declare-datatypes () ((S a (b)))) is Z3's."""
    if command[0] == "declare-datatypes" and not command[1]:
        command = [command[0], [[name, "0"] for name, *_ in command[2]], [rest for _, *rest in command[2]]]
    lists = command[2] if command[0] == "declare-datatypes" else [command[2]]
    return [*command[:2], [[c if isinstance(c, list) else [c] for c in of] for of in lists] if command[0] == "declare-datatypes" else lists[0]]


def validity(text, model):
    """A script to which every solver answers unsat, again and again, if the model makes each clause of the text valid."""
    commands = parse(text)
    script = ["(set-logic ALL)", *(show(datatypes(c)) for c in commands if c[0].startswith("declare-datatype")), model]
    checks = 0
    for command in commands:
        word = command[0]
        if word == "exit":
            break
        if word == "declare-var":
            script.append(show(["declare-const"] + command[1:]))
        elif word in ("define-fun", "define-const"):
            script.append(show(command))
        elif word == "declare-const" and command[2] != "Bool":
            script.append(show(command))
        elif word == "declare-fun" and command[3] != "Bool":
            script.append(show(command))
        elif word in ("assert", "rule", "query"):
            clause = ["not", command[1]] if word == "query" else command[1]
            script.append(f"(push 1)(assert (not {show(clause)}))(check-sat)(pop 1)")
            checks += 1
    return "\n".join(script) + "\n", checks


SOLVERS = {"z3": ["z3", "-T:20", "-in"], "cvc5": ["cvc5", "--incremental", "--tlimit=20000", "--lang=smt2"]}


def solvers():
    return [name for name in SOLVERS if shutil.which(name)]


def check_model(solver, text, model):
    """How many clauses the solver finds valid, not valid, and cannot decide."""
    script, checks = validity(text, model)
    done = subprocess.run(SOLVERS[solver], input=script, capture_output=True, text=True, check=False)
    words = done.stdout.split()
    assert words.count("unsat") + words.count("sat") + words.count("unknown") == checks, done.stdout + done.stderr + script
    return words.count("unsat"), words.count("sat"), words.count("unknown")


def assert_model(text, path, about):
    """Every solver that is installed finds all clauses of the text valid in the model that the file has."""
    with open(path, encoding="utf-8") as f:
        model = f.read()
    for solver in solvers():
        assert check_model(solver, text, model)[1:] == (0, 0), f"{about}: {solver}\n{model}"
