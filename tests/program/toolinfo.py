"""The BenchExec tool-info module, with just as much of BenchExec as it needs."""
import importlib.util
import os
import sys
import types

from harness import ROOT, WHET, case, equal, main, whet, write


def load():
    package, result = types.ModuleType("benchexec"), types.ModuleType("benchexec.result")
    tools, template = types.ModuleType("benchexec.tools"), types.ModuleType("benchexec.tools.template")
    for name, value in {"TRUE_PROP": "true", "FALSE_PROP": "false", "UNKNOWN": "unknown", "ERROR": "ERROR"}.items():
        setattr(result, "RESULT_" + name, value)
    template.BaseTool2 = type("BaseTool2", (), {})
    package.result, package.tools, tools.template = result, tools, template
    sys.modules.update({"benchexec": package, "benchexec.result": result, "benchexec.tools": tools, "benchexec.tools.template": template})
    spec = importlib.util.spec_from_file_location("whet_info", os.path.join(ROOT, "tools", "benchexec", "whet.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Tool()


def limits(cputime=None, walltime=None, memory=None):
    return types.SimpleNamespace(cputime=cputime, walltime=walltime, memory=memory)


def run(tool, path, seconds, options=()):
    words = tool.cmdline(WHET, list(options), types.SimpleNamespace(input_files_or_identifier=[path]), limits(cputime=seconds, memory=2 << 30))
    result = whet(*words[1:])
    code = types.SimpleNamespace(value=result.status, signal=None)
    return tool.determine_result(types.SimpleNamespace(output=(result.out + result.err).splitlines(), exit_code=code, was_timeout=False))


@case
def results(folder):
    tool = load()
    loop = "(declare-fun P (Int) Bool)(assert (P 0))(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))(assert (forall ((x Int)) (=> (and (P x) (= x {})) false)))"
    equal(run(tool, write(folder, "a.smt2", loop.format("(- 1)")), 600), "true")
    equal(run(tool, write(folder, "b.smt2", loop.format("2")), 600, ["--model"]), "false")
    equal(run(tool, write(folder, "c.smt2", "(assert"), 600), "ERROR (input)")
    equal(run(tool, write(folder, "d.whet", "var x : int = 0\naction a: x < 9 -> x := x + 1\nsafe p: x < 10\nsafe q: x < 5\n"), 600), "false")
    hard = """(declare-fun P (Int Int Int) Bool)(assert (forall ((x Int) (y Int)) (P x y 0)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (P x y z) (< z 1000000000)) (P (* x y) (+ (* y y) (* x z)) (+ z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (P x y z) (= (+ (* x x x) (* y y y)) (+ 3 (* z z z)))  (> z 999999)) false)))"""
    equal(run(tool, write(folder, "e.smt2", hard), 5, ["--engine", "cegar"]), "TIMEOUT")


if __name__ == "__main__":
    main()
