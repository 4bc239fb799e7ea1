#!/usr/bin/python3
"""The page that --report writes, and the structures that quotient prints."""
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree

from harness import *

UP = "var x : 0..3 = 0\naction up: x < 3 -> x := x + 1\nsafe tiny: x <= 1\n"
BAKERY = os.path.join(MODELS, "bakery2.whet")


def data_of(page):
    """What the page holds, as a browser would read it."""
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    return json.loads(found.group(1))


@case
def the_page_holds_what_json_holds(folder):
    model, page, document = write(folder, "m.whet", UP), os.path.join(folder, "p.html"), os.path.join(folder, "p.json")
    r = whet("verify", model, "--report", page, "--json", document)
    equal(r.status, 10, r)
    with open(page, encoding="utf-8") as f, open(document, encoding="utf-8") as g:
        equal(data_of(f.read()), json.load(g))


@case
def no_name_can_end_the_data(folder):
    model = write(folder, "m.whet", "var |</script><!-- b| : 0..1 = 0\naction a: true -> |</script><!-- b| := 1\nunreachable u: |</script><!-- b| = 1\n")
    page = os.path.join(folder, "p.html")
    equal(whet("verify", model, "--report", page).status, 10)
    with open(page, encoding="utf-8") as f:
        content = f.read()
    equal(data_of(content)["properties"][0]["trace"][1]["state"], {"</script><!-- b": 1})
    equal(content.count("</script>"), 3)


@case
def a_page_that_cannot_be_written_is_told_before_the_work(folder):
    r = whet("verify", write(folder, "m.whet", UP), "--report", os.path.join(folder, "no", "such", "place"))
    assert r.status in (1, 2) and "no/such/place" in r.err, r


LIST = """program {
  var head, p : node = null
  while * { p := new; p.next := head; head := p }
  p := head;
  while p != null { assert ones: p.data; p := p.next }
  assert done: p = null
}
"""


def drawn(folder, page):
    """The page after a browser has run its script."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        raise Skip("chromium is not installed")
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}/browser", "--dump-dom", "file://" + page],
                          capture_output=True, text=True, env={**os.environ, "HOME": folder}, timeout=1000)
    if done.returncode or "</html>" not in done.stdout:
        raise Skip("chromium does not start here")
    return done.stdout


@case
def graphs_of_the_heap_are_drawn(folder):
    page = os.path.join(folder, "p.html")
    r = whet("verify", write(folder, "m.whet", LIST), "--report", page)
    equal(r.status, 10, r)
    with open(page, encoding="utf-8") as f:
        properties = {p["name"]: p for p in data_of(f.read())["properties"]}
    heaps = [step["heap"] for step in properties["ones"]["trace"]]
    equal(heaps[0], {"variables": {"head": 0, "p": 0}, "nodes": []})
    assert heaps[-1]["variables"]["p"] > 0 and heaps[-1]["nodes"][heaps[-1]["variables"]["p"] - 1]["data"] == [0], heaps[-1]
    changes = 1 + sum(a != b for a, b in zip(heaps, heaps[1:]))
    wanted = changes + len(properties["done"]["graphs"]) + len(properties["no-runtime-error"]["graphs"])
    content = drawn(folder, page)
    figures = re.findall(r"<figure>.*?</figure>", content, re.DOTALL)
    equal(len(figures), wanted)
    for graph, figure in zip(properties["done"]["graphs"], figures[changes:]):
        reached, more = set(), {n for n in graph["variables"].values() if n}
        while more:
            reached |= more
            more = {m for n in more for m in graph["nodes"][n - 1]["next"] if m} - reached
        circles = sum(2 if graph["nodes"][n - 1]["summary"] else 1 for n in reached)
        equal(figure.count("<circle "), circles, figure)
        edges = sum(len(graph["nodes"][n - 1]["next"]) for n in reached) + len({n for n in graph["variables"].values() if n})
        equal(figure.count('class="edge"'), edges, figure)


@case
def quotients_agree_in_every_format(folder):
    aut, dot, document = (whet("quotient", BAKERY, "--to", f) for f in ("aut", "dot", "json"))
    equal([r.status for r in (aut, dot, document)], [0, 0, 0])
    parsed = json.loads(document.out)
    first, steps, states = (int(n) for n in re.match(r"des \((\d+), (\d+), (\d+)\)\n", aut.out).groups())
    equal((first, steps, states), (0, len(parsed["transitions"]), len(parsed["states"])))
    equal(states, 9)
    edges = re.findall(r'^\((\d+), "(\w+)", (\d+)\)$', aut.out, re.MULTILINE)
    equal([(int(a), b, int(c)) for a, b, c in edges], [(t["from"], t["action"], t["to"]) for t in parsed["transitions"]])
    equal(len(re.findall(r" -> ", dot.out)), steps)
    if shutil.which("dot"):
        drawn = subprocess.run(["dot", "-Tsvg"], input=dot.out, capture_output=True, text=True)
        assert drawn.returncode == 0 and "<svg" in drawn.stdout, drawn.stderr


@case
def several_first_states_get_one_before_them(folder):
    model = write(folder, "m.whet", "var b, c : bool\naction a: b -> b := false\nsafe s: true\n")
    r = whet("quotient", model)
    equal(r.status, 0, r)
    assert r.out.startswith("des (4, 6, 5)\n") and r.out.count('"init"') == 4, r


@case
def a_property_may_be_called_quotient(folder):
    r = whet("quotient", write(folder, "m.whet", "var b : bool = false\naction a: !b -> b := true\nsafe quotient: !b\n"))
    equal((r.status, r.out, r.err), (0, 'des (0, 1, 2)\n(0, "a", 1)\n', ""), r)


@case
def no_finite_quotient_is_said(folder):
    model = write(folder, "m.whet", "var x : nat = 0\naction a(i : nat): x < i -> x := i\nsafe s: true\n")
    r = whet("quotient", model)
    equal((r.status, r.out), (20, ""), r)
    assert "infinite type" in r.err, r
    r = whet("quotient", model, "--to", "xml")
    equal((r.status, r.out), (2, ""), r)
    assert "aut|dot|json" in r.err, r


SEVERAL = "var x : int = 0\naction up: x < 5 -> x := x + 1\nsafe low: x <= 5\n  safe lower: x < 3\nltl far: F x > 100\nsafe open: x * x * x != 7 * x * x + 3\n"


@case
def servers_get_junit_and_sarif(folder):
    model, junit, sarif = write(folder, "m & n.whet", SEVERAL), os.path.join(folder, "r.xml"), os.path.join(folder, "r.sarif")
    r = whet("verify", model, "--engine", "kind", "--work", "1", "--junit", junit, "--sarif", sarif)
    shown = dict(re.findall(r"^(\w+): (.*)$", r.out, re.MULTILINE))
    suite = xml.etree.ElementTree.parse(junit).getroot()
    equal((suite.tag, suite.get("name"), suite.get("tests")), ("testsuite", model, "4"))
    problems = {c.get("name"): (c[0].tag, c[0].get("message")) if len(c) else None for c in suite}
    kinds = {"UNSAFE": "failure", "FAILS": "failure", "UNKNOWN": "error"}
    equal(problems, {name: (kinds[words.split()[0]], words) if words.split()[0] in kinds else None for name, words in shown.items()}, r)
    equal((int(suite.get("failures")), int(suite.get("errors"))), tuple(sum(1 for p in problems.values() if p and p[0] == tag) for tag in ("failure", "error")))
    with open(sarif, encoding="utf-8") as f:
        document = json.load(f)
    equal(document["version"], "2.1.0")
    results = {one["ruleId"]: one for one in document["runs"][0]["results"]}
    ends = {"failure": ("fail", "error"), "error": ("open", "none"), None: ("pass", "none")}
    equal({name: (one["kind"], one["level"]) for name, one in results.items()}, {name: ends[p and p[0]] for name, p in problems.items()})
    place = results["lower"]["locations"][0]["physicalLocation"]
    equal(place["region"], {"startLine": 4, "startColumn": 3})
    assert place["artifactLocation"]["uri"].endswith("m%20%26%20n.whet"), place
    equal([rule["id"] for rule in document["runs"][0]["tool"]["driver"]["rules"]], list(shown))


@case
def junit_has_the_run(folder):
    out = whet("verify", write(folder, "m.whet", UP), "--junit", "-").out
    failure = xml.etree.ElementTree.fromstring(out.encode()).find("testcase/failure")
    assert failure.get("message") == "UNSAFE" and "2  up" in failure.text, out
    equal(whet("verify", write(folder, "m.whet", UP), "--junit", "-", "--json", "-").status, 2)


main()
