#!/usr/bin/python3
"""Wrong usage and wrong input: one line that says what and what would be right, status 2, nothing on standard output."""
import json
import os
import re
import subprocess

from harness import *

MODEL = "var x : 0..3 = 0\naction up: x < 3 -> x := x + 1\nsafe small: x <= 3\n"


def refused(result, *words):
    equal(result.status, 2, result)
    equal(result.out, "", result)
    equal(len(result.err.splitlines()), 1, result)
    for word in words:
        assert word in result.err, f"'{word}' is not said: {result}"


@case
def no_command_shows_the_commands(folder):
    r = whet()
    equal(r.status, 2, r)
    equal(r.out, "", r)
    assert "verify MODEL" in r.err, r


@case
def unknown_commands(folder):
    refused(whet("verfy"), "verfy", "verify")
    refused(whet("xyzzy"), "xyzzy", ", ".join(commands()))
    refused(whet("--timeout", "3"), "verify")
    refused(whet("help", "verfy"), "verfy", "verify")
    model = write(folder, "m.whet", MODEL)
    refused(whet(model), "whet verify")


@case
def unknown_options(folder):
    model = write(folder, "m.whet", MODEL)
    refused(whet("verify", model, "--tiemout", "3"), "--tiemout", "--timeout")
    refused(whet("verify", model, "--xyzzy"), "--xyzzy", "whet help verify")
    refused(whet("verify", model, "-Z"), "-Z")
    refused(whet("verify", model, "--steps", "3"), "--steps", "simulate")
    refused(whet("show", model, "-t", "3"), "--timeout", "verify")


@case
def several_models_in_one_call(folder):
    good, bad = write(folder, "good.whet", MODEL), write(folder, "bad.whet", MODEL.replace("x <= 3", "x <= 1"))
    slow = write(folder, "open.whet", MODEL.replace("x <= 3", "x != 2"))
    alone = [whet("verify", "--quiet", path) for path in (good, bad)]
    r = whet("verify", "good.whet", "bad.whet", "--quiet", "--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif", "--certificate", "r.cert", cwd=folder)
    equal((r.status, r.err), (10, ""), r)
    equal(r.out, "good.whet: " + alone[0].out + "bad.whet: " + alone[1].out)
    for name, verdict in (("good", "safe"), ("bad", "unsafe")):
        with open(os.path.join(folder, f"r.{name}.whet.json"), encoding="utf-8") as f:
            found = json.load(f)
        equal((found["model"], [p["verdict"] for p in found["properties"]]), (f"{name}.whet", [verdict]))
        for ending in ("xml", "sarif"):
            with open(os.path.join(folder, f"r.{name}.whet.{ending}"), encoding="utf-8") as f:
                assert f"{name}.whet" in f.read(), (name, ending)
        equal(whet("check", os.path.join(folder, f"{name}.whet"), os.path.join(folder, f"r.{name}.whet.cert")).status, 0, name)
    # the worst status: usage, an error, violated, undecided
    wrong = write(folder, "wrong.whet", "safe p: y")
    for models, status in (((good,), 0), ((good, slow), 10), ((wrong, good), 2), ((bad, wrong), 2)):
        equal(whet("verify", "--quiet", *models).status, status, models)
    r = whet("verify", "--quiet", wrong, good)
    assert "not declared" in r.err and f"{good}: small: SAFE\n" == r.out, r
    equal(whet("verify", "--quiet", "--engine", "kind", "--work", "1", good, slow).status, 20)
    refused(whet("verify", good, good), "twice")
    refused(whet("verify", good, bad, "--junit", "-"), "--junit", "one model")
    refused(whet("verify", good, write(folder, "t.yml", "")), "t.yml", "batch")


@case
def arguments_that_are_missing_or_wrong(folder):
    model = write(folder, "m.whet", MODEL)
    refused(whet("verify"), "model is missing", "whet verify MODEL")
    refused(whet("check", model), "certificate is missing", "whet check MODEL CERTIFICATE")
    refused(whet("show", model, "more"), "more")
    refused(whet("engines", "more"), "more")
    refused(whet("verify", model, "--timeout"), "--timeout S")
    refused(whet("verify", model, "--timeout", "--quiet"), "--timeout S")
    refused(whet("verify", model, "-t"), "--timeout S")
    refused(whet("verify", model, "--timeout", "soon"), "soon", "seconds")
    refused(whet("verify", model, "--timeout=-1"), "-1", "seconds")
    refused(whet("verify", model, "--threads", "0"), "1 to 64")
    refused(whet("verify", model, "--threads", "65"), "1 to 64")
    refused(whet("verify", model, "--order", "sideways"), "sideways", "bfs|dfs")
    refused(whet("verify", model, "--quiet=yes"), "takes no argument")
    refused(whet("simulate", model, "--steps", "99999999999"), "1000000")


@case
def unknown_engines_and_properties(folder):
    model = write(folder, "m.whet", MODEL)
    refused(whet("verify", model, "--engine", "explicti"), "explicti", "explicit")
    refused(whet("verify", model, "--engine", "zzzzzzzz"), "zzzzzzzz", "explicit")
    refused(whet("verify", model, "--engine", ""), "explicit")
    refused(whet("verify", model, "--engine", "explicit,"), "explicit")
    refused(whet("verify", model, "--property", "smal"), "smal", "small")
    refused(whet("verify", model, "--property", "small,qqqqqqq"), "qqqqqqq", "small")


@case
def options_that_no_engine_of_the_run_knows(folder):
    model = write(folder, "m.whet", MODEL)
    refused(whet("verify", model, "--engine", "cegar", "--lane", "all"), "--lane", "cegar", "widen")
    refused(whet("verify", model, "--engine", "cegar,alpha", "--threads", "1"), "--threads", "explicit")
    for words in (["--lane", "boxes"], ["--engine", "auto", "-j2"], ["--engine", "cegar,explicit", "-j2", "--jobs", "1"], ["--engine", "widen", "--lane", "boxes"], ["--engine", "explicit", "--jobs", "2"]):
        equal(whet("verify", model, *words).status, 0, words)


@case
def files_that_are_no_certificates(folder):
    model = write(folder, "m.whet", MODEL)
    for content in (MODEL, "{}", "[1, 2", "(define-fun", "mutex: SAFE\n", "\n\n\0", '{"#meta": 3}', "; whet certificate 1\n(set-info"):
        path = write(folder, "c", content)
        r = whet("check", model, path)
        refused(r)
        assert re.match(re.escape(path) + r":\d+:\d+: ", r.err), r


@case
def files_that_are_no_models(folder):
    refused(whet("verify", os.path.join(folder, "none.whet")), "none.whet")
    refused(whet("verify", folder), folder)
    refused(whet("verify", write(folder, "empty.whet", "")), "empty.whet")
    refused(whet("verify", write(folder, "model.xyz", MODEL)), "model.xyz")
    refused(whet("show", os.path.join(folder, "none.whet")), "none.whet")
    refused(whet("simulate", folder), folder)


@case
def a_model_without_properties(folder):
    model = write(folder, "m.whet", "var x : bool = false\naction flip: true -> x := !x\n")
    refused(whet("verify", model), "no property", "safe NAME")
    equal(whet("show", model).status, 0)


@case
def errors_in_a_model(folder):
    model = write(folder, "m.whet", "var x : int = 0\nsafe s: y > 0\n")
    for command in ("verify", "show", "simulate"):
        r = whet(command, model)
        equal(r.status, 2, r)
        equal(r.out, "", r)
        assert "m.whet:2:9: error:" in r.err, r


@case
def certificates_that_are_no_files(folder):
    model = write(folder, "m.whet", MODEL)
    refused(whet("check", model, os.path.join(folder, "none.smt2")), "none.smt2")
    refused(whet("check", model, folder), folder)
    refused(whet("check", model, write(folder, "empty.smt2", "")), "empty.smt2")


@case
def files_that_cannot_be_written(folder):
    model = write(folder, "m.whet", MODEL)
    for option in ("--json", "--certificate", "--save-predicates"):
        refused(whet("verify", model, option, os.path.join(folder, "none", "file")), "none/file")
        refused(whet("verify", model, option, folder), folder)
    refused(whet("verify", model, "--predicates", os.path.join(folder, "none")), "none")


@case
def help_and_version(folder):
    r = whet("--version")
    equal((r.status, r.err), (0, ""), r)
    assert r.out.startswith("whet "), r
    general = whet("--help")
    equal((general.status, general.err), (0, ""), general)
    equal(whet("help").out, general.out)
    assert {"verify", "check", "show", "simulate", "engines"} <= set(commands())
    for command in commands():
        assert f"  {command}" in general.out, general
        r = whet("help", command)
        equal((r.status, r.err), (0, ""), r)
        equal(whet(command, "--help").out, r.out)
        assert f"usage: whet {command}" in r.out and "exit status:" in r.out, r
        assert max(map(len, r.out.splitlines())) <= 100, r
    assert "--timeout S" in whet("help", "verify").out
    assert "--order bfs|dfs" in whet("help", "verify").out


@case
def options_in_all_their_forms(folder):
    model = write(folder, "m.whet", MODEL)
    for words in (["--timeout", "9"], ["--timeout=9"], ["-t", "9"], ["-t9"], ["-qt9"], ["-qv"], ["--order=dfs"], ["-j2"]):
        for line in (["verify", *words, model], ["verify", model, *words]):
            r = whet(*line)
            equal((r.status, r.out), (0, "small: SAFE\n"), r)
    write(folder, "-m.whet", MODEL)
    equal(whet("verify", "--", "-m.whet", cwd=folder).status, 0)


@case
def engines_are_listed(folder):
    r = whet("engines")
    equal((r.status, r.err), (0, ""), r)
    assert "explicit:" in r.out and "--order bfs|dfs" in r.out, r


@case
def a_closed_output_is_no_success(folder):
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    with open("/dev/full", "w") as full:
        process = subprocess.run([WHET, "--help"], stdout=full, stderr=subprocess.PIPE)
    equal(process.returncode, 1)


@case
def closed_streams_do_no_harm(folder):
    model, results = write(folder, "m.whet", "var x : 0..3 = 0\naction a: x < 3 -> x := x + 1\nsafe s: x < 4\n"), os.path.join(folder, "j")
    for streams in ("<&-", "<&- 2>&-", ">&-", "<&- >&- 2>&-"):
        process = subprocess.run(["sh", "-c", f'exec "$0" verify "$1" --json "$2" {streams}', WHET, model, results], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        equal(process.returncode, 1 if " >&-" in f" {streams}" else 0, streams)
        with open(results) as f:
            equal([p["verdict"] for p in json.load(f)["properties"]], ["safe"], streams)


@case
def constants_are_set_from_outside(folder):
    model = write(folder, "m.whet", "const N = 3\nconst ON : bool\nconst K, L : int\nvar x : 0..10 = 0\naction up: x < N && ON -> x := x + 1\nsafe small: x <= 4\n")
    equal(whet("verify", model, "-q").out, "small: SAFE\n")
    r = whet("verify", model, "-q", "-D", "N=6", "-D", "ON=true", "--trace", "off")
    equal((r.status, r.out), (10, "small: UNSAFE\n"), r)
    r = whet("verify", model, "-q", "-D", "N=6", "-D", "ON=false", "--trace", "off")
    equal((r.status, r.out), (0, "small: SAFE\n"), r)
    equal(whet("verify", model, "-q", "-D", "N=-2", "-D", "ON=true").out, "small: SAFE\n")
    refused(whet("verify", model, "-D", "M=6"), "the model has no constant `M`")
    refused(whet("verify", model, "-D", "N"), "write -D N=5")
    equal(whet("verify", model, "-D", "N=true").status, 2)
    refused(whet("verify", model, "-D", "K=1"), "a `const` of its own")

main()
