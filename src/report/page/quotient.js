/* ---- the finite structure behind a model ---- */
const mostBlocks = 40;
/* Blocks by how far they are from the first ones; each edge once. */
function drawQuotient(q) {
  const next = q.blocks.map(() => new Set()), level = q.blocks.map(() => -1);
  for (const [from, , to] of q.edges) next[from].add(to);
  let row = q.initial.slice();
  for (const b of row) level[b] = 0;
  for (let depth = 1; row.length; depth++) {
    const more = [...new Set(row.flatMap(b => [...next[b]]))].filter(b => level[b] < 0);
    for (const b of more) level[b] = depth;
    row = more;
  }
  const across = 74, up = 64, count = [], at = q.blocks.map((block, b) => ({x: 30 + Math.max(0, level[b]) * across, y: 40 + (count[level[b]] = (count[level[b]] || 0) + 1) * up - up}));
  const width = Math.max(...at.map(a => a.x)) + 50, height = Math.max(...at.map(a => a.y)) + 50, svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${q.blocks.length} blocks`, class: "heap"});
  next.forEach((set, from) => set.forEach(to => svg.append(edgeBetween(at[from], at[to], across))));
  q.blocks.forEach((block, b) => svg.append(draw("g", {}, draw("title", {}, block), draw("circle", {cx: at[b].x, cy: at[b].y, r: radius, class: "node" + (q.initial.includes(b) ? " first" : "")}), draw("text", {x: at[b].x, y: at[b].y + 4, class: "inside"}, String(b)))));
  return svg;
}
function quotientOf(p) {
  try {
    return p.certificate && p.certificate.text && p.certificate.text.startsWith("{") ? JSON.parse(p.certificate.text).quotient : undefined;
  } catch {
    return undefined;
  }
}
