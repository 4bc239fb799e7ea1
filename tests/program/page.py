#!/usr/bin/python3
"""The page of --report in a browser: walking through runs by button and key, the text beside them, charts, filters, loops, long runs. Skipped if chromium is not installed."""
import html
import json
import os
import re
import shutil
import subprocess

from harness import Skip, case, equal, main, whet, write

C = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, s = 0;
  if (n < 0 || n > 100) return 0;
  while (i < n) {
    i++;
    s += 2;
  }
  if (s == 60) reach_error();
  return 0;
}
"""

TOOLS = """
const press = key => document.querySelector(".run").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const click = title => document.querySelector(`button[title="${title}"]`).click();
const where = () => document.querySelector(".where").textContent;
const marked = () => [...document.querySelectorAll(".run .line.now .number")].map(e => Number(e.textContent));
const value = name => [...document.querySelectorAll(".values tbody tr")].find(r => r.cells[0].textContent === name).cells[1].textContent;
const rows = () => [...document.querySelectorAll(".row")].map(r => r.textContent);
const type = (selector, words) => { const e = document.querySelector(selector); e.value = words; e.dispatchEvent(new Event("input")); };
"""


def browsed(folder, page, script):
    """What the script returns, run in a browser after the page's own."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        raise Skip("chromium is not installed")
    with open(page, encoding="utf-8") as f:
        content = f.read()
    watch = "<script>window.onerror = (words, at, line) => document.documentElement.setAttribute('data-error', words + ' ' + line);</script>"
    run = f"<script>{TOOLS}document.documentElement.setAttribute('data-result', JSON.stringify((() => {{{script}}})()));</script></body>"
    changed = write(folder, "browsed.html", content.replace("<head>", "<head>" + watch, 1).replace("</body>", run))
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}/browser", "--window-size=1200,1600", "--dump-dom", "file://" + changed],
                          capture_output=True, text=True, env={**os.environ, "HOME": folder}, timeout=1000)
    if done.returncode or "</html>" not in done.stdout:
        raise Skip("chromium does not start here")
    found = re.search(r'data-result="([^"]*)"', done.stdout)
    error = re.search(r'data-error="([^"]*)"', done.stdout[:2000])
    assert found and not error, error.group(1) if error else "no result"
    return json.loads(html.unescape(found.group(1)))


def report(folder, name, text, *options):
    page = os.path.join(folder, "p.html")
    r = whet("verify", write(folder, name, text), "--report", page, "--trace", "off", *options)
    assert r.status in (0, 10), r
    return page


@case
def a_run_is_walked_through(folder):
    page = report(folder, "p.c", C, "--property", "unreach-call", "--engine", "explicit")
    got = browsed(folder, page, """
      const seen = [where(), marked()];
      press("ArrowRight"); press("ArrowRight"); seen.push(where(), marked(), value("i"), value("s"));
      press("End"); seen.push(where(), marked());
      press("ArrowLeft"); seen.push(where()); press("Home"); seen.push(where());
      click("one step on"); click("one step on"); click("one step back"); click("last step"); click("first step"); seen.push(where());
      type("input[type=range]", 5); seen.push(where(), value("i"));
      return seen;""")
    equal(got, ["step 0 of 32", [], "step 2 of 32", [7, 8, 9], "1", "2", "step 32 of 32", [7, 11], "step 31 of 32", "step 0 of 32", "step 0 of 32", "step 5 of 32", "4"])


@case
def a_run_goes_through_included_files(folder):
    write(folder, "count.whet", "var x : int = 0\n\naction up: true -> x := x + 1\n")
    page = report(folder, "m.whet", 'include "count.whet"\naction down: x > 1 -> x := x - 1\nsafe low: x < 2\n')
    got = browsed(folder, page, """
      const here = () => [...document.querySelectorAll(".run .line.now code")].map(e => e.textContent);
      const seen = [here()];
      press("ArrowRight"); seen.push(here(), marked());
      return [...seen, [...document.querySelectorAll(".run .source .line")].map(e => e.textContent)];""")
    name = os.path.join(folder, "count.whet")
    equal(got[:3], [[], ["action up: true -> x := x + 1"], [3]])
    equal(got[3], ['1include "count.whet"', "2action down: x > 1 -> x := x - 1", "3safe low: x < 2", name, "1var x : int = 0", "2 ", "3action up: true -> x := x + 1"])


@case
def rows_fold_and_choose(folder):
    page = report(folder, "p.c", C, "--property", "unreach-call", "--engine", "explicit")
    got = browsed(folder, page, """
      const folded = rows(); document.querySelectorAll(".row")[2].click(); const chosen = where();
      document.querySelector("input[type=checkbox]").click();
      return [folded.length, folded[3], chosen, document.querySelector(".rows-inner").style.height, document.querySelectorAll(".row[aria-selected=true]").length];""")
    equal(got, [6, ".. the same step 28 times more", "step 2 of 32", f"{33 * 24}px", 1])


@case
def variables_are_filtered_and_drawn(folder):
    page = report(folder, "p.c", C, "--property", "unreach-call", "--engine", "explicit")
    got = browsed(folder, page, """
      const lines = () => document.querySelectorAll(".plot path[stroke]").length, names = () => [...document.querySelectorAll(".values tbody tr")].map(r => r.cells[0].textContent);
      const first = [lines(), document.querySelectorAll(".plot .axis").length]; [...document.querySelectorAll("button.name")].find(b => b.textContent === "s").click(); first.push(lines());
      press("ArrowRight"); press("ArrowRight"); first.push(document.querySelectorAll(".values td.changed").length);
      type("input[type=search]", "n"); first.push(names()); return first;""")
    equal(got, [2, 1, 1, 2, ["n"]])


@case
def loops_are_drawn_as_loops(folder):
    page = report(folder, "m.whet", "var x : 0..5 = 0\naction up: x < 3 -> x := x + 1\naction on: x = 3 -> x := 4\naction back: x = 4 -> x := 3\nltl ends: F x = 5\n")
    got = browsed(folder, page, """
      const states = [...document.querySelectorAll(".loop .state text")].map(t => t.textContent); document.querySelectorAll(".loop .state")[2].dispatchEvent(new Event("click"));
      return [document.querySelector(".loop").getAttribute("aria-label"), states, where(), document.querySelectorAll(".loop .state.now").length];""")
    equal(got, ["3 steps, then a loop of 2 steps for ever", ["0", "1", "2", "3", "4"], "step 2 of 5", 1])


@case
def what_is_proved_stands_at_its_line(folder):
    page = report(folder, "p.c", C.replace("s == 60", "s == 61"), "--property", "unreach-call")
    got = browsed(folder, page, """const lines = [...document.querySelectorAll("section .source .line")], at = lines.findIndex(l => l.classList.contains("proved"));
      return [lines[at - 1].querySelector(".number").textContent, lines[at].textContent.startsWith("invariant: ")];""")
    equal(got, ["7", True])


@case
def violations_come_first(folder):
    page = report(folder, "m.whet", "var x : 0..3 = 0\naction up: x < 3 -> x := x + 1\nsafe fine: x <= 3\nsafe tiny: x <= 1\n")
    equal(browsed(folder, page, 'return [...document.querySelectorAll("h2")].map(h => h.firstChild.textContent);'), ["tiny", "fine"])


@case
def long_runs_stay_few_elements(folder):
    page = report(folder, "m.whet", "var x, y : int = 0\naction up: y < 3 -> x := x + 1, y := if y = 2 then 0 else y + 1\nunreachable far: x = 20000\n", "--engine", "explicit")
    got = browsed(folder, page, """
      const few = [where(), document.querySelectorAll(".row").length < 60]; document.querySelector("input[type=checkbox]").click();
      few.push(document.querySelectorAll(".row").length < 60); press("End"); few.push(where(), document.querySelectorAll(".row").length < 60, document.querySelectorAll("*").length < 2000); return few;""")
    equal(got, ["step 0 of 20000", True, True, "step 20000 of 20000", True, True])


@case
def nothing_is_asked_of_a_server(folder):
    with open(report(folder, "p.c", C), encoding="utf-8") as f:
        content = f.read()
    equal([w for w in re.findall(r"(?:src|href)=\"([^\"]*)\"", content) if not w.startswith("#")], [])
    assert not re.search(r"\bfetch\(|XMLHttpRequest|import\(|@import|url\((?!#)", re.sub(r'<script id="(?:data|source)".*?</script>', "", content, flags=re.DOTALL))


main()
