#!/usr/bin/python3
"""What is installed, removed and packaged; the examples over the library; the module of Python."""
import glob
import os
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import *  # noqa: E402

COUNTER = "var x : 0..9 = 0\naction up: x < 5 -> x := x + 1\nsafe small: x <= 5\nsafe tiny: x <= 1\n"
ONE = COUNTER.replace("safe small: x <= 5\n", "")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as f:
        return f.read()


def plain_only():
    if SANITIZED:
        raise Skip("the plain build installs, and programs without sanitizers load its library")


def files_below(folder):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)


@case
def what_is_installed_can_be_removed(folder):
    plain_only()
    environment = {**os.environ, "DESTDIR": folder}
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild"], env=environment, capture_output=True, check=True)
    assert len(files_below(folder)) >= 9, files_below(folder)
    kept = write(folder, "kept", "of somebody else")
    for _ in range(2):  # the second time there is nothing to do
        done = subprocess.run([os.path.join(ROOT, "tools", "uninstall"), BUILD], env=environment, capture_output=True, text=True)
        equal((done.returncode, done.stderr), (0, ""))
        equal(files_below(folder), [kept])


@case
def packages_say_what_the_project_says(folder):
    version = re.search(r"version: '([\d.]+)'", read("meson.build")).group(1)
    equal(re.match(r"whet \(([\d.]+)\)", read("debian", "changelog")).group(1), version)
    needed = set(re.search(r'^build="(.*)"$', read("tools", "install-dependencies"), re.MULTILINE).group(1).split())
    declared = set(re.findall(r"^ ([a-z0-9.+-]+)", read("debian", "control").split("Build-Depends:")[1].split("Standards-Version")[0], re.MULTILINE))
    basic = {"gcc", "libc6-dev", "ninja-build"}  # which build-essential and meson bring
    equal(needed - basic - declared, set())


@case
def the_container_has_the_libraries_that_the_program_needs(folder):
    plain_only()
    if not shutil.which("dpkg-query"):
        raise Skip("this is no Debian system")
    shown = subprocess.run(["ldd", WHET], capture_output=True, text=True, check=True).stdout
    paths = {os.path.realpath(p) for p in re.findall(r"=> (/\S+)", shown)}
    final = read("Dockerfile").split("FROM debian:12-slim")[1]
    basic = {"libc6", "libstdc++6", "libgcc-s1"}  # of every image, or needed by the others
    for path in paths:
        known = ""
        for spelled in (path, path.replace("/usr/lib/", "/lib/")):
            known = known or subprocess.run(["dpkg-query", "-S", spelled], capture_output=True, text=True).stdout
        if not known:
            raise Skip(f"{path} is of no package")
        package = known.split(":")[0]
        assert package in basic or re.search(rf"\b{re.escape(package)}\b", final), f"{package} has {path}"


@case
def examples_over_the_library_run(folder):
    plain_only()
    if not shutil.which("cc"):
        raise Skip("cc is not installed")
    model = write(folder, "m.whet", COUNTER)
    programs = {}
    for path in glob.glob(os.path.join(EXAMPLES, "library", "*.c")):
        program = programs[os.path.basename(path)[:-2]] = os.path.join(folder, os.path.basename(path)[:-2])
        made = subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", path, "-I", os.path.join(ROOT, "include"), os.path.join(BUILD, "libwhet.so"), f"-Wl,-rpath,{BUILD}",
                               "-o", program], capture_output=True, text=True)
        equal(made.returncode, 0, made.stderr)
    equal(sorted(programs), ["certify", "verify"])
    run = lambda *words: subprocess.run(words, capture_output=True, text=True, timeout=120)
    done = run(programs["verify"], model)
    equal(done.returncode, 10, done.stderr)
    assert "small: SAFE\n" in done.stdout and "tiny: UNSAFE\n" in done.stdout and "x = 2" in done.stdout, done.stdout
    for name in ("small", "tiny"):
        done = run(programs["certify"], model, name)
        equal((done.returncode, done.stdout), (0, f"{name}: accepted\n"), done.stderr)
    for words in ((programs["verify"],), (programs["verify"], "none.whet"), (programs["certify"], model, "none")):
        done = run(*words)
        equal(done.returncode, 2, words)
        assert done.stderr, words


def python_module():
    plain_only()
    os.environ["WHET_LIBRARY"] = os.path.join(BUILD, "libwhet.so")
    if os.path.join(ROOT, "python") not in sys.path:
        sys.path.insert(0, os.path.join(ROOT, "python"))
    import whet as module
    return module


@case
def the_module_of_python_verifies(folder):
    w = python_module()
    results = w.verify(COUNTER, timeout=60)
    equal({n: r.verdict for n, r in results.items()}, {"small": "SAFE", "tiny": "UNSAFE"})
    tiny, small = results["tiny"], results["small"]
    equal(([s["x"] for s in tiny.states], tiny.actions, tiny.holds, bool(tiny)), ([0, 1, 2], ["up", "up"], False, False))
    assert "x = 2" in tiny.trace and small.trace is None and small.holds is True and small.invariant, (tiny, small)
    assert not results.all_hold and "<table>" in results._repr_html_() and "<html" in results.report
    assert "x = 2" in w.verify(ONE).trace
    equal(list(w.verify(COUNTER, "small")), ["small"])
    with w.Model(COUNTER) as m:
        equal(m.properties, ["small", "tiny"])
        assert "var x : 0..9" in m.show()
        assert m.check(small.certificate) and m.check(tiny.certificate)
        equal(w.check(COUNTER.replace("x < 5", "x < 6"), small.certificate), False)
    equal(w.outline(COUNTER)["properties"][0]["name"], "small")
    equal(w.format_text("safe  p:true&&x=1"), "safe  p:true && x=1\n")
    equal(w.version(), whet("--version").out.split()[1])
    path = write(folder, "m.whet", "const N = 3\nvar x : int = 0\naction up: x < N -> x := x + 1\nsafe s: x <= 4\n")
    equal([w.Model.read(path, define=[f"N={n}"]).verify()["s"].verdict for n in (4, 5)], ["SAFE", "UNSAFE"])
    limited = w.verify("var x, y : int = 1\naction a: true -> x := x * x + y, y := x * y + 1\nsafe hard: x * x != 7 * y * y + 3\n", timeout=0.5)
    equal((limited.verdict, limited.holds), ("UNKNOWN", None))
    assert limited.reason


@case
def the_module_of_python_says_what_is_wrong(folder):
    w = python_module()
    for wrong, words in ((lambda: w.verify("var x : int\nsafe p: y"), "the name `y` is not declared"), (lambda: w.verify(COUNTER, "smal"), "smal"),
                         (lambda: w.verify(COUNTER, engine="none"), "none"), (lambda: w.verify(COUNTER, nonsense=3), "nonsense"),
                         (lambda: w.Model.read("/nowhere/m.whet"), "no such file"), (lambda: w.check(COUNTER, "nonsense"), "")):
        try:
            wrong()
            assert False, words
        except w.Error as e:
            assert words in str(e), e
    m = w.Model(COUNTER)
    m.close()
    m.close()
    try:
        m.verify()
        assert False, "it is closed"
    except w.Error:
        pass
    try:
        w.verify(COUNTER).trace
        assert False, "of which property?"
    except AttributeError as e:
        assert "2 properties" in str(e)


@case
def threads_use_one_model(folder):
    w = python_module()
    found = []
    with w.Model(COUNTER) as m:
        threads = [threading.Thread(target=lambda: found.append({n: r.verdict for n, r in m.verify(timeout=60).items()})) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    equal(found, [{"small": "SAFE", "tiny": "UNSAFE"}] * 3)


if __name__ == "__main__":
    main()
