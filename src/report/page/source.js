/* ---- the text of the model, and those that it includes ---- */
const mostLines = 20000;
const lineKey = (file, line) => `${line} ${file || ""}`;
/* A name above the text if it is included; a number for each line; what is proved at a line stands below it. `visited` and `rows` have the keys of lines. */
function addText(list, part, visited, loops, rows) {
  if (part.file) list.append(make("div", {class: "line"}, make("span", {class: "number"}, ""), make("strong", {}, part.file)));
  part.text.replace(/\n$/, "").split("\n").slice(0, mostLines).forEach((line, k) => {
    const key = lineKey(part.file, k + 1), row = make("div", {class: "line" + (visited.has(key) ? " visited" : "")}, make("span", {class: "number"}, String(k + 1)), make("code", {}, line || " "));
    rows.set(key, row);
    list.append(row);
    for (const loop of part.file ? [] : loops.filter(l => l.line === k + 1))
      list.append(make("div", {class: "line proved"}, make("span", {class: "number"}, ""), make("code", {}, loop.reached ? "invariant: " + loop.invariant.join(" && ") : "never reached")));
  });
}
/* `mark(i)` shows where step `i` is. */
function sourceView(trace, loops) {
  const list = make("div", {class: "source-inner"}), box = make("div", {class: "source", tabindex: "0", role: "region", "aria-label": "the text of the model"}, list), visited = new Set((trace || []).flatMap(linesOf)), rows = new Map();
  for (const part of data.texts) addText(list, part, visited, loops || [], rows);
  let marked = [];
  return {
    box,
    mark(i) {
      for (const row of marked) row.classList.remove("now"), row.removeAttribute("aria-current");
      marked = linesOf(trace[i]).map(key => rows.get(key)).filter(Boolean);
      for (const row of marked) row.classList.add("now"), row.setAttribute("aria-current", "step");
      const here = marked[marked.length - 1];
      if (here && (here.offsetTop < box.scrollTop || here.offsetTop + here.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = here.offsetTop - box.clientHeight / 2;
    },
  };
}
