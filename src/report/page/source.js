/* ---- the text of the model ---- */
const mostLines = 20000;
/* The text with a number for each line; what is proved at a line stands below it. `mark(i)` shows where step `i` is. */
function sourceView(trace, loops) {
  const lines = data.source.replace(/\n$/, "").split("\n").slice(0, mostLines), rows = lines.map((line, k) => make("div", {class: "line"}, make("span", {class: "number"}, String(k + 1)), make("code", {}, line || " ")));
  const list = make("div", {class: "source-inner"}), box = make("div", {class: "source", tabindex: "0", role: "region", "aria-label": "the text of the model"}, list), visited = new Set((trace || []).flatMap(linesOf));
  lines.forEach((line, k) => {
    if (visited.has(k + 1)) rows[k].classList.add("visited");
    list.append(rows[k]);
    for (const loop of (loops || []).filter(l => l.line === k + 1))
      list.append(make("div", {class: "line proved"}, make("span", {class: "number"}, ""), make("code", {}, loop.reached ? "invariant: " + loop.invariant.join(" && ") : "never reached")));
  });
  let marked = [];
  return {
    box,
    mark(i) {
      for (const row of marked) row.classList.remove("now"), row.removeAttribute("aria-current");
      marked = linesOf(trace[i]).map(n => rows[n - 1]).filter(Boolean);
      for (const row of marked) row.classList.add("now"), row.setAttribute("aria-current", "step");
      const here = marked[marked.length - 1];
      if (here && (here.offsetTop < box.scrollTop || here.offsetTop + here.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = here.offsetTop - box.clientHeight / 2;
    },
  };
}
