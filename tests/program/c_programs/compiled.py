"""Small C programs, and what they do when clang has compiled them with its checks."""
import os
import re
import subprocess

from harness import equal, write

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
