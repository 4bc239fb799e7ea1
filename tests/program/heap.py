#!/usr/bin/python3
"""List programs as users meet them: verdicts, the repair that Gulavani, Rajamani 2006 describes, traces, certificates, graphs."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tap
from harness import DATA, ROOT, WHET
from tap import check


def whet(*words):
    return subprocess.run([WHET, *words], capture_output=True, text=True, timeout=3000)


def verify(path, *options):
    """The properties by name."""
    done = whet("verify", path, "--json", "-", "--quiet", *options)
    try:
        return {p["name"]: p for p in json.loads(done.stdout)["properties"]}
    except (json.JSONDecodeError, KeyError):
        return {"": {"verdict": f"exit {done.returncode}: {done.stderr}", "iterations": [], "checked": False}}


def expectations(path):
    with open(path, encoding="utf-8") as f:
        return re.findall(r"^// expect ([\w-]+): (\w+)", f.read(), re.M)


def model(name):
    folder = "models/heap" if os.path.exists(f"{DATA}/models/heap/{name}.whet") else "lists"
    return f"{DATA}/{folder}/{name}.whet"


def verdicts_are_as_expected():
    for path in sorted(glob.glob(f"{DATA}/models/heap/*.whet") + glob.glob(f"{DATA}/lists/*.whet")):
        results = verify(path)
        wrong = [f"{name}: {results.get(name, {}).get('verdict')}, not {verdict}" for name, verdict in expectations(path)
                 if results.get(name, {}).get("verdict") != verdict.lower() or not results[name]["checked"]]
        check(os.path.basename(path), expectations(path) and not wrong, "; ".join(wrong))


def explicit_finds_the_bugs():
    for path in sorted(glob.glob(f"{DATA}/models/heap/*.whet") + glob.glob(f"{DATA}/lists/*.whet")):
        results = verify(path, "--engine", "explicit")
        wrong = [name for name, verdict in expectations(path)
                 if results[name]["verdict"] != ("unsafe" if verdict == "UNSAFE" else "unknown")
                 and results[name]["verdict"] != verdict.lower()]
        if wrong:
            return check("explicit says the same, or nothing", False, f"{path}: {wrong}")
    check("explicit says the same, or nothing", True)


def alpha_decides_all():
    for path in sorted(glob.glob(f"{DATA}/models/heap/*.whet") + glob.glob(f"{DATA}/lists/*.whet")):
        results = verify(path, "--engine", "alpha")
        wrong = [name for name, verdict in expectations(path)
                 if results[name]["verdict"] != verdict.lower() or not results[name]["checked"]]
        if wrong:
            return check("alpha decides every property", False, f"{path}: {wrong}")
    check("alpha decides every property", True)
    runs = verify(model("fig3"), "--engine", "alpha")["all_one"]["iterations"]
    check("alpha proves Fig. 3 with two tests of nodes", [r["new_node_tests"] for r in runs]
          == [["up to 1 from a variable"], ["reached from p by next"], []], runs)
    for option, why in (["--exactness", "full"], "leave --account paper and --exactness full out"), (["--lightweight"], "leave --lightweight out"):
        done = whet("verify", model("fig3"), "--engine", "alpha", "--quiet", *option)
        check(f"alpha refuses {option[0]} on lists by name", why in done.stdout and done.returncode == 20, done.stdout)
    done = whet("quotient", model("fig3"))
    check("no quotient of lists", "have no quotient" in done.stderr and done.returncode != 0, done.stderr)


def figure_3():
    results = verify(model("fig3"), "--lane", "joint")["all_one"]
    runs = results["iterations"]
    check("Fig. 3 takes two runs and one repair", len(runs) == 2 and runs[1]["unions"] == 1 and runs[1]["merges"] == 0, runs)
    repair = runs[0].get("repair")
    check("it is the second widening of the second loop",
          repair == {"step": 2, "heads": [2], "operator": "union"}, repair)
    loop = [g for g in results["graphs"] if "line12" in g["where"]]
    walking = [g for g in loop if g["variables"]["head"] != g["variables"]["p"] and g["variables"]["p"]]
    summaries = sorted(n["data"] for g in walking for n in g["nodes"] if n["summary"])
    check("two summaries, one of 0s and one of 1s", len(walking) == 1 and summaries == [[0], [1]], walking)
    done = whet("verify", model("fig3"), "--property", "all_one", "--lane", "joint", "-v")
    check("-v says so", "repaired at step 2 of head 2: union" in done.stderr, done.stderr)


def traces():
    done = whet("verify", model("fig3-bug"), "--property", "all_one")
    check("a trace shows lists", "head -> [0] -> null" in done.stdout and done.returncode == 10, done.stdout)
    done = whet("verify", model("null-bug"))
    check("and where null was asked", "run-time error: p.next where p is null (line 8)" in done.stdout, done.stdout)
    done = whet("verify", model("cyclic-bug"), "--property", "ones", "--trace", "full")
    check("lists that lead back", "head -> [0] -> back to node 1" in done.stdout, done.stdout)
    states = [s["state"]["head"] for s in verify(model("fig3-bug"))["all_one"]["trace"]]
    check("lists in JSON", states[0] == "null" and states[-1] == "[0] -> null", states)
    runs = [whet("simulate", model("reverse"), "--steps", "60", "--seed", str(seed)).stdout for seed in range(36, 41)]
    check("simulation", all("head -> " in r for r in runs) and any("q -> [1] -> [1] -> null" in r for r in runs), runs)


def certificates():
    with tempfile.TemporaryDirectory() as folder:
        for name, prop in ("fig3", "all_one"), ("delete-zeros", "ones"), ("count", "agree"), ("fig3-bug", "all_one"):
            path = f"{folder}/{name}.cert"
            whet("verify", model(name), "--property", prop, "--certificate", path, "--quiet")
            done = whet("check", model(name), path)
            check(f"{name}: its certificate is accepted", done.returncode in (0, 10) and os.path.getsize(path), done.stdout + done.stderr)
        with open(f"{folder}/fig3.cert", encoding="utf-8") as f:
            good = f.read()
        for what, old, new in [("data", "(data 1)", "(data 0)"), ("a way", "(next 0 2)", "(next 0)"),
                               ("a summary", " summary", ""), ("a part", good[good.index("(part"):good.index("(part", good.index("(part") + 1)], ""),
                               ("a variable", "(at 1 2)", "(at 1 1)"), ("a node", "(at 1 2)", "(at 1 60)"),
                               ("a summary for a variable", "(data 1) (next 0 2))", "(data 1) (next 0 2) summary)")]:
            wrong = 0
            places = [m.start() for m in re.finditer(re.escape(old), good)]
            for place in places:
                with open(f"{folder}/bad.cert", "w", encoding="utf-8") as f:
                    f.write(good[:place] + new + good[place + len(old):])
                done = whet("check", model("fig3"), f"{folder}/bad.cert")
                wrong += done.returncode == 0 and "(part" in old
                wrong += done.returncode not in (0, 1, 2, 10, 20)
            done = whet("check", model("fig3"), f"{folder}/bad.cert")
            check(f"{what} changed: rejected somewhere, never a crash",
                  places and not wrong and any_rejected(folder, good, old, new, places), f"{len(places)} places, {wrong} wrong")
        reached_from(folder)
        for cut in range(0, len(good), max(1, len(good) // 40)):
            with open(f"{folder}/bad.cert", "w", encoding="utf-8") as f:
                f.write(good[:cut])
            done = whet("check", model("fig3"), f"{folder}/bad.cert")
            if done.returncode == 0:
                return check("a certificate cut short is not accepted", False, cut)
        check("a certificate cut short is not accepted", True)


def reached_from(folder):
    """What walks through a list leaves nothing behind because the list's variable leads to it; not because a file says so."""
    path = f"{folder}/walk.cert"
    whet("verify", model("walk"), "--property", "no-leak", "--certificate", path, "--quiet")
    with open(path, encoding="utf-8") as f:
        good = f.read()
    check("walk: its certificate is accepted", whet("check", model("walk"), path).returncode == 0 and "(reached" in good)
    for what, pattern, new in ("none is said to be reached", r" \(reached [\d ]+\)", ""), ("all are", r"\(reached [\d ]+\)", "(reached 0 1 2)"), \
            ("a variable is not there", r"\(reached [\d ]+\)", "(reached 20)"), ("a number is too large", r"\(reached [\d ]+\)", "(reached 40)"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(re.sub(pattern, new, good))
        done = whet("check", model("walk"), path)
        check(f"{what}: refused", done.returncode == 2 or (done.returncode == 10 and "rejected" in done.stdout), done.stdout + done.stderr)


def any_rejected(folder, good, old, new, places):
    for place in places:
        with open(f"{folder}/bad.cert", "w", encoding="utf-8") as f:
            f.write(good[:place] + new + good[place + len(old):])
        if whet("check", model("fig3"), f"{folder}/bad.cert").returncode != 0:
            return True
    return False


def graphs():
    with tempfile.TemporaryDirectory() as folder:
        done = whet("verify", model("fig3"), "--dot", f"{folder}/out.dot", "--report", f"{folder}/out.html", "--quiet")
        names = sorted(os.listdir(folder))
        check("a file of graphs for each property", done.returncode == 0 and
              names == ["out.all_one.dot", "out.html", "out.no-runtime-error.dot"], names)
        if shutil.which("dot"):
            drawn = subprocess.run(["dot", "-Tsvg", f"{folder}/out.all_one.dot"], capture_output=True, text=True, timeout=600)
            check("Graphviz draws it", drawn.returncode == 0 and "program at line12" in drawn.stdout, drawn.stderr)
        else:
            check("Graphviz draws it # SKIP it is not installed", True)
    try:
        import jsonschema
        with open(f"{ROOT}/docs/whet.schema.json", encoding="utf-8") as f:
            validator = jsonschema.Draft202012Validator(json.load(f))
        for name in "fig3", "fig3-bug", "null-bug", "count":
            done = whet("verify", model(name), "--json", "-", "--quiet")
            validator.validate(json.loads(done.stdout))
        check("JSON is as its schema says", True)
    except ImportError:
        check("JSON is as its schema says # SKIP python3-jsonschema is not installed", True)
    done = whet("invariants", model("reverse"))
    check("invariants without a property", done.returncode == 0 and "head -> " in done.stdout, done.stdout + done.stderr)


def printing():
    with tempfile.TemporaryDirectory() as folder:
        for name in "fig3", "count", "copy-bug", "bounded":
            with open(f"{folder}/shown.whet", "w", encoding="utf-8") as f:
                f.write(whet("show", model(name)).stdout)
            results = verify(f"{folder}/shown.whet")
            wrong = [p for p, verdict in expectations(model(name)) if results.get(p, {}).get("verdict") != verdict.lower()]
            check(f"{name} as show prints it", not wrong, wrong)


def limits():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/many.whet"
        names = ", ".join(f"p{i}" for i in range(40))
        with open(path, "w", encoding="utf-8") as f:
            f.write(f"program {{ var {names} : node = null\n p1 := p0.next }}\n")
        done = whet("verify", path, "--engine", "widen", "--quiet")
        check("too many node variables are refused by name",
              done.returncode == 20 and "more than 32 variables for nodes" in done.stdout, done.stdout + done.stderr)
        done = whet("verify", model("fig3"), "--engine", "explicit", "--property", "all_one", "--nodes", "3", "--quiet")
        check("explicit says where it stopped", "states of more than 3 nodes (--nodes)" in done.stdout, done.stdout)
        done = whet("verify", model("fig3"), "--engine", "cegar", "--quiet")
        check("other engines say that lists are not for them", "does not treat heap nodes" in done.stdout, done.stdout)


verdicts_are_as_expected()
explicit_finds_the_bugs()
alpha_decides_all()
figure_3()
traces()
certificates()
graphs()
printing()
limits()
sys.exit(tap.end())
