#!/usr/bin/python3
"""Words of scripts, as a dictionary for AFL++: script_dictionary.py FOLDER prints those of all files there, and some that no file may have."""
import os
import re
import sys

MORE = ["(push 1)", "(pop 1)", "|", "\\|", "\"\"", "#b1", "#xff", "(let ((x y))", "(_ bv1 8)", "1.5", "(! x :next y)", ":invar-property", ":live-property", "(declare-rel p (Int))",
        "99999999999999999999", "(as const (Array Int Int))", "(declare-datatypes ((t 0)) (((c (s t)) (d))))", "(check-sat)", "; \n"]


def main():
    words = set(MORE)
    for name in os.listdir(sys.argv[1]):
        with open(os.path.join(sys.argv[1], name), encoding="utf-8", errors="replace") as f:
            words.update(re.findall(r"[:\w!.@<>=+*/-]{2,30}", f.read()))
    for word in sorted(words):
        escaped = "".join(c if " " <= c <= "~" and c not in "\"\\" else f"\\x{ord(c):02x}" for c in word)
        print(f'"{escaped}"')


main()
