"""Many random C programs (c_programs.py) as one file: compiled, run and interpreted together, which costs a tenth of one at a time.

What a program declares at the level of the file gets its seed as an ending; inputs are the values to which they are pinned. Each runs in a process of its own."""
import copy
import os
import re
import subprocess

import c_programs
from c_interpreter import Run
from c_tree import NotRead, Program

NAMES = re.compile(r"\b(main|g\d|f\d|r\d|a|s|in|out|u|v|m|A|B|C|e|pe|w|two|turned|sum|up|down|way|now|kept0|kept1|words|said|fill|find|b|c|h|q|t|one)\b")
SECONDS = 20
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
RUNS = """int main(void) {{
  static int (*const programs[])(void) = {{{names}}};
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {{
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return 1;
    if (!child) {{
      alarm({seconds});
      programs[i]();
      fflush(stdout);
      _exit(0);
    }}
    if (waitpid(child, &status, 0) != child) return 1;
    printf("%s\\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "late" : status ? "undefined" : "end");
  }}
  return 0;
}}
"""


def renamed(seed, text):
    return NAMES.sub(rf"\g<0>_{seed}", text)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def runs(path, program, *words):
    """What each program writes, and how it ends."""
    subprocess.run([*words, "-w", "-o", program, path], check=True, capture_output=True)
    done = subprocess.run([program], capture_output=True, text=True, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}, check=True)
    os.remove(program)
    return re.findall(r"((?:[01] \d+\n)*)(end|undefined|late)\n", done.stdout)


def values_of(lines):
    return [int(value) - (2**64 if sign == "1" else 0) for sign, value in (line.split() for line in lines.splitlines())]


def printed(seed):
    _, _, looked = c_programs.parts(seed)
    tail = "".join(f'  printf("%d %llu\\n", {name} < 0, (unsigned long long)({name}));\n' for name in looked)
    return renamed(seed, c_programs.pinned(c_programs.source(seed, tail)))


def outcomes(seeds, folder):
    """By seed, the values at the end, or None if the run does something undefined. Clang's checks come before its optimisations; gcc's miss an overflow in
    `short *= int`, so gcc says the values only. All seeds are of one kind: with arrays of any length or without."""
    seeds = list(seeds)
    names = ", ".join(f"main_{seed}" for seed in seeds)
    text = HEAD + "#include <signal.h>\n" + "".join(printed(seed) for seed in seeds) + RUNS.format(names=names, seconds=SECONDS)
    path, program = write(folder, "batch.c", text), os.path.join(folder, "batch")
    checks = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all"] if c_programs.follows_pointers(seeds[0]) else ["-fsanitize=undefined", "-fsanitize-trap=undefined"]
    careful = runs(path, program, "clang", "-O0", *checks)
    try:
        plain = runs(path, program, "cc", "-O1")
    except subprocess.CalledProcessError as failed:
        if b"internal compiler error" not in failed.stderr:
            raise
        plain = runs(path, program, "clang", "-O1")
    assert len(careful) == len(plain) == len(seeds), f"{len(careful)} and {len(plain)} of {len(seeds)} programs were run"
    found = {}
    for seed, (lines, end), (again, _) in zip(seeds, careful, plain):
        assert end != "late", f"seed {seed}: runs for more than {SECONDS} s"
        assert end != "end" or lines == again, f"seed {seed}: two compilers disagree"
        found[seed] = values_of(lines) if end == "end" else None
    return found


def interpreted(values, folder):
    """By seed, how the interpreter of clang's tree ends: "end" if every variable has the values that are given, "unreach-call" if one has not, or what is undefined;
    or why it has nothing to say."""
    text = "".join(renamed(seed, c_programs.without_inputs(c_programs.checked(seed, given))) for seed, given in values.items())
    program = Program(write(folder, "interpreted.c", text))
    found = {}
    for seed in values:
        one = copy.copy(program)
        one.functions = {name: f for name, f in program.functions.items() if name.endswith(f"_{seed}")}
        one.functions["main"] = one.functions[f"main_{seed}"]
        one.globals = [node for node in program.globals if node["name"].endswith(f"_{seed}")]
        try:
            found[seed] = Run(one, lambda name, low, high: 0).outcome()
        except NotRead as what:
            found[seed] = f"not read: {what}"
    return found
