// `whet lsp` as the client library of VS Code sees it, and the grammar as its tokenizer does. In TAP; WHET_PROGRAM is the program.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const rpc = require("vscode-languageserver-protocol/node");

const program = process.env.WHET_PROGRAM || path.join(__dirname, "../../build/whet");
const uri = "file:///tmp/counter.whet";
const text = "var x : 0..9 = 0 // \u{1F600}\naction up: x < 5 -> x := x + 1\nsafe small: x <= 5\nsafe tiny: x <= 3\n";

let count = 0;
let failed = 0;
function check(name, good, detail) {
  count++;
  if (!good) failed++;
  if (!good) console.log(`# ${JSON.stringify(detail)}`);
  console.log(`${good ? "ok" : "not ok"} ${count} - ${name}`);
}

async function protocol() {
  const server = spawn(program, ["lsp", "--timeout", "60"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const c = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  const published = [];
  let wake = () => {};
  c.onNotification(rpc.PublishDiagnosticsNotification.type, (p) => { published.push(p); wake(); });
  c.onRequest(rpc.CodeLensRefreshRequest.type, () => null);
  c.onRequest(rpc.WorkDoneProgressCreateRequest.type, () => null);
  c.listen();
  const diagnostics = async (version) => {
    for (;;) {
      const found = published.find((p) => p.version === version);
      if (found) return found.diagnostics;
      await new Promise((resolve) => { wake = resolve; });
    }
  };
  const at = (line, character) => ({ textDocument: { uri }, position: { line, character } });
  const capabilities = { workspace: { codeLens: { refreshSupport: true } }, window: { workDoneProgress: true } };
  const begun = await c.sendRequest(rpc.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities });
  check("initialize", begun.capabilities.hoverProvider === true, begun);
  await c.sendNotification(rpc.InitializedNotification.type, {});
  await c.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "whet", version: 1, text } });
  check("no errors", (await diagnostics(1)).length === 0, published);
  const hover = await c.sendRequest(rpc.HoverRequest.type, at(1, 11));
  check("hover", /x : 0\.\.9 = 0/.test(hover.contents.value) && /values `0\.\.9`/.test(hover.contents.value), hover);
  const definition = await c.sendRequest(rpc.DefinitionRequest.type, at(2, 12));
  check("definition", definition.range.start.line === 0 && definition.range.start.character === 4, definition);
  const references = await c.sendRequest(rpc.ReferencesRequest.type, { ...at(0, 4), context: { includeDeclaration: true } });
  check("references", references.length === 6, references);
  const renamed = await c.sendRequest(rpc.RenameRequest.type, { ...at(0, 4), newName: "y" });
  check("rename", renamed.changes[uri].length === 6, renamed);
  const items = await c.sendRequest(rpc.CompletionRequest.type, at(2, 12));
  check("completion", items.some((i) => i.label === "x") && items.some((i) => i.label === "forall"), items);
  const symbols = await c.sendRequest(rpc.DocumentSymbolRequest.type, { textDocument: { uri } });
  check("symbols", symbols.map((s) => s.name).sort().join() === "small,tiny,up,x", symbols);
  const lenses = await c.sendRequest(rpc.CodeLensRequest.type, { textDocument: { uri } });
  check("lenses", lenses.length === 3 && lenses[0].command.command === "whet.verify", lenses);
  const results = await c.sendRequest(rpc.ExecuteCommandRequest.type, { command: "whet.verify", arguments: [uri] });
  check("verdicts", results.map((r) => r.verdict).sort().join() === "safe,unsafe", results);
  await c.sendNotification(rpc.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: { line: 0, character: 22 }, end: { line: 0, character: 22 } }, text: "\nvar y : wrong" }],
  });
  const wrong = await diagnostics(2);
  check("an error", wrong.length === 1 && wrong[0].range.start.line === 1 && wrong[0].range.start.character === 8, wrong);
  const hard = "var x, y : int = 1\naction a: true -> x := x * x + y, y := x * y + 1\naction b: true -> x := y * y - x\nsafe hard: x * x != 7 * y * y + 3\n";
  await c.sendNotification(rpc.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 3 }, contentChanges: [{ text: hard }] });
  await diagnostics(3);
  const stop = new rpc.CancellationTokenSource();
  const running = c.sendRequest(rpc.ExecuteCommandRequest.type, { command: "whet.verify", arguments: [uri, "hard"] }, stop.token);
  setTimeout(() => stop.cancel(), 200);
  const end = await running.then(() => "it ended", (e) => e.code);
  check("a run is cancelled", end === rpc.LSPErrorCodes.RequestCancelled, end);
  await c.sendRequest(rpc.ShutdownRequest.type);
  await c.sendNotification(rpc.ExitNotification.type);
  check("the end", (await ended) === 0);
  c.dispose();
}

async function grammar() {
  const onig = require("vscode-oniguruma");
  const tm = require("vscode-textmate");
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await onig.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const onigLib = Promise.resolve({ createOnigScanner: (s) => new onig.OnigScanner(s), createOnigString: (s) => new onig.OnigString(s) });
  const content = fs.readFileSync(path.join(__dirname, "whet.tmLanguage.json"), "utf8");
  const registry = new tm.Registry({ onigLib, loadGrammar: async () => tm.parseRawGrammar(content, "whet.tmLanguage.json") });
  const loaded = await registry.loadGrammar("source.whet");
  const scopes = (line) => loaded.tokenizeLine(line, tm.INITIAL).tokens.map((t) => [line.slice(t.startIndex, t.endIndex), t.scopes[t.scopes.length - 1]]);
  const of = (line, word) => (scopes(line).find(([w]) => w.trim() === word) || [])[1];
  check("a property", of("safe mutex: x <= 3 // why", "mutex") === "entity.name.tag.whet", scopes("safe mutex: x <= 3 // why"));
  check("a comment", of("safe mutex: x <= 3 // why", "// why") === "comment.line.double-slash.whet");
  check("a type", of("var x : nat = 0", "nat") === "storage.type.whet", scopes("var x : nat = 0"));
  check("a quoted name", of("var |a b| : int", "|a b|") === "variable.other.quoted.whet");
  check("no word inside of a name", of("var formal : int", "formal") === "source.whet" || of("var formal : int", "formal") === undefined, scopes("var formal : int"));
}

protocol()
  .then(grammar)
  .catch((e) => check("no exception", false, String(e && e.stack)))
  .then(() => {
    console.log(`1..${count}`);
    process.exit(failed ? 1 : 0);
  });
