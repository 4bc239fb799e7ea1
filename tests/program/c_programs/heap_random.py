"""Random C programs with lists, pointers to variables and pointers to pointers: what each does is computed here, said again by the compiled program, and
compared with whet's verdicts."""
import os
import random
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import SANITIZED, Skip, case, main, whet, write

PROGRAMS = int(os.environ.get("WHET_ROUNDS", "1")) * (10 if SANITIZED else 60)
FIRST = int(os.environ.get("WHET_SEED", "1"))
HEAD = """#include <stdlib.h>
extern void reach_error(void);
struct node { int v; struct node *next; };
typedef struct node *list;
void push(list *at, int v) { list n = malloc(sizeof *n); n->v = v; n->next = *at; *at = n; }
int main(void) {
  struct node a = {1, 0}, b = {2, 0};
  list p0 = 0, p1 = 0, p2 = 0, *q = &p0;
  int sum = 0;
"""
POINTERS = ("p0", "p1", "p2")


class End(Exception):
    """What C leaves undefined."""


class Memory:
    def __init__(self, rng):
        self.rng, self.lines = rng, []
        self.objects = {"a": [1, None], "b": [2, None]}  # name -> value, next; None is null
        self.gone, self.made, self.sum = set(), 0, 0
        self.held = {name: None for name in POINTERS}
        self.at = "p0"  # what q points to

    def follow(self, address):
        if address is None or address in self.gone:
            raise End("valid-deref")
        return self.objects[address]

    def new(self, value, after):
        self.made += 1
        self.objects[self.made] = [value, after]
        return self.made

    def allocate(self):
        name, value, after = self.rng.choice(POINTERS), self.rng.randrange(9), self.rng.choice(POINTERS)
        self.lines.append(f"{{ list n = malloc(sizeof(struct node)); n->v = {value}; n->next = {after}; {name} = n; }}")
        self.held[name] = self.new(value, self.held[after])

    def push(self):
        value = self.rng.randrange(9)
        name = self.rng.choice(POINTERS + ("q",))
        self.lines.append(f"push({'q' if name == 'q' else '&' + name}, {value});")
        name = self.at if name == "q" else name
        self.held[name] = self.new(value, self.held[name])

    def build(self):
        name, count = self.rng.choice(POINTERS), self.rng.randrange(1, 3)
        self.lines.append(f"for (int i = 0; i < {count}; i++) {{ list n = malloc(sizeof *n); n->v = i; n->next = {name}; {name} = n; }}")
        for i in range(count):
            self.held[name] = self.new(i, self.held[name])

    def copy(self):
        to, other = self.rng.choice(POINTERS), self.rng.choice(POINTERS + ("0", "&a", "&b"))
        self.lines.append(f"{to} = {other};")
        self.held[to] = {"0": None, "&a": "a", "&b": "b"}.get(other) if other not in self.held else self.held[other]

    def advance(self):
        to, other = self.rng.choice(POINTERS), self.rng.choice(POINTERS)
        self.lines.append(f"{to} = {other}->next;")
        self.held[to] = self.follow(self.held[other])[1]

    def link(self):
        to, other = self.rng.choice(POINTERS), self.rng.choice(POINTERS)
        self.lines.append(f"{to}->next = {other};")
        self.follow(self.held[to])[1] = self.held[other]

    def read(self):
        name = self.rng.choice(POINTERS)
        self.lines.append(f"sum += {name}->v;")
        self.sum += self.follow(self.held[name])[0]

    def write(self):
        name, value = self.rng.choice(POINTERS), self.rng.randrange(9)
        self.lines.append(f"{name}->v = {value};")
        self.follow(self.held[name])[0] = value

    def release(self):
        name = self.rng.choice(POINTERS)
        self.lines.append(f"free({name});")
        address = self.held[name]
        if address in self.gone or isinstance(address, str):
            raise End("valid-free")
        if address is not None:
            self.gone.add(address)

    def redirect(self):
        self.at = self.rng.choice(POINTERS)
        self.lines.append(f"q = &{self.at};")

    def through(self):
        other = self.rng.choice(POINTERS)
        self.lines.append(f"*q = {other}; if (*q) sum++;")
        self.held[self.at] = self.held[other]
        self.sum += self.held[other] is not None

    def compare(self):
        one, two = self.rng.sample(POINTERS, 2)
        if self.held[one] in self.gone or self.held[two] in self.gone:
            return  # nobody knows
        self.lines.append(f"if ({one} == {two}) sum += 10;")
        self.sum += 10 * (self.held[one] == self.held[two])

    def guarded(self):
        name = self.rng.choice(POINTERS)
        self.lines.append(f"if ({name}) sum += {name}->v;")
        if self.held[name] is not None:
            self.sum += self.follow(self.held[name])[0]

    def variables(self):
        """By name, what pointers may point to."""
        self.lines.append("a.v += b.v;")
        self.objects["a"][0] += self.objects["b"][0]


STEPS = [Memory.allocate, Memory.push, Memory.build, Memory.copy, Memory.advance, Memory.link, Memory.read, Memory.write, Memory.release, Memory.redirect,
         Memory.through, Memory.compare, Memory.guarded, Memory.variables]


def program(seed):
    """The text, and what it violates."""
    m = Memory(random.Random(seed))
    end = None
    for _ in range(m.rng.randrange(4, 12)):
        held = [name for name in POINTERS if m.held[name] is not None and m.held[name] not in m.gone]
        step = m.rng.choice(STEPS)
        if not held and m.rng.random() < 0.8:
            step = m.rng.choice((Memory.allocate, Memory.push, Memory.build))
        try:
            step(m)
        except End as why:
            end = str(why)
            break
    if end:
        violated = {end}
    elif m.rng.random() < 0.3:
        m.lines.append(f"if (sum == {m.sum}) reach_error();")
        violated = {"unreach-call"}
    else:
        m.lines.append(f"if (sum != {m.sum}) reach_error();")
        violated = {"valid-memtrack"} if len(m.gone) < m.made else set()
    return HEAD + "".join(f"  {line}\n" for line in m.lines) + "  return 0;\n}\n", violated


def compiled(folder, path):
    """What the compiled program violates, as far as it says so."""
    binary, other = os.path.join(folder, "run"), write(folder, "error.c", "#include <stdlib.h>\nvoid reach_error(void) { _Exit(9); }\n")
    subprocess.run(["clang", "-w", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-o", binary, path, other], check=True)
    r = subprocess.run([binary], env={"ASAN_OPTIONS": "detect_leaks=0"}, capture_output=True, text=True, timeout=60)
    if r.returncode == 9:
        return {"unreach-call"}
    if "attempting double-free" in r.stderr or "attempting free on address" in r.stderr:
        return {"valid-free"}
    return {"valid-deref"} if r.returncode else set()


def compare(folder, seed):
    """None, or what is wrong; "unknown" if there is nothing to compare."""
    text, violated = program(seed)
    path = write(folder, f"p{seed}.c", text)
    said = compiled(folder, path)
    if said != violated - {"valid-memtrack"}:
        return f"seed {seed}: the compiled program violates {said}, and should {violated}\n{text}"
    r = whet("verify", path, "--quiet", "--trace", "off", "--work", "200000")
    found = dict(re.findall(r"^([\w-]+): (SAFE|UNSAFE|UNKNOWN)", r.out, re.MULTILINE))
    unsafe = {name for name, verdict in found.items() if verdict == "UNSAFE"}
    if not found or not unsafe <= violated or any(found.get(name) == "SAFE" for name in violated):
        return f"seed {seed}: {violated} is violated, but {r}\n{text}"
    return "unknown" if unsafe != violated else None


@case
def verdicts_are_those_of_the_compiled_program(folder):
    if not shutil.which("clang"):
        raise Skip("clang is not installed")
    found = [compare(folder, seed) for seed in range(FIRST, FIRST + PROGRAMS)]
    wrong = [what for what in found if what and what != "unknown"]
    assert not wrong, "\n".join(wrong)
    assert found.count("unknown") * 4 < PROGRAMS, f"{found.count('unknown')} of {PROGRAMS} are not decided"


if __name__ == "__main__":
    main()
