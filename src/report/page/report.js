/* ---- the page ---- */
const order = {unsafe: 0, fails: 0, unknown: 1, safe: 2, holds: 2};
const listOf = formulas => make("ul", {class: "flat"}, ...formulas.map(q => make("li", {}, make("code", {}, q))));
function lengthOf(trace) {
  return trace.reduce((sum, s, i) => sum + (i ? s.round ? s.round * Number(s.times) : 1 : 0), 0);
}
function describeRun(s, p) {
  s.append(make("h3", {}, `The run that breaks it: ${counted(lengthOf(p.trace), "step")}`), runView(p, p.name));
  if (p.trace[0].heap) s.append(heapRun(p.trace));
  if (p.fault) s.append(make("p", {}, `Run-time error: ${p.fault.what} (${p.fault.file ? p.fault.file + ", " : ""}line ${p.fault.line}).`));
  if (p.loop !== undefined)
    s.append(make("p", {}, p.loop + 1 === p.trace.length ? "Nothing can be done any more: it stays there for ever." : `And so on: from state ${p.loop} again, for ever.`));
}
function describeProof(s, p) {
  const q = quotientOf(p);
  if (p.graphs && p.graphs.length) s.append(make("h3", {}, "The heaps that are possible, by place"), heapProof(p.graphs));
  if (p.loops && p.loops.length && data.texts.length && !p.trace) s.append(make("h3", {}, "What is proved at the loops"), sourceView(null, p.loops).box);
  if (p.invariant) s.append(make("h3", {}, "Invariant"), listOf(p.invariant));
  if (q && q.blocks.length && q.blocks.length <= mostBlocks) s.append(make("h3", {}, `The quotient: ${counted(q.blocks.length, "block")}, ${q.edges.length} edges`), drawQuotient(q));
}
function describeHistory(s, p) {
  if (!p.iterations || !p.iterations.length) return;
  const drawn = chart(p.iterations), keys = [...new Set(p.iterations.flatMap(Object.keys))];
  s.append(make("h3", {}, "Iterations"));
  if (drawn) s.append(drawn);
  s.append(make("details", p.iterations.length <= 12 ? {open: ""} : {}, make("summary", {}, counted(p.iterations.length, "iteration")), table(["", ...keys], p.iterations.map((it, i) => Object.assign({"": i + 1}, it)))));
}
function describe(p) {
  const s = make("section", {id: "property-" + p.name, "aria-label": p.name}, make("h2", {}, p.name, make("span", {class: "verdict " + p.verdict}, p.verdict.toUpperCase()), ...(p.vacuous ? [make("span", {class: "verdict unknown"}, "VACUOUS")] : [])));
  const words = [p.engine && "engine " + p.engine, p.checked && "evidence checked", p.seconds !== undefined && p.seconds.toFixed(3) + " s", p.reason];
  s.append(make("div", {class: "note"}, words.filter(Boolean).join(" · ")));
  if (p.never_enabled) s.append(make("p", {class: "unknown"}, "Never enabled: " + p.never_enabled.join(", ")));
  if (p.trace && p.trace.length) describeRun(s, p);
  describeProof(s, p);
  describeHistory(s, p);
  if (p.lemmas && p.lemmas.length) s.append(make("h3", {}, "Holds in every reachable state"), listOf(p.lemmas));
  if (p.predicates && p.predicates.length) s.append(make("h3", {}, "Predicates"), listOf(p.predicates));
  const numbers = Object.entries(p.statistics || {}).filter(([, v]) => v);
  if (numbers.length) s.append(make("details", {}, make("summary", {}, "Statistics"), table(["what", "count"], numbers.map(([k, v]) => ({what: k.replaceAll("_", " "), count: v})))));
  if (p.certificate && p.certificate.text) s.append(make("details", {}, make("summary", {}, "The certificate"), make("pre", {tabindex: "0"}, p.certificate.text)));
  return s;
}
function describeLemma(f) {
  const s = make("section", {}, make("h2", {}, make("code", {}, f.lemma), make("span", {class: "verdict unknown"}, "LEMMA FAILS")), make("div", {class: "note"}, f.action === null ? "an initial state breaks it" : `a state after ${f.action} breaks it`));
  if (f.trace && f.trace.length) s.append(runView(f, f.lemma));
  return s;
}
function summary(properties) {
  const link = p => make("a", {href: "#property-" + p.name}, p.name), row = p => make("tr", {}, make("td", {}, link(p)), make("td", {class: "verdict " + p.verdict}, p.verdict.toUpperCase() + (p.vacuous ? " (vacuous)" : "")),
    make("td", {}, p.engine || ""), make("td", {class: "n"}, p.seconds === undefined ? "" : p.seconds.toFixed(3)));
  return make("section", {}, make("table", {}, make("thead", {}, make("tr", {}, ...["property", "verdict", "engine", "seconds"].map(k => make("th", {}, k)))), make("tbody", {}, ...properties.map(row))));
}
document.title = data.model + " · whet";
document.body.append(draw("svg", {width: 0, height: 0, "aria-hidden": "true"}, draw("defs", {}, draw("marker", {id: "tip", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse"},
  draw("path", {d: "M0 0L8 4L0 8Z", class: "tip"})))));
main.replaceChildren(make("h1", {}, data.model + " ", make("small", {}, "whet " + data.whet)), summary(data.properties), ...(data.notes || []).map(n => make("p", {class: "note"}, n)), ...(data.failed_lemmas || []).map(describeLemma),
  ...data.properties.slice().sort((a, b) => order[a.verdict] - order[b.verdict]).map(describe), ...(data.texts.length ? [make("details", {}, make("summary", {}, "The text"), sourceView(null, null).box)] : []));
