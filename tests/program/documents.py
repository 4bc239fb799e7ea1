#!/usr/bin/python3
"""The man page, the completions and the public header, made from and held to the same tables."""
import os
import re
import shlex
import shutil
import subprocess

from harness import *


def document(name):
    r = whet("--document", name)
    equal((r.status, r.err), (0, ""), r)
    return r.out


def options_of(command):
    return set(re.findall(r"^ +(?:-[a-zA-Z], )?--([a-z-]+)", whet("help", command).out, re.MULTILINE))


def table(name, pattern):
    """The rows of a table of the sources, which everything else is made from."""
    with open(os.path.join(ROOT, "src", name), encoding="utf-8") as f:
        rows = re.findall(pattern, f.read(), re.MULTILINE)
    assert len(rows) >= 3, name
    return rows


def option_rows():
    """Name, letter, commands and engines of every option."""
    rows = table("base/options.def", r'^OPTION_\w+ \(\w+, "([a-z-]+)", (0|\'.\'),.*"([a-z -]+)", "([a-z -]*)", "[^"]*"\)$')
    return [(name, letter.strip("'") if letter != "0" else None, set(of.split()), set(engines.split())) for name, letter, of, engines in rows]


def engine_rows():
    return [name.replace("_", "-") for name in table("engine/engines.def", r"^ENGINE \((\w+)\)$")]


def ending_rows():
    return table("input/languages.def", r'^LANGUAGE\("(\.\w+)"')


@case
def documents_know_all_that_the_tables_have(folder):
    page = re.sub(r"\\&", "", document("man"))
    sections = dict(re.findall(r"^\.Ss whet (\w+).*\n((?:(?!\.S[hs] ).*\n)*)", page, re.MULTILINE))
    equal(sorted(sections), sorted(commands()))
    options = option_rows()
    assert len(options) > 30, options
    for command in commands():
        wanted = {name for name, _, of, _ in options if command in of}
        equal(set(re.findall(r"^\.It .*?Fl Fl ([a-z-]+)", sections[command], re.MULTILINE)), wanted, command)
        equal(options_of(command), wanted, command)
    for name, letter, of, engines in options:
        for command in of:
            entry = re.search(rf"^\.It (.*)Fl Fl {name}(?: .*)?\n((?:(?!\.It|\.El).*\n)*)", sections[command], re.MULTILINE)
            equal(entry.group(1), f"Fl {letter} , " if letter else "", name)
            said = re.search(r"^\(of (.*)\)$", entry.group(2), re.MULTILINE)
            equal(set(said.group(1).split()) if said else set(), engines, name)
    engines = ["auto", *engine_rows()]
    equal(re.findall(r"^\.It Cm (.*)$", page, re.MULTILINE), engines)
    equal(re.findall(r"^([a-z-]+):", whet("engines").out, re.MULTILINE), engines)
    equal(re.findall(r"^\.It Pa (.*)$", page, re.MULTILINE), ending_rows())
    equal(re.findall(r"^  (\.\w+) ", whet("help").out, re.MULTILINE), ending_rows())
    for shell in ("bash", "zsh"):
        assert " ".join(engines) in document(shell), shell
        assert "|".join(e[1:] for e in ending_rows()) in document(shell), shell
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    for word in engines + ending_rows():
        assert f"`{word}`" in readme, f"README.md does not say {word}"


@case
def the_man_page_is_clean(folder):
    if not shutil.which("mandoc"):
        raise Skip("mandoc is not installed")
    page = write(folder, "whet.1", document("man"))
    lint = subprocess.run(["mandoc", "-Tlint", "-Wstyle", page], capture_output=True, text=True)
    equal(lint.stdout, "")
    shown = subprocess.run(["mandoc", "-Tascii", page], capture_output=True, text=True).stdout
    shown = re.sub(r".\x08", "", shown)
    for command in commands():
        for option in options_of(command):
            assert f"--{option}" in shown, option


@case
def bash_completes(folder):
    if not shutil.which("bash"):
        raise Skip("bash is not installed")
    script = write(folder, "whet.bash", document("bash"))

    def complete(*words, at=None):
        quoted = " ".join(f"'{w}'" for w in words)
        program = f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1 if at is None else at}; _whet; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, cwd=folder)
        equal(done.stderr, "")
        return set(done.stdout.split())

    equal(complete("whet", "ver"), {"verify"})
    equal(complete("whet", "verify", "--order", ""), {"bfs", "dfs"})
    equal(complete("whet", "verify", "--engine", "expl"), {"explicit"})
    equal(complete("whet", "verify", "--time"), {"--timeout"})
    equal(complete("whet", "show", "--time"), set())
    equal(complete("whet", "verify", "--engine", "alpha,expl"), {"alpha,explicit"})
    equal(complete("whet", "verify", "-e", "alpha,cegar,cg"), {"alpha,cegar,cgr", "alpha,cegar,cgr-dual"})
    equal(complete("whet", "verify", "--order", "=", "b"), {"bfs"})
    equal(complete("whet", "quotient", "--to", ""), {"aut", "dot", "json"})
    equal(complete("whet", "abstract", "--to", ""), {"whet", "smv", "promela", "aut", "dot", "json"})
    equal(complete("whet", "invariants", "--to", ""), {"text", "json"})
    equal(complete("whet", "invariants", "--form", ""), {"nested", "clauses"})
    equal(complete("whet", "verify", "-t", ""), set())
    write(folder, "p.whet", "var x : int = 0\nsafe mutex: x >= 0\nsafe more: x < 5\nltl live: F x = 0\n")
    equal(complete(WHET, "verify", "p.whet", "-p", ""), {"mutex", "more", "live"})
    equal(complete(WHET, "verify", "p.whet", "--property", "m"), {"mutex", "more"})
    equal(complete(WHET, "verify", "-p", "live,mu", "p.whet", at=3), {"live,mutex"})
    equal(complete(WHET, "verify", "-p", ""), set())
    os.remove(os.path.join(folder, "p.whet"))
    for name in ("m.whet", "m.smt2", "m.vmt", "m.c", "m.i", "m.txt"):
        write(folder, name, "")
    os.mkdir(os.path.join(folder, "models"))
    equal(complete("whet", "verify", "m"), {"m.whet", "m.smt2", "m.vmt", "m.c", "m.i", "models"})
    equal(complete("whet", "verify", "--json", "whet."), {"whet.bash"})
    equal(complete("whet", "check", "m.whet", "m.t"), {"m.txt"})
    for command in commands():
        equal({o[2:] for o in complete("whet", command, "--")} - {"help"}, options_of(command))


@case
def zsh_completion_is_well_formed(folder):
    content = document("zsh")
    assert content.startswith("#compdef whet\n"), content
    for option in options_of("verify"):
        assert re.search(rf"(?:'--{option}|,--{option}}}')\[", content), option
    if not shutil.which("zsh"):
        raise Skip("zsh is not installed")
    equal(subprocess.run(["zsh", "-n", write(folder, "_whet", content)], capture_output=True, text=True).stderr, "")


@case
def every_option_is_of_a_command_and_of_engines_that_exist(folder):
    with open(os.path.join(ROOT, "src", "base", "options.def"), encoding="utf-8") as f:
        rows = re.findall(r'^OPTION_\w+ \(.*"([a-z -]+)", "([a-z -]*)", "[^"]*"\)$', f.read(), re.MULTILINE)
    engines = set(re.findall(r"^([a-z-]+):", whet("engines").out, re.MULTILINE))
    assert len(rows) > 10, rows
    for of_commands, of_engines in rows:
        assert set(of_commands.split()) <= set(commands()), of_commands
        assert set(of_engines.split()) <= engines, of_engines


def blocks_of(path):
    """The indented blocks of a text, without their indentation."""
    blocks = [[]]
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("    ") or (line == "\n" and blocks[-1]):
                blocks[-1].append(line[4:] if line != "\n" else line)
            elif blocks[-1]:
                blocks.append([])
    return ["".join(block).strip("\n") + "\n" for block in blocks if block]


@case
def the_readme_shows_what_happens(folder):
    blocks = blocks_of(os.path.join(ROOT, "README.md"))
    first = next(block for block in blocks if block.startswith("// A car park"))
    fixed = first.replace("enter: free ->", "enter: free && inside < PLACES ->")
    shown = "".join(block for block in blocks if block.startswith("$ "))
    turns = re.findall(r"^\$ build/whet (.*)\n((?:[^$].*\n)+)", shown, re.MULTILINE)
    equal(len(turns), 5, shown)
    program = next(block for block in blocks if block.startswith("#include"))
    for i, changed in enumerate((program, program.replace("n < 0", "n < 0 || n > 1000"))):
        write(folder, "double.c", changed)
        r = whet(*shlex.split(turns[i][0]), cwd=folder)
        equal(r.out, turns[i][1], r)
    for i, (command, output) in enumerate(turns[2:]):
        if "cvc5" in command and not shutil.which("cvc5"):
            raise Skip("cvc5 is not installed")
        write(folder, "first.whet", fixed if i else first)
        r = whet(*shlex.split(command), cwd=folder)
        equal(r.out, output, r)


@case
def the_tutorial_shows_what_happens(folder):
    """Its commands are run by a shell, in their order, in a folder with the models that it shows."""
    if not shutil.which("z3"):
        raise Skip("z3 is not installed")
    blocks = blocks_of(os.path.join(ROOT, "docs", "tutorial.md"))
    models = {m.group(1): block for block in blocks if (m := re.match(r"// (\w+\.whet):", block))}
    equal(sorted(models), ["door.whet", "live.whet", "ticket.whet"])
    models["typo.whet"] = next(block for block in blocks if block.startswith("var counter"))
    for name, content in models.items():
        write(folder, name, content)
    os.symlink(WHET, os.path.join(folder, "whet"))
    turns = [turn for block in blocks for turn in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE)]
    equal(len(turns), 15, turns)
    for command, output in turns:
        done = subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT if "typo" in command else subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL, timeout=300, env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
        if "simulate" in command:
            equal(len(done.stdout.splitlines()), 4, done.stdout)
        else:
            equal(done.stdout, output, f"{command}\n{done.stderr}")


@case
def the_page_of_examples_shows_what_happens_and_names_all(folder):
    path = os.path.join(EXAMPLES, "README.md")
    with open(path, encoding="utf-8") as f:
        content = f.read()
    equal(sorted(re.findall(r"\]\(([^)]+)\)", content)), examples())
    turns = re.findall(r"^\$ build/whet (.*)\n((?:[^$].*\n)+)", "".join(blocks_of(path)), re.MULTILINE)
    equal(len(turns), 3)
    for command, output in turns:
        r = whet(*shlex.split(command), "--quiet", cwd=ROOT)
        equal(r.out, output, r)


@case
def links_between_documents_lead_somewhere(folder):
    documents = [os.path.join(ROOT, name) for name in os.listdir(ROOT) if name.endswith(".md")]
    documents += [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(ROOT, "docs")) for name in names if name.endswith(".md")]
    for path in documents:
        with open(path, encoding="utf-8") as f:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", f.read()):
                assert os.path.exists(os.path.join(os.path.dirname(path), target)), f"{path}: {target}"


@case
def nothing_refers_to_what_readers_do_not_have(folder):
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if files.returncode:
        raise Skip("not in a git repository")
    private = re.compile(r"\bpaper 0\d\d\b|\bour notes\b|of the notes on|(?<![\w-])issue \d", re.IGNORECASE)
    found = []
    for name in files.stdout.split("\n"):
        path = os.path.join(ROOT, name)
        if name and os.path.isfile(path) and "data/fuzz/corpus" not in name and path != os.path.abspath(__file__):
            with open(path, encoding="utf-8", errors="replace") as f:
                found += [f"{name}:{number}: {line.strip()[:100]}" for number, line in enumerate(f, 1) if private.search(line)]
    equal(found, [])


CLIENT = r"""
#include <stdio.h>
#include <string.h>
#include <whet/whet.h>

int main(void) {
  static const char text[] = "var x : 0..3 = 0\naction up: x < 3 -> x := x + 1\nsafe small: x <= 3\nsafe tiny: x <= 1\n";
  char *error = NULL;
  whet_model *m = whet_model_read_text("inline.whet", text, strlen(text), &error);
  if (!m) { fputs(error, stderr); return 1; }
  whet_options *o = whet_options_new();
  char *wrong = whet_options_set(o, "threads", "1000");
  if (!wrong) return 2;
  whet_free(wrong);
  whet_run *r = whet_run_new(m, o, &error);
  if (!r) return 3;
  const whet_result *one;
  while ((one = whet_run_next(r)) != NULL)
    printf("%s %d %d\n", whet_result_property(one), (int)whet_result_verdict(one), (int)whet_result_checked(one));
  whet_run_free(r);
  whet_options_free(o);
  whet_model_free(m);
  return 0;
}
"""


@case
def the_public_header_serves_c_and_cpp_through_pkg_config(folder):
    if SANITIZED:
        raise Skip("the plain build installs")
    prefix = os.path.join(folder, "prefix")
    done = subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", prefix], capture_output=True, text=True)
    equal(done.returncode, 0, done.stderr)
    found = subprocess.run(["find", prefix, "-name", "whet.pc"], capture_output=True, text=True).stdout.strip()
    assert found, "no whet.pc was installed"
    names = subprocess.run(["find", prefix, "-type", "f", "-o", "-type", "l"], capture_output=True, text=True).stdout
    for name in ("bin/whet", "whet/whet.h", "man1/whet.1", "bash-completion/completions/whet", "site-functions/_whet", "libwhet.a", "libwhet.so"):
        assert name in names, (name, names)
    environment = {**os.environ, "PKG_CONFIG_PATH": os.path.dirname(found), "PKG_CONFIG_SYSROOT_DIR": prefix}
    library = os.path.dirname(os.path.dirname(found))
    for compiler, source, standard in (("cc", "client.c", "-std=c17"), ("cc", "client.c", "-std=c99"), ("c++", "client.cc", "-std=c++17")):
        if not shutil.which(compiler):
            raise Skip(f"{compiler} is not installed")
        path, program = write(folder, source, CLIENT), os.path.join(folder, "client")
        for kind in ([], ["--static"]):
            flags = subprocess.run(["pkg-config", "--cflags", "--libs", *kind, "whet"], capture_output=True, text=True, env=environment)
            equal(flags.returncode, 0, flags.stderr)
            made = subprocess.run([compiler, standard, "-Wall", "-Wextra", "-Werror", "-pedantic", path, "-o", program, *flags.stdout.split()], capture_output=True, text=True)
            equal(made.returncode, 0, made.stderr)
            run = subprocess.run([program], capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": library})
            equal((run.returncode, run.stdout), (0, "small 1 1\ntiny 2 1\n"), run.stderr)


@case
def only_the_public_names_are_exported(folder):
    if SANITIZED:
        raise Skip("the plain build has no other names")
    names = subprocess.run(["nm", "-D", "--defined-only", os.path.join(BUILD, "libwhet.so")], capture_output=True, text=True, check=True).stdout.split("\n")
    exported = {line.split()[2] for line in names if len(line.split()) == 3}
    declared = set(re.findall(r"WHET_API [^;(]*?\*?(whet_\w+)\(", open(os.path.join(ROOT, "include/whet/whet.h")).read()))
    equal(exported, declared)


main()
