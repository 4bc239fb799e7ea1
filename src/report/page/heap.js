/* ---- graphs of the heap ---- */
const nextOf = (graph, n) => graph.nodes[n - 1].next.filter(m => m && m !== n);
/* Nodes that a variable leads to, each before those that come next, but for the ways back of rings: first walks from nodes that nothing leads to. */
function orderOf(graph) {
  const starts = [...new Set(Object.values(graph.variables))].filter(n => n), order = [], seen = new Set(), back = new Set();
  const led = new Set(starts.flatMap(n => nextOf(graph, n)));
  const visit = (n, above) => {
    seen.add(n);
    for (const m of nextOf(graph, n))
      if (above.has(m)) back.add(n + ">" + m);
      else if (!seen.has(m)) visit(m, new Set([...above, m]));
    order.unshift(n);
  };
  for (const n of [...starts.filter(m => !led.has(m)), ...starts]) if (!seen.has(n)) visit(n, new Set([n]));
  return {order, back};
}
function reached(graph) {
  const seen = new Set(Object.values(graph.variables));
  for (const n of seen) if (n) for (const m of graph.nodes[n - 1].next) seen.add(m);
  seen.delete(0);
  return seen.size;
}
/* A column is one more than those of all that lead to it, so a list is a line; in it, the first row that is free. */
function placesOf(graph) {
  const places = new Map(), taken = new Set(), {order, back} = orderOf(graph);
  for (const n of order) {
    const before = order.filter(m => places.has(m) && nextOf(graph, m).includes(n) && !back.has(m + ">" + n));
    const x = Math.max(-1, ...before.map(m => places.get(m).x)) + 1;
    let y = before.length ? Math.min(...before.map(m => places.get(m).y)) : 0;
    while (taken.has(x + ":" + y)) y++;
    taken.add(x + ":" + y);
    places.set(n, {x, y});
  }
  return places;
}
const radius = 15, down = 84, letter = 6.5, mostNodes = 64;
function arrow(a, b, path) {
  return draw("path", {d: path || `M${a.x} ${a.y}L${b.x} ${b.y}`, class: "edge", "marker-end": "url(#tip)"});
}
/* From the rim of one circle to the rim of another: straight between neighbours, else in an arc above or, back, below what is between. */
function edgeBetween(from, to, across) {
  if (from === to) return arrow(from, to, `M${from.x - 7} ${from.y + 13}C${from.x - 22} ${from.y + 40} ${from.x + 22} ${from.y + 40} ${from.x + 8} ${from.y + 15}`);
  const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy), ux = dx / length, uy = dy / length;
  if (dx > 0 && (dx <= across || dy)) return arrow({x: from.x + ux * radius, y: from.y + uy * radius}, {x: to.x - ux * (radius + 4), y: to.y - uy * (radius + 4)});
  const side = dx > 0 ? -1 : 1, bend = side * Math.min(34, 18 + Math.abs(dx) / 12), rim = side * 11;
  return arrow(from, to, `M${from.x + 10 * Math.sign(dx)} ${from.y + rim}Q${(from.x + to.x) / 2} ${(from.y + to.y) / 2 + rim + bend} ${to.x - 12 * Math.sign(dx)} ${to.y + side * 14}`);
}
function drawNode(svg, node, at) {
  const dashed = node.shared ? {"stroke-dasharray": "4 3"} : {};
  if (node.summary) svg.append(draw("circle", {cx: at.x, cy: at.y, r: radius + 3, class: "node", ...dashed}));
  svg.append(draw("circle", {cx: at.x, cy: at.y, r: radius, class: "node", ...dashed}), draw("text", {x: at.x, y: at.y + 4, class: "inside"}, node.data.join(" ")));
}
function drawHeap(graph) {
  const names = Object.entries(graph.variables), nothing = names.filter(([, n]) => !n).map(([v]) => v).join(", ");
  if (reached(graph) > mostNodes) return make("p", {class: "note"}, `${reached(graph)} nodes`);
  const places = placesOf(graph), ats = new Map(), labels = new Map();
  for (const n of places.keys()) labels.set(n, names.filter(([, m]) => m === n).map(([v]) => v).join(", "));
  const widest = letter * Math.max(0, ...[...labels.values()].map(l => l.length)), margin = Math.max(26, widest / 2 + 4), across = Math.max(70, widest + 12);
  for (const [n, at] of places) ats.set(n, {x: margin + at.x * across, y: 62 + at.y * down});
  const right = Math.max(0, ...[...ats.values()].map(at => at.x)) + Math.max(margin, 44), bottom = ats.size ? Math.max(...[...ats.values()].map(at => at.y)) + 44 : 4;
  const width = Math.max(right, letter * (nothing.length + 8)), height = bottom + (nothing ? 18 : 0);
  const svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "heap"});
  svg.append(draw("title", {}, names.map(([v, n]) => `${v} at ${n || "null"}`).join(", ")));
  for (const [n, at] of ats) {
    const node = graph.nodes[n - 1];
    if (labels.get(n)) svg.append(draw("text", {x: at.x, y: at.y - 36, class: "name"}, labels.get(n)), arrow({x: at.x, y: at.y - 32}, {x: at.x, y: at.y - radius - 6}));
    for (const next of node.next)
      if (ats.has(next)) svg.append(edgeBetween(at, ats.get(next), across));
      else svg.append(arrow({x: at.x + 11, y: at.y + 11}, {x: at.x + 24, y: at.y + 24}), draw("text", {x: at.x + 26, y: at.y + 37, class: "name"}, "null"));
    drawNode(svg, node, at);
  }
  if (nothing) svg.append(draw("text", {x: 4, y: bottom + 12}, nothing + " = null"));
  return svg;
}
function figures(graphs, caption) {
  return make("div", {class: "figures"}, ...graphs.map((g, i) => make("figure", {}, drawHeap(g), make("figcaption", {}, make("code", {}, caption(g, i))))));
}
const mostDrawn = 60;
/* The heap at each step that changed it. */
function heapRun(trace) {
  const steps = trace.map((step, i) => ({i, step})).filter(({i, step}) => !i || JSON.stringify(step.heap) !== JSON.stringify(trace[i - 1].heap)).slice(0, mostDrawn);
  return make("details", {open: ""}, make("summary", {}, "The heap, step by step"), figures(steps.map(s => s.step.heap), (g, k) => `${steps[k].i}: ${steps[k].i ? done(steps[k].step) : "initial"}`));
}
function heapProof(graphs) {
  return make("details", {open: ""}, make("summary", {}, `${counted(graphs.length, "graph")}${graphs.length > mostDrawn ? `, of which ${mostDrawn} are drawn` : ""}; a double line stands for any number of nodes, a dashed one for nodes that others share`),
    figures(graphs.slice(0, mostDrawn), g => g.where));
}
