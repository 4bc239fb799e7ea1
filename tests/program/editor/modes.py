#!/usr/bin/python3
"""The files for editors: VS Code's client library against the server, and the modes of Vim and Emacs in those editors. Each is skipped by name if
its editor, or what npm installs for it, is not there."""
import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import *  # noqa: E402

EDITORS = os.path.join(ROOT, "editors")
FOLDER = lambda name: os.path.join(EDITORS, name)
MODEL = "// a counter\nvar x : 0..9 = 0\nprocess P {\n  states a, b\n  go: a -> b when x < 5\n}\nsafe small: x <= 9\n"


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


@case
def every_word_of_the_language_has_a_colour(folder):
    words = set(json.loads(whet("outline", write(folder, "m.whet", MODEL)).out)["words"])
    assert len(words) > 60, words
    grammar = json.loads(read(FOLDER("vscode"), "whet.tmLanguage.json"))
    coloured = {w for p in grammar["repository"]["words"]["patterns"] for w in re.fullmatch(r"\\b\((.*)\)\\b", p["match"]).group(1).split("|")}
    equal(coloured, words)
    vim = {w for line in re.findall(r"^syntax keyword \w+ (.*)$", read(FOLDER("vim"), "syntax", "whet.vim"), re.MULTILINE) for w in line.split()}
    equal(vim, words)
    lists = re.findall(r"\(defconst whet-[a-z-]+\s+'\(([^()]*)\)\)", read(FOLDER("emacs"), "whet-mode.el"))
    equal({w for one in lists for w in re.findall(r'"(\w+)"', one)}, words)


@case
def vs_code_understands_the_server(folder):
    if not shutil.which("node"):
        raise Skip("node is not installed")
    if not os.path.isdir(os.path.join(FOLDER("vscode"), "node_modules", "vscode-languageserver-protocol")):
        raise Skip("npm has not installed vscode-languageclient in editors/vscode")
    done = subprocess.run(["node", "test.js"], cwd=FOLDER("vscode"), capture_output=True, text=True, timeout=300, env={**os.environ, "WHET_PROGRAM": WHET})
    equal(done.returncode, 0, done.stdout + done.stderr)
    assert done.stdout.count("\nok ") >= 15, done.stdout
    equal(subprocess.run(["node", "--check", "extension.js"], cwd=FOLDER("vscode"), capture_output=True, text=True).stderr, "")


@case
def the_extension_declares_what_it_has(folder):
    package = json.loads(read(FOLDER("vscode"), "package.json"))
    version = re.search(r"version: '([\d.]+)'", read(ROOT, "meson.build")).group(1)
    equal(package["version"], version)
    program = read(FOLDER("vscode"), "extension.js")
    for command in package["contributes"]["commands"]:
        assert f'"{command["command"]}"' in program, command
    for setting in package["contributes"]["configuration"]["properties"]:
        assert f'get("{setting.split(".")[1]}")' in program, setting
    for path in (package["main"], package["contributes"]["grammars"][0]["path"], package["contributes"]["languages"][0]["configuration"]):
        assert os.path.exists(os.path.join(FOLDER("vscode"), path)), path


@case
def vim_knows_the_language(folder):
    if not shutil.which("vim"):
        raise Skip("vim is not installed")
    features = subprocess.run(["vim", "--version"], capture_output=True, text=True).stdout
    if "+eval" not in features or "+syntax" not in features:
        raise Skip("vim is built without syntax and eval")
    path = write(folder, "m.whet", MODEL.replace("  states", "states").replace("  go", "go"))
    wrong = write(folder, "wrong.whet", "var x : int\nsafe p: y\n")
    out = os.path.join(folder, "out")
    script = write(folder, "test.vim", f"""
set nocompatible
let g:whet_program = "{WHET}"
set runtimepath^={FOLDER("vim")}
filetype plugin indent on
syntax on
edit {path}
let lines = [&filetype, synIDattr(synID(2, 1, 1), "name"), synIDattr(synID(1, 4, 1), "name"), synIDattr(synID(2, 9, 1), "name"), &commentstring]
normal gg=G
call extend(lines, getline(1, "$"))
silent normal gggqG
call extend(lines, [string(getline(1, "$") == split(system(g:whet_program . " format {path}"), "\\n"))])
edit! {wrong}
silent! make
call extend(lines, map(filter(getqflist(), "v:val.valid"), {{_, e -> e.lnum . ":" . e.col . ": " . e.text}}))
call writefile(lines, "{out}")
qall!
""")
    done = subprocess.run(["vim", "-u", "NONE", "-N", "-es", "-S", script], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert os.path.exists(out), done.stdout + done.stderr
    lines = read(out).splitlines()
    equal(lines[:5], ["whet", "whetDeclaration", "whetLineComment", "whetNumber", "// %s"])
    equal(lines[5:12], MODEL.splitlines())
    equal(lines[12], "1")
    assert lines[13].startswith("2:9: the name `y` is not declared"), lines


@case
def emacs_knows_the_language(folder):
    if not shutil.which("emacs"):
        raise Skip("emacs is not installed")
    mode = os.path.join(FOLDER("emacs"), "whet-mode.el")
    compiled = write(folder, "whet-mode.el", read(mode))
    done = subprocess.run(["emacs", "-Q", "--batch", "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", compiled], capture_output=True, text=True, timeout=120)
    equal(done.returncode, 0, done.stderr)
    path = write(folder, "m.whet", MODEL.replace("  states", "states").replace("  go", "     go"))
    done = subprocess.run(["emacs", "-Q", "--batch", "-l", compiled + "c", "--eval", f"""
(progn
  (setq whet-program "{WHET}")
  (find-file "{path}")
  (indent-region (point-min) (point-max))
  (font-lock-ensure)
  (princ (format "%s\\n" major-mode))
  (goto-char (point-min)) (search-forward "var")
  (princ (format "%s\\n" (get-text-property (1- (point)) 'face)))
  (princ (buffer-substring-no-properties (point-min) (point-max)))
  (insert "     ")
  (whet-format)
  (goto-char (point-min)) (search-forward "var")
  (princ (buffer-substring-no-properties (line-beginning-position) (line-end-position))))"""], capture_output=True, text=True, timeout=120)
    equal(done.returncode, 0, done.stderr)
    lines = done.stdout.splitlines()
    equal(lines[:2], ["whet-mode", "font-lock-keyword-face"])
    equal(lines[2:-1], MODEL.splitlines())
    equal(lines[-1], "var      x : 0..9 = 0")


if __name__ == "__main__":
    main()
