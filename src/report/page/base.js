/* What the other parts of the page's script are made from: elements, tables, words. */
const read = id => JSON.parse(document.getElementById(id).textContent);
const data = Object.assign(read("data"), {texts: read("source")}), main = document.getElementById("main"); /* the text of the model and those that it includes, or none */
function fill(e, attributes, children) {
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  for (const c of children) e.append(c);
  return e;
}
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const isList = v => Array.isArray(v) && v.length > 0 && typeof v[0] === "object";
const shown = v => isList(v) ? `${v.length} entries` : v === null || v === undefined ? "" : typeof v === "object" ? JSON.stringify(v) : String(v);
const counted = (n, what) => n + " " + what + (n === 1 ? "" : "s");
const isNumber = v => typeof v === "number";
function table(keys, rows) {
  const head = make("tr", {}, ...keys.map(k => make("th", rows.length && isNumber(rows[0][k]) ? {class: "n"} : {}, k)));
  const words = v => Array.isArray(v) && !isList(v) ? v.map(shown).join("; ") : shown(v);
  const body = rows.map(row => make("tr", {}, ...keys.map(k => make("td", isNumber(row[k]) ? {class: "n"} : {}, words(row[k])))));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}
