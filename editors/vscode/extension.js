// The extension: starts `whet lsp`, and shows verdicts behind the lines of properties.
"use strict";
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;
let output;
const marks = {};
const lastRun = { text: "" };

function decoration(colour, themeColour) {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: colour,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor(themeColour) },
  });
}

function kindOf(verdict) {
  if (verdict === "safe" || verdict === "holds") return "good";
  return verdict === "unknown" ? "open" : "bad";
}

// Verdicts by document: they go when the text is changed.
const verdicts = new Map();

function lineOf(document, property) {
  const name = property.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const declared = new RegExp(`^\\s*(?:safe|unreachable|ctl|ctlstar|ltl|mu|assert|deadlockfree|terminates)\\s+${name}\\b`);
  for (let i = 0; i < document.lineCount; i++) {
    const line = document.lineAt(i).text;
    if (declared.test(line) || line.trim() === property) return i;
  }
  return 0;
}

function show(editor) {
  const known = verdicts.get(editor.document.uri.toString()) || [];
  for (const kind of Object.keys(marks)) {
    const of = known.filter((r) => kindOf(r.verdict) === kind);
    editor.setDecorations(
      marks[kind],
      of.map((r) => {
        const end = editor.document.lineAt(lineOf(editor.document, r.property)).range.end;
        const words = `${r.verdict.toUpperCase()} (${r.engine}, ${r.seconds} s)${r.why ? ": " + r.why.split("\n")[0] : ""}`;
        return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: words } } };
      })
    );
  }
}

function keep(uri, results) {
  const names = new Set(results.map((r) => r.property));
  verdicts.set(uri, (verdicts.get(uri) || []).filter((r) => !names.has(r.property)).concat(results));
  for (const editor of vscode.window.visibleTextEditors) if (editor.document.uri.toString() === uri) show(editor);
  for (const r of results) {
    if (!r.run) continue;
    lastRun.text = `${r.property}: ${r.verdict.toUpperCase()}\n${r.run}`;
    output.appendLine(lastRun.text);
  }
}

async function start(context) {
  const settings = vscode.workspace.getConfiguration("whet");
  const run = { command: settings.get("program"), args: ["lsp", "--timeout", String(settings.get("seconds"))], transport: TransportKind.stdio };
  client = new LanguageClient("whet", "whet", { run, debug: run }, {
    documentSelector: [{ language: "whet" }],
    outputChannel: output,
    middleware: {
      async executeCommand(command, words, next) {
        const results = await next(command, words);
        if (command === "whet.verify" && Array.isArray(results)) keep(words[0], results);
        return results;
      },
    },
  });
  context.subscriptions.push({ dispose: () => client && client.stop() });
  await client.start();
}

async function activate(context) {
  output = vscode.window.createOutputChannel("whet");
  marks.good = decoration("#2e7d32", "testing.iconPassed");
  marks.bad = decoration("#c62828", "testing.iconFailed");
  marks.open = decoration("#f9a825", "testing.iconQueued");
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("whet.verifyAll", () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) return vscode.commands.executeCommand("whet.verify", editor.document.uri.toString());
    }),
    vscode.commands.registerCommand("whet.showRun", () => output.show()),
    vscode.commands.registerCommand("whet.restart", async () => {
      if (client) await client.stop();
      await start(context);
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length && verdicts.delete(event.document.uri.toString()))
        for (const editor of vscode.window.visibleTextEditors) if (editor.document === event.document) show(editor);
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => editor && show(editor))
  );
  try {
    await start(context);
  } catch (error) {
    vscode.window.showErrorMessage(`whet does not start: ${error.message}. The setting whet.program says where it is.`);
  }
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
