#!/usr/bin/python3
"""whet plan: the jobs of a batch for schedulers. Slurm's commands are stood in for by scripts that write down what they are told (scale/slurm.py has the real ones); GNU parallel is run; definitions
of BenchExec are read as BenchExec reads them. What jobs answer is compared with `whet batch`."""
import csv
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import toolinfo  # noqa: E402
from harness import WHET, Skip, case, equal, main, whet, write  # noqa: E402
from problems import COUNTER, columns, problem_list  # noqa: E402

ENDLESS = "var x : int = 0\naction a: true -> x := x + 1\nsafe never: x != -1\n"
HOSTILE = ["plain", "with blank", "quote'and\"quote", "$(touch gone)", "`touch gone`", ";touch gone;", "new\nline", "-dash", "a*b[c]?", "#,=", "back\\slash", "per%cent", "<&>", "\u00fcber", "--help"]
COMPARED = ("model", "property", "options", "expected", "verdict", "correct", "reason")


def rows_of(out, names=COMPARED):
    return columns(out, names)


def plan(problems, out, *options):
    return whet("plan", problems, "--out", out, "-t", "100", *options)


def jobs_of(out):
    with open(os.path.join(out, "plan.csv"), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def table_of(problems, out):
    """As `whet batch` has it."""
    whet("batch", problems, "--out", out, "--jobs", "2", "-t", "100", "-q")
    return rows_of(out)


def records(out):
    return {name: os.stat(os.path.join(out, "results", name)).st_mtime_ns for name in os.listdir(os.path.join(out, "results"))}


SCRIPT = """#!/bin/sh
printf '%s' "$(basename "$0")" >> "$FAKE/said"
for word; do printf ' <%s>' "$word" >> "$FAKE/said"; done
echo >> "$FAKE/said"
"""


def fake_slurm(folder):
    """PATH with scripts that write down their words; sbatch says a number, sinfo what nodes have."""
    place = os.path.join(folder, "fake")
    os.mkdir(place)
    for name, more in (("sbatch", "echo 7\n"), ("scontrol", ""), ("scancel", ""), ("squeue", 'cat "$FAKE/queue" 2> /dev/null\n'), ("sinfo", "printf '4 3000\\n2+ 9000\\n'\n")):
        path = write(place, name, SCRIPT + more)
        os.chmod(path, 0o755)
    return {"PATH": place + ":" + os.environ["PATH"], "FAKE": place}


def said(environment):
    path = os.path.join(environment["FAKE"], "said")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    os.remove(path)
    return lines


def run_task(out, environment, task, first=0, **more):
    """A task of the array, as Slurm runs it."""
    return subprocess.run(["sh", os.path.join(out, "array.sbatch"), str(first)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment, "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": str(task), **more})


@case
def an_array_of_slurm(folder):
    write(folder, "counter.whet", COUNTER)
    environment, out = fake_slurm(folder), os.path.join(folder, "out dir's")
    problems = problem_list(folder, ("counter.whet", "", "", "false"), ("none.whet", "", "", ""))
    r = whet("plan", problems, "--out", out, "-t", "100", "--submit", env=environment)
    equal(r.status, 0, r)
    assert r.out.startswith("2 problems, 3 properties, 11 jobs of 2 cores and 2998 MB; 11 to be run\n7\n"), r
    assert "none.whet is one job" in r.err, r
    equal(said(environment), ["sinfo <--noheader> <--format=%c %m>", "sbatch <--parsable> <--array=1-11> <array.sbatch> <0>"])
    with open(os.path.join(out, "array.sbatch"), encoding="utf-8") as f:
        head = [line.strip() for line in f if line.startswith("#SBATCH")]
    for line in ("--cpus-per-task=2", "--mem=2998M", "--time=5", "--requeue"):
        assert f"#SBATCH {line}" in head, head
    jobs = jobs_of(out)
    equal([job["property"] for job in jobs], ["small", "tiny", "", "small", "tiny"] + ["small", "tiny"] * 3)  # first groups first
    engines = [job["own"].split("'")[3] for job in jobs if job["property"] == "small"]
    equal([len(names.split(",")) for names in engines], [2] * 5)
    equal(len(set(",".join(engines).split(","))), 10)
    # A task takes the name of its question, and whoever answers cancels the others: those that run by name, those that wait by number.
    equal(run_task(out, environment, 1).returncode, 0)
    with open(os.path.join(out, "jobs", "1"), encoding="utf-8") as f:
        name, others = f.readline().split()
    equal(others, "4,6,8,10")
    equal(said(environment), [f"scontrol <update> <JobId=7_1> <JobName={name}>", "scontrol <update> <JobId=7_1> <JobName=whet-plan>", f"scancel <--quiet> <--name={name}>",
                              *(f"scancel <--quiet> <7_{n}>" for n in (4, 6, 8, 10))])
    before = records(out)
    equal(run_task(out, environment, 4).returncode, 0)  # one that was not cancelled in time: nothing is left to do
    equal((run_task(out, environment, 3).returncode, records(out).keys() - before.keys() != set()), (0, True))  # cannot be read: that is kept
    said(environment)
    # While something is queued nothing is submitted; afterwards what is missing is.
    write(environment["FAKE"], "queue", "7_5\n")
    r = whet("plan", problems, "--out", out, "-t", "100", "--submit", env=environment)
    assert r.status == 2 and "still in the queue: 7_5" in r.err, r
    os.remove(os.path.join(environment["FAKE"], "queue"))
    said(environment)
    r = whet("plan", problems, "--out", out, "-t", "100", "--submit", env=environment)
    equal((r.status, said(environment)[-1]), (0, "sbatch <--parsable> <--array=2,5,7,9,11> <array.sbatch> <0>"), r)
    equal(run_task(out, environment, 2).returncode, 0)
    r = whet("batch", out, "--collect")
    equal((r.status, rows_of(out)), (20, table_of(problems, os.path.join(folder, "whole"))), r)
    said(environment)
    r = whet("plan", problems, "--out", out, "-t", "100", "--submit", env=environment)
    equal((r.status, r.out.split("; ")[1], [line.split()[0] for line in said(environment)]), (0, "0 to be run\n", ["sinfo"]), r)


@case
def a_job_that_fails_is_put_back_twice(folder):
    write(folder, "counter.whet", COUNTER)
    environment, out = fake_slurm(folder), os.path.join(folder, "out")
    equal(plan(problem_list(folder, ("counter.whet", "small", "--engine explicit", "")), out, "--cores", "1", "--node-memory", "1000").status, 0)
    os.rmdir(os.path.join(out, "results"))
    write(out, "results", "")  # no folder: nothing can be kept
    for count, wanted in (("", ["scontrol <requeue> <7_1>"]), ("1", ["scontrol <requeue> <7_1>"]), ("2", [])):
        equal((run_task(out, environment, 1, SLURM_RESTART_COUNT=count).returncode, said(environment)), (1, wanted), count)


@case
def more_jobs_than_an_array_takes(folder):
    write(folder, "counter.whet", COUNTER)
    environment, out = fake_slurm(folder), os.path.join(folder, "out")
    problems = problem_list(folder, *[("counter.whet", "small", f"--engine explicit --seed {i}", "true") for i in range(1003)])
    r = plan(problems, out, "--cores", "1", "--node-memory", "1000")
    equal(r.status, 0, r)
    with open(os.path.join(out, "submit"), encoding="utf-8") as f:
        lines = [line for line in f if line.startswith("sbatch")]
    equal([line.split()[2:5] for line in lines], [["--array=1-1000", "array.sbatch", "0"], ["--array=1-3", "array.sbatch", "1000"]])
    equal(run_task(out, environment, 2, first=1000).returncode, 0)
    r = whet("batch", out, "--collect")
    assert "1003 answers: 1 hold" in r.out and "1002 missing" in r.out, r
    equal(plan(problem_list(folder, ("counter.whet", "small", "--engine explicit", "")), out, "--cores", "1", "--node-memory", "1000").status, 0)
    equal(os.listdir(os.path.join(out, "jobs")), ["1"])


def hostile_models(folder):
    """And a list of them."""
    models = os.path.join(folder, "models")
    os.mkdir(models)
    for i, name in enumerate(HOSTILE):
        write(models, name + ".whet", COUNTER.replace("9", str(20 + i)))
    return problem_list(folder, *[(os.path.join("models", name + ".whet"), "small" if i % 2 else "tiny", "--engine explicit", "true") for i, name in enumerate(HOSTILE)])


@case
def names_of_models_are_no_commands(folder):
    problems, wanted = hostile_models(folder), None
    for scheduler, environment in (("slurm", fake_slurm(folder)), ("parallel", {})):
        out = os.path.join(folder, "it's \"$(touch gone)\" " + scheduler)
        r = plan(problems, out, "--for", scheduler, "--cores", "1", "--node-memory", "1000")
        equal(r.status, 0, r)
        if scheduler == "parallel" and not shutil.which("parallel"):
            raise Skip("GNU parallel is not installed")
        if scheduler == "parallel":
            equal(subprocess.run(r.out.splitlines()[1], shell=True, cwd=folder, capture_output=True, timeout=300).returncode, 0)
        for task in range(1, len(HOSTILE) + 1) if scheduler == "slurm" else ():
            equal(run_task(out, environment, task).returncode, 0)
        equal(whet("batch", out, "--collect").status, 10)
        wanted = wanted or table_of(problems, os.path.join(folder, "whole"))
        equal(rows_of(out), wanted)
    found = [name for place, folders, files in os.walk(folder) for name in folders + files if name == "gone"]
    equal(found, [])
    r = plan(problems, os.path.join(folder, "per%cent"))
    assert r.status == 2 and "Slurm does not take" in r.err, r


def run_jobs(out):
    """Those that are needed, by GNU parallel, two at a time."""
    return subprocess.run(["sh", os.path.join(out, "parallel"), "--jobs", "2"], capture_output=True, text=True, timeout=300)


def edit_job(out, job, one, other):
    path = os.path.join(out, "jobs", str(job))
    with open(path, encoding="utf-8") as f:
        content = f.read()
    assert one in content, content
    write(out, os.path.join("jobs", str(job)), content.replace(one, other))


@case
def an_answer_ends_the_other_jobs(folder):
    if not shutil.which("parallel"):
        raise Skip("GNU parallel is not installed")
    write(folder, "endless.whet", ENDLESS)
    out, problems = os.path.join(folder, "out"), problem_list(folder, ("endless.whet", "never", "", "true"))
    equal(plan(problems, out, "--for", "parallel", "--cores", "6", "--node-memory", "7000").status, 0)
    jobs = jobs_of(out)
    equal(len(jobs), 2)
    first = jobs[0]["own"].split("'")[3]
    edit_job(out, 1, first, "explicit")  # which never ends by itself
    r = run_jobs(out)
    equal(r.returncode, 0, r)
    with open(os.path.join(out, "joblog"), encoding="utf-8") as f:
        ended = {line.split("\t")[8].strip(): line.split("\t")[6] for line in f.readlines()[1:]}
    equal(ended, {"sh ./job 1": "0", "sh ./job 2": "0"})
    equal(len(records(out)), 1)
    assert not [name for name in os.listdir(out) if name.startswith("work-")], os.listdir(out)
    equal(whet("batch", out, "--collect").status, 0)
    equal(rows_of(out), table_of(problems, os.path.join(folder, "whole")))


@case
def the_rest_can_be_run_here(folder):
    write(folder, "counter.whet", COUNTER)
    out, problems = os.path.join(folder, "out"), problem_list(folder, ("counter.whet", "", "", "false"), ("counter.whet", "small", "--engine explicit", ""))
    equal(plan(problems, out, "--cores", "6", "--node-memory", "7000").status, 0)
    equal(whet("batch", out, "--job", "1", "-q").status, 0)
    before = records(out)
    r = whet("batch", out, "--jobs", "1", "-q")
    equal((r.status, rows_of(out)), (0, table_of(problems, os.path.join(folder, "whole"))), r)
    after = records(out)
    assert all(after[name] == before[name] for name in before), "a result was written again"
    equal(len(after), 3)  # one for each property, though the first two have two jobs


@case
def answers_that_contradict_each_other_are_none(folder):
    write(folder, "counter.whet", COUNTER)
    out = os.path.join(folder, "out")
    equal(plan(problem_list(folder, ("counter.whet", "small", "", "true")), out, "--cores", "6", "--node-memory", "7000").status, 0)
    equal(whet("batch", out, "--job", "1", "-q").status, 0)
    shutil.rmtree(os.path.join(out, "answers"))
    os.mkdir(os.path.join(out, "answers"))
    equal(whet("batch", out, "--job", "2", "-q").status, 0)
    equal((len(records(out)), whet("batch", out, "--collect").out.splitlines()[0]), (2, "1 answers: 1 hold, 0 violated, 0 unknown; 0 wrong"))
    path = os.path.join(out, "results", sorted(records(out))[0])
    with open(path, encoding="utf-8") as f:
        kept = json.load(f)
    kept["answers"][0].update(holds=False, verdict="unsafe")
    write(out, path, json.dumps(kept))
    r = whet("batch", out, "--collect")
    assert r.status == 20 and "0 hold, 0 violated, 0 unknown, 1 failed" in r.out and "contradict" in rows_of(out)[0][6], r


@case
def word_of_an_answer_alone_is_none(folder):
    write(folder, "counter.whet", COUNTER)
    out = os.path.join(folder, "out")
    equal(plan(problem_list(folder, ("counter.whet", "small", "", "true")), out, "--cores", "6", "--node-memory", "7000").status, 0)
    equal(whet("batch", out, "--job", "1", "-q").status, 0)
    name, = records(out)
    for damage in ("", "{}", None):
        path = os.path.join(out, "results", name)
        os.remove(path) if damage is None else write(out, path, damage)
        equal(whet("batch", out, "--job", "1", "-q").status, 0)
        with open(path, encoding="utf-8") as f:
            equal(json.load(f)["answers"][0]["verdict"], "safe")


@case
def a_job_that_is_stopped_leaves_nothing(folder):
    write(folder, "endless.whet", ENDLESS)
    out = os.path.join(folder, "out")
    equal(plan(problem_list(folder, ("endless.whet", "never", "--engine explicit", "")), out, "--cores", "1", "--node-memory", "4000").status, 0)
    process = subprocess.Popen([WHET, "batch", out, "--job", "1", "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not glob.glob(os.path.join(out, "work-*", "*.err")):
        time.sleep(0.02)
        equal(process.poll(), None)
    process.send_signal(signal.SIGTERM)  # as scancel, or preemption
    equal((process.wait(60), records(out)), (20, {}))


@case
def a_definition_for_benchexec(folder):
    try:
        import yaml
    except ImportError:
        raise Skip("python3-yaml is not installed")
    tool, problems, out = toolinfo.load(), hostile_models(folder), os.path.join(folder, "out")
    r = plan(problems, out, "--for", "benchexec", "--cores", "2", "--node-memory", "3000")
    equal((r.status, r.out.splitlines()[1]), (0, f"benchexec '{out}/benchmark.xml'"), r)
    root = xml.etree.ElementTree.parse(os.path.join(out, "benchmark.xml")).getroot()
    equal((root.tag, root.get("tool"), root.get("timelimit"), root.get("memlimit"), root.get("cpuCores")), ("benchmark", "whet", "100 s", "2084 MB", "1"))
    found = []
    for tasks in root.findall("tasks"):
        path, = glob.glob(os.path.join(out, tasks.find("include").text))
        with open(path, encoding="utf-8") as f:
            task = yaml.safe_load(f)
        model, = glob.glob(os.path.join(os.path.dirname(path), task["input_files"]))
        options = [word for option in tasks.findall("option") for word in (option.get("name"), option.text) if word]
        wanted = task["properties"][0]["expected_verdict"]
        answer = toolinfo.run(tool, model, 100, options)
        found.append((os.path.relpath(model, folder), options[1], {True: "true", False: "false"}[wanted], answer))
        assert os.path.exists(os.path.join(os.path.dirname(path), task["properties"][0]["property_file"])), task
    table = table_of(problems, os.path.join(folder, "whole"))
    equal(found, [(os.path.relpath(model, folder), name, expected, {"safe": "true", "unsafe": "false"}[verdict]) for model, name, _, expected, verdict, _, _ in table])
    write(folder, "${x}.whet", COUNTER)
    r = plan(problem_list(folder, ("${x}.whet", "small", "", "")), out, "--for", "benchexec")
    assert r.status == 2 and "${x}" in r.err, r


@case
def what_is_wrong_is_told(folder):
    write(folder, "counter.whet", COUNTER)
    problems, out = problem_list(folder, ("counter.whet", "small", "", "")), os.path.join(folder, "out")
    for words, wanted in ((("plan", problems), "--out"), (("plan", problems, "--out", out, "--for", "moon"), "slurm"), (("plan", problems, "--out", out, "--for", "parallel", "--submit"), "--submit"),
                          (("plan", os.path.join(folder, "none.csv"), "--out", out), "none.csv"), (("batch", problems, "--out", out, "--job", "1"), "whet plan"),
                          (("plan", problems, "--out", os.path.join(folder, "counter.whet")), "counter.whet")):
        r = whet(*words, env={"PATH": "/usr/bin:/bin"})
        assert r.status == 2 and wanted in r.err, (words, r)
    equal(plan(problems, out, "--cores", "1", "--node-memory", "1000").status, 0)
    for words, wanted in ((("--job", "99"), "jobs/99"), (("-t", "3", "--collect"), "is a plan"), (("--out", folder), "is a plan"), (("--job", "1", "--collect"), "--collect")):
        r = whet("batch", out, *words)
        assert r.status == 2 and wanted in r.err, (words, r)
    for damage in ("", "whet-0 -\nx\n", "whet-0 -\nx\n1,2\n", "whet-0 -\nx\n0,0,n,m,p,o,e,f,--json x,\n", "whet-0 -\nx\na,0,n,m,p,o,e,f,,\n", "whet-0 -\nx\n\"0\n"):
        write(out, "jobs/1", damage)
        r = whet("batch", out, "--job", "1")
        assert r.status == 2 and "jobs/1:" in r.err, (damage, r)


if __name__ == "__main__":
    main()
