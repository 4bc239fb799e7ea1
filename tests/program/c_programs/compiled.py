"""Small C programs, and what they do when clang has compiled them with its checks."""
import os
import re
import subprocess

from harness import equal, whet, write

HEAD = "#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
HARNESS = "#include <stdlib.h>\nvoid reach_error(void) { exit(9); }\nint __VERIFIER_nondet_int(void) { return atoi(getenv(\"INPUT\")); }\n"


def text_of(before, body):
    return f"{HEAD}{before}\nint main(void) {{\n{body}\nreturn 0; }}\n"


def verdicts(result):
    return dict(re.findall(r"^([\w-]+): (SAFE|UNSAFE|UNKNOWN)", result.out, re.MULTILINE))


def runs_well(folder, path, inputs, leaks=True):
    """With each of the inputs the program ends and does nothing that is undefined."""
    program, other = os.path.join(folder, "run"), write(folder, "inputs.c", HARNESS)
    subprocess.run(["clang", "-w", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-o", program, path, other], check=True)
    for value in inputs:
        r = subprocess.run([program], env={"INPUT": str(value), "ASAN_OPTIONS": f"detect_leaks={int(leaks)}"}, capture_output=True, text=True, timeout=60)
        equal((r.returncode, r.stderr), (0, ""), f"input {value}")


def agree(folder, programs):
    """Of each program (before main, the body of main, what is violated): the verdicts, and that the compiled program comes to each error, or to none."""
    for before, body, violated in programs:
        path = write(folder, "p.c", text_of(before, body))
        r = whet("verify", path, "--quiet", "--confirm")
        found = verdicts(r)
        equal({name for name, verdict in found.items() if verdict != "SAFE"}, violated, f"{body}\n{r}")
        equal(len(found), 4, f"{body}\n{r}")
        for name in violated:
            assert f"note: {name}: confirmed" in r.err, f"{body}\n{r}"
        if not violated:
            runs_well(folder, path, (0, 1, 2, -3, 7))


def are_refused(folder, programs):
    """Each (before main, the body of main, part of the message), with a place."""
    for before, body, message in programs:
        r = whet("verify", write(folder, "p.c", text_of(before, body)))
        equal((r.status, r.out), (2, ""), f"{body}\n{r}")
        assert re.match(r"\S+p\.c:\d+:\d+: error: ", r.err) and message in r.err, f"{body}\n{r}"
