/* ---- a run, to walk through ---- */
/* What was done, with its inputs: as the lines on standard output have it. */
function done(step) {
  if (step.round) return `${step.round === 1 ? "the same step" : `the last ${step.round} steps`} ${shown(step.times)} times more`;
  const inputs = Object.entries(step.inputs || {}).map(([k, v]) => `${(k.startsWith(step.action + ".") ? k.slice(step.action.length + 1) : k).replace(/!\d+$/, "")} = ${shown(v)}`).join(", ");
  return (step.statement || step.action) + (inputs && ` (${inputs})`) + (step.derives ? `: ${step.derives}` : "");
}
const actionOf = (step, i) => step.action === null || step.action === undefined ? (i ? "" : "initial") : done(step);
/* The lines that a step goes through, as `sourceView` names them: those in the name of a step of a C program, else the one of its action. */
function linesOf(step) {
  const named = step.action ? [...step.action.matchAll(/(?:^|; )(\d+): /g)].map(m => Number(m[1])) : [];
  return (named.length ? named : step.line ? [step.line] : []).map(line => lineKey(step.file, line));
}
const longestBlock = 24, fewestTimes = 4;
/* Rows of the list: a step, or a block of steps that comes several times in a row. */
function foldedRows(trace, folds) {
  const keys = trace.map((s, i) => i ? done(s) : ""), rows = [];
  const timesAt = (first, length) => {
    let same = 0;
    while (first + length + same < keys.length && keys[first + same] === keys[first + length + same]) same++;
    return 1 + Math.floor(same / length);
  };
  for (let i = 0; i < trace.length;) {
    let best = {times: 0, length: 1};
    if (i && folds)
      for (let length = 1; length <= longestBlock && i + length < trace.length; length++) {
        const times = timesAt(i, length);
        if (times >= fewestTimes && times * length > best.times * best.length) best = {times, length};
      }
    if (!best.times) {
      rows.push({step: i++});
      continue;
    }
    for (let k = 0; k < best.length; k++) rows.push({step: i + k});
    rows.push({first: i + best.length, count: best.length * (best.times - 2), times: best.times - 2, length: best.length});
    i += best.length * (best.times - 1);
    for (let k = 0; k < best.length; k++, i++) rows.push({step: i});
  }
  return rows;
}
const rowHeight = 24;
/* A list of which only the rows in sight exist, so that 100,000 of them cost nothing. */
function rowList(label, height, choose) {
  const inner = make("div", {class: "rows-inner"}), box = make("div", {class: "rows", role: "listbox", "aria-label": label, style: `height:${height}px`}, inner);
  const state = {rows: [], text: () => "", chosen: -1};
  const paint = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 4), last = Math.min(state.rows.length, first + Math.ceil(height / rowHeight) + 8);
    inner.replaceChildren(...state.rows.slice(first, last).map((row, k) => {
      const e = make("div", {class: "row" + (first + k === state.chosen ? " chosen" : "") + (row.step === undefined ? " fold" : ""), role: "option", "aria-selected": String(first + k === state.chosen), "aria-posinset": first + k + 1,
        "aria-setsize": state.rows.length, style: `top:${(first + k) * rowHeight}px`}, ...state.text(row));
      e.addEventListener("click", () => choose(row.step === undefined ? row.first : row.step));
      return e;
    }));
  };
  box.addEventListener("scroll", paint);
  return {
    box,
    set(rows, text) {
      state.rows = rows;
      state.text = text;
      inner.style.height = rows.length * rowHeight + "px";
      box.style.height = Math.min(height, rows.length * rowHeight + 2) + "px";
      paint();
    },
    choose(i) {
      state.chosen = i;
      if (i * rowHeight < box.scrollTop || (i + 1) * rowHeight > box.scrollTop + height) box.scrollTop = Math.max(0, i * rowHeight - height / 2);
      paint();
    },
  };
}
const rowOfStep = (rows, i) => rows.findIndex(r => r.step === i || (r.step === undefined && i >= r.first && i < r.first + r.count));
const asNumber = v => typeof v === "number" ? v : typeof v === "boolean" ? Number(v) : /^-?\d+$/.test(String(v)) ? Number(v) : NaN;
const valuesOf = (trace, name) => trace.map(s => asNumber((s.state || {})[name]));
const mostPoints = 400, plotColours = ["#0b6bcb", "#18794e", "#c62a2f", "#9a6700", "#7048b6", "#0e7490"];
/* Of long runs the least and the greatest value of each stretch. */
function thinned(values) {
  if (values.length <= mostPoints) return values.map((v, i) => [i, v]);
  const points = [], stretch = values.length / (mostPoints / 2);
  for (let s = 0; s < mostPoints / 2; s++) {
    let least = -1, most = -1;
    for (let i = Math.floor(s * stretch); i < Math.floor((s + 1) * stretch); i++) {
      if (Number.isNaN(values[i])) continue;
      if (least < 0 || values[i] < values[least]) least = i;
      if (most < 0 || values[i] > values[most]) most = i;
    }
    if (least >= 0) points.push(...[...new Set([least, most])].sort((a, b) => a - b).map(i => [i, values[i]]));
  }
  return points;
}
/* Values of variables over the run, with axes: steps to the right, values upwards. */
function plot(trace, names, at, choose) {
  const width = 420, height = 180, left = 52, bottom = 24, series = names.map(n => valuesOf(trace, n)), known = series.flatMap(s => thinned(s).map(p => p[1])).filter(v => !Number.isNaN(v));
  if (!known.length) return null;
  let low = Math.min(...known), high = Math.max(...known);
  if (low === high) low -= 1, high += 1;
  const x = i => left + (width - left - 10) * i / Math.max(1, trace.length - 1), y = v => 10 + (height - bottom - 10) * (1 - (v - low) / (high - low));
  const svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `values of ${names.join(", ")} over the steps of the run`, class: "plot"});
  svg.append(draw("path", {d: `M${left} 10V${height - bottom}H${width - 10}`, class: "axis"}), draw("text", {x: left - 6, y: 16, "text-anchor": "end"}, String(high)),
    draw("text", {x: left - 6, y: height - bottom, "text-anchor": "end"}, String(low)), draw("text", {x: left, y: height - 8}, "step 0"), draw("text", {x: width - 10, y: height - 8, "text-anchor": "end"}, `step ${trace.length - 1}`));
  series.forEach((s, n) => {
    const points = thinned(s).filter(p => !Number.isNaN(p[1])), colour = plotColours[n % plotColours.length];
    svg.append(draw("path", {d: points.map(([i, v], k) => (k ? `H${x(i)}V${y(v)}` : `M${x(i)} ${y(v)}`)).join(""), fill: "none", stroke: colour, "stroke-width": 2}),
      draw("text", {x: left + 12, y: 22 + 15 * n, style: "fill:" + colour}, names[n]));
  });
  svg.append(draw("path", {d: `M${x(at)} 10V${height - bottom}`, class: "now"}));
  svg.addEventListener("click", e => {
    const box = svg.getBoundingClientRect(), i = Math.round(((e.clientX - box.left) * width / box.width - left) / (width - left - 10) * (trace.length - 1));
    choose(Math.max(0, Math.min(trace.length - 1, i)));
  });
  return svg;
}
/* A run that goes on for ever: a line that leads into a ring. */
function drawLoop(trace, loop, at, choose) {
  const most = 14, length = trace.length - 1 - loop, ring = Math.max(1, length), shownRing = Math.min(ring, most), shownStem = Math.min(loop, 6);
  const r = 46, cx = 40 + shownStem * 46 + r + 20, cy = 66, svg = draw("svg", {viewBox: `0 0 ${cx + r + 30} 132`, role: "img", width: cx + r + 30, "aria-label": `${counted(loop, "step")}, then a loop of ${counted(ring, "step")} for ever`, class: "loop"});
  const dot = (px, py, i, words) => {
    const g = draw("g", {class: i === at ? "state now" : "state"}, draw("circle", {cx: px, cy: py, r: 11}), draw("text", {x: px, y: py + 4, class: "inside"}, words));
    if (i !== null) g.addEventListener("click", () => choose(i));
    return g;
  };
  for (let k = 0; k < shownStem; k++) {
    const skips = loop > shownStem && k === shownStem - 1, i = skips ? null : k;
    svg.append(arrow({x: 31 + k * 46, y: cy}, {x: 20 + (k + 1) * 46 - (k + 1 === shownStem ? -14 : 16), y: cy}), dot(20 + k * 46, cy, i, skips ? ".." : String(k)));
  }
  for (let k = 0; k < shownRing; k++) {
    const angle = j => Math.PI + 2 * Math.PI * j / shownRing, skips = ring > shownRing && k === shownRing - 1, i = skips ? null : loop + k;
    const on = a => `${cx + r * Math.cos(a)} ${cy + r * Math.sin(a)}`;
    if (shownRing > 1) svg.append(arrow(null, null, `M${on(angle(k) + 12 / r)}A${r} ${r} 0 0 1 ${on(angle(k + 1) - 15 / r)}`));
    svg.append(dot(cx + r * Math.cos(angle(k)), cy + r * Math.sin(angle(k)), i, skips ? ".." : String(loop + k)));
  }
  if (shownRing === 1) svg.append(arrow(null, null, `M${cx - r + 8} ${cy - 8}C${cx + 20} ${cy - 50} ${cx + 20} ${cy + 50} ${cx - r + 10} ${cy + 9}`));
  return svg;
}
function stepButton(label, title, act) {
  const b = make("button", {type: "button", title, "aria-label": title}, label);
  b.addEventListener("click", act);
  return b;
}
/* The variables at one step: those that changed are marked; a click on a name puts it into the chart. */
function stateTable(trace, i, words, plotted, toggle) {
  const now = trace[i].state || {}, before = i ? trace[i - 1].state || {} : {}, names = Object.keys(now).filter(n => n.toLowerCase().includes(words.toLowerCase()));
  const rows = names.slice(0, 300).map(n => {
    const changed = i > 0 && shown(now[n]) !== shown(before[n]), box = make("button", {type: "button", class: "name" + (plotted.has(n) ? " plotted" : ""), "aria-pressed": String(plotted.has(n)), title: "show in the chart"}, n);
    box.addEventListener("click", () => toggle(n));
    return make("tr", {}, make("td", {}, box), make("td", {class: "n" + (changed ? " changed" : "")}, shown(now[n])), make("td", {class: "n note"}, changed ? shown(before[n]) : ""));
  });
  if (names.length > rows.length) rows.push(make("tr", {}, make("td", {class: "note"}, `and ${names.length - rows.length} more: use the filter`)));
  return make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "variable"), make("th", {class: "n"}, "value"), make("th", {class: "n"}, "before"))), make("tbody", {}, ...rows));
}
/* The run of a property: buttons and keys, the text beside it, values, a chart, the list of steps. */
function runView(p, name) {
  const trace = p.trace, last = trace.length - 1, plotted = new Set(), state = {at: 0, rows: []};
  const where = make("output", {class: "where", "aria-live": "polite"}), slider = make("input", {type: "range", min: 0, max: last, value: 0, "aria-label": "step"}), what = make("p", {class: "what"});
  const filter = make("input", {type: "search", placeholder: "filter variables", "aria-label": "filter variables"}), values = make("div", {class: "values"}), chartBox = make("div"), loopBox = make("div");
  const folds = make("input", {type: "checkbox", checked: ""}), list = rowList("steps of the run", 12 * rowHeight, i => go(i)), text = data.texts.length ? sourceView(trace, p.loops) : null;
  const refold = () => {
    state.rows = foldedRows(trace, folds.checked);
    list.set(state.rows, r => r.step === undefined ? [`.. ${r.length === 1 ? "the same step" : `the same ${r.length} steps`} ${r.times} times more`] : [make("span", {class: "n"}, String(r.step)), " " + actionOf(trace[r.step], r.step)]);
    list.choose(rowOfStep(state.rows, state.at));
  };
  const toggle = n => {
    if (!plotted.delete(n)) plotted.add(n);
    show();
  };
  const show = () => {
    where.textContent = `step ${state.at} of ${last}`;
    slider.value = state.at;
    what.textContent = actionOf(trace[state.at], state.at);
    values.replaceChildren(stateTable(trace, state.at, filter.value, plotted, toggle));
    const drawn = plotted.size ? plot(trace, [...plotted], state.at, go) : null;
    chartBox.replaceChildren(...(drawn ? [drawn] : []));
    if (p.loop !== undefined) loopBox.replaceChildren(drawLoop(trace, p.loop, state.at, go));
    list.choose(rowOfStep(state.rows, state.at));
    if (text) text.mark(state.at);
  };
  const go = i => {
    state.at = Math.max(0, Math.min(last, i));
    show();
  };
  slider.addEventListener("input", () => go(Number(slider.value)));
  filter.addEventListener("input", show);
  folds.addEventListener("change", refold);
  const controls = make("div", {class: "controls"}, stepButton("|◀", "first step", () => go(0)), stepButton("◀", "one step back", () => go(state.at - 1)), stepButton("▶", "one step on", () => go(state.at + 1)),
    stepButton("▶|", "last step", () => go(last)), slider, where);
  const view = make("div", {class: "run", tabindex: "0", role: "group", "aria-label": `The run that breaks ${name}; arrow keys walk through it`}, controls, what, loopBox,
    make("div", {class: "beside"}, ...(text ? [text.box] : []), make("div", {}, filter, values, chartBox)), make("label", {class: "note"}, folds, " fold repeated steps"), list.box);
  view.addEventListener("keydown", e => {
    if (e.target.tagName === "INPUT") return;
    const by = {ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10}[e.key];
    if (by) go(state.at + by);
    else if (e.key === "Home") go(0);
    else if (e.key === "End") go(last);
    else return;
    e.preventDefault();
  });
  const numeric = Object.keys(trace[0].state || {}).filter(n => new Set(valuesOf(trace.slice(0, 2000), n).filter(v => !Number.isNaN(v))).size > 2);
  for (const n of numeric.slice(0, 3)) plotted.add(n);
  refold();
  go(0);
  return view;
}
