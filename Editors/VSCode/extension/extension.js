'use strict';
const vscode = require('vscode');
const { Connection } = require('./connection');
const { at, capabilities, diagnostic, fromRange, of, registerFeatures, uri } = require('./features');

const selector = ['swift', 'graphql'].map((language) => ({ language, scheme: 'file' }));
/** How often a server that ends is started again by itself. */
const RESTART_LIMIT = 3;
let log, diagnostics, server, restarts = 0, disposables = [];

const folders = (list = []) => list.map((folder) => ({ uri: folder.uri.toString(), name: folder.name }));

function dispose() {
  for (const item of disposables.splice(0)) item.dispose();
  diagnostics.clear();
}

/** Starts the server, and registers what it announces. */
async function start() {
  const command = vscode.workspace.getConfiguration('relay').get('server.command');
  const { workspaceFolders } = vscode.workspace;
  const started = new Connection(command, ['lsp'], workspaceFolders?.[0]?.uri.fsPath, {
    receive, log: (text) => log.append(text), closed: (error) => started === server && closed(error, command) });
  server = started;
  const result = await started.request('initialize', {
    processId: process.pid, rootUri: null, workspaceFolders: folders(workspaceFolders), capabilities });
  // Another start has replaced this one.
  if (started !== server) return started.stop();
  if (!result) return;
  started.send({ method: 'initialized', params: {} });
  disposables.push(...registerFeatures(selector, result.capabilities, (...request) => started.request(...request)));
  synchronize((method, params) => started.send({ method, params }));
}

/** Tells the server about open documents and the editor's folders. */
function synchronize(send) {
  const { workspace } = vscode;
  const isServed = (item) => vscode.languages.match(selector, item.document ?? item) > 0;
  const on = (event, body) => disposables.push(event((item) => isServed(item) && body(item)));
  const open = (document) => {
    const { languageId, version } = document;
    const item = { ...of(document).textDocument, languageId, version, text: document.getText() };
    send('textDocument/didOpen', { textDocument: item });
  };
  workspace.textDocuments.filter(isServed).forEach(open);
  on(workspace.onDidOpenTextDocument, open);
  on(workspace.onDidCloseTextDocument, (document) => send('textDocument/didClose', of(document)));
  on(workspace.onDidSaveTextDocument, (document) => send('textDocument/didSave', of(document)));
  on(workspace.onDidChangeTextDocument, ({ document, contentChanges }) => send('textDocument/didChange', {
    textDocument: { ...of(document).textDocument, version: document.version },
    contentChanges: contentChanges.map(({ range, text }) => ({ range: fromRange(range), text })) }));
  disposables.push(workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
    send('workspace/didChangeWorkspaceFolders', { event: { added: folders(added), removed: folders(removed) } })));
}

function receive(method, params) {
  switch (method) {
    case 'textDocument/publishDiagnostics': return diagnostics.set(uri(params.uri), params.diagnostics.map(diagnostic));
    case 'window/logMessage': return log.appendLine(params.message);
    case 'client/registerCapability': return params.registrations.forEach(watch);
    default: throw new Error(`The method "${method}" is unknown.`);
  }
}

/** Watches the files that the server asks for. */
function watch({ method, registerOptions }) {
  if (method !== 'workspace/didChangeWatchedFiles') return;
  for (const { globPattern: glob } of registerOptions.watchers) {
    const pattern = glob.pattern ? new vscode.RelativePattern(uri(glob.baseUri), glob.pattern) : glob;
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = (type) => (file) => server.send(
      { method: 'workspace/didChangeWatchedFiles', params: { changes: [{ uri: file.toString(), type }] } });
    disposables.push(
      watcher, watcher.onDidCreate(changed(1)), watcher.onDidChange(changed(2)), watcher.onDidDelete(changed(3)));
  }
}

async function closed(error, command) {
  dispose();
  log.appendLine(error.message);
  if (error.code !== 'ENOENT' && restarts++ < RESTART_LIMIT) return start();
  const message = error.code === 'ENOENT'
    ? `"${command}" was not found. Put relay-compiler into PATH, or set relay.server.command.`
    : `The language server of RelayStore ended: ${error.message}`;
  if (await vscode.window.showErrorMessage(message, 'Restart') === 'Restart') restart();
}

async function restart() {
  restarts = 0;
  await server.stop();
  dispose();
  return start();
}

/** Shows the document that is sent for the operation or fragment at the cursor. */
async function showOperation() {
  const editor = vscode.window.activeTextEditor;
  const content = editor && await server.request('relay/operationText', at(editor.document, editor.selection.active));
  if (!content) return vscode.window.showInformationMessage('There is no operation at the cursor.');
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'graphql', content }));
}

function activate(context) {
  log = vscode.window.createOutputChannel('RelayStore');
  diagnostics = vscode.languages.createDiagnosticCollection('relay');
  context.subscriptions.push(
    log, diagnostics, vscode.commands.registerCommand('relay.restart', restart),
    vscode.commands.registerCommand('relay.showOperation', showOperation));
  return start();
}

const deactivate = () => { dispose(); return server?.stop(); };

module.exports = { activate, deactivate };
