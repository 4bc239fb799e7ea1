/* How the numbers of the iterations grew, each series to its own height. */
function chart(iterations) {
  const keys = Object.keys(iterations[0]).filter(k => k !== "seconds" && iterations.every(i => isNumber(i[k])) && new Set(iterations.map(i => i[k])).size > 1);
  if (iterations.length < 3 || !keys.length) return null;
  const width = 640, height = 150, left = 8, colours = ["#0b6bcb", "#18794e", "#c62a2f", "#9a6700", "#7048b6", "#0e7490"];
  const svg = draw("svg", {viewBox: `0 0 ${width + 190} ${height + 20}`, role: "img", "aria-label": "growth over the iterations"});
  keys.slice(0, colours.length).forEach((k, n) => {
    const top = Math.max(...iterations.map(i => i[k]));
    const points = iterations.map((it, i) => `${left + i * width / (iterations.length - 1)},${10 + height - height * it[k] / (top || 1)}`);
    svg.append(draw("polyline", {points: points.join(" "), fill: "none", stroke: colours[n], "stroke-width": 2}),
      draw("text", {x: width + 18, y: 22 + 18 * n, style: "fill:" + colours[n]}, `${k} (to ${top})`));
  });
  return svg;
}
