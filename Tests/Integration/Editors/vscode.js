'use strict';
// The steps and expectations of vscode.py: the extension in a folder, with a stub of VS Code and the real server.
//
//     node vscode.js EXTENSION PACKAGE
const assert = require('assert');
const childProcess = require('child_process');
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { Document, makeStub } = require('./vscode_stub');

const DEADLINE = 60000;
const [extensionFolder, folder] = process.argv.slice(2);
const state = { settings: { 'server.command': 'relay-compiler' } };
const stub = makeStub(folder, state);
const load = Module._load;
Module._load = (name, ...rest) => name === 'vscode' ? stub : load(name, ...rest);
const servers = [];
const { spawn } = childProcess;
childProcess.spawn = (...values) => { servers.push(spawn(...values)); return servers.at(-1); };
const extension = require(extensionFolder);
const { Connection } = require(path.join(extensionFolder, 'connection'));
const { registerFeatures } = require(path.join(extensionFolder, 'features'));

const file = (name) => path.join(folder, 'Sources', name);
const passed = [];

/** Waits until a function's value is as expected. */
async function until(name, expected, value) {
  const start = Date.now();
  for (;;) {
    const seen = await value();
    try { assert.deepStrictEqual(seen, expected); break; } catch (error) {
      if (Date.now() - start > DEADLINE) throw new Error(`${name}: ${error.message}\nlog: ${state.log}`);
    }
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  passed.push(name);
}

function expect(name, seen, expected) {
  assert.deepStrictEqual(seen, expected, `${name}: ${JSON.stringify(seen)}`);
  passed.push(name);
}

const open = (name) => {
  const document = new Document(file(name), fs.readFileSync(file(name), 'utf8'));
  stub.workspace.textDocuments.push(document);
  stub.workspace.onDidOpenTextDocument.fire(document);
  return document;
};

/** Makes edits in an open document, the last one first, as VS Code reports them. */
function edit(document, edits) {
  const sorted = edits.map(({ range, newText }) => ({
    range, text: newText, start: document.offset(range.start), end: document.offset(range.end) }));
  sorted.sort((left, right) => right.start - left.start);
  for (const { start, end, text } of sorted) document.text = document.text.slice(0, start) + text + document.text.slice(end);
  document.version += 1;
  stub.workspace.onDidChangeTextDocument.fire({ document, contentChanges: sorted });
}

function replace(document, old, newText) {
  const end = document.behind(old);
  edit(document, [{ range: new stub.Range(document.position(document.offset(end) - old.length), end), newText }]);
}

const messages = () => [...state.diagnostics].flatMap(([name, items]) => items.map(({ range, message, severity }) =>
  `${path.basename(name)}:${range.start.line + 1}:${range.start.character + 1}: ${severity} ${message}`)).sort();

async function checkDiagnostics(card, shelf) {
  replace(card, 'title', 'titel');
  await until('diagnostics', ['Card.swift:5:5: 0 Cannot query field "titel" on type "Book". Did you mean "title"?'], messages);
  const [shown] = state.diagnostics.get(card.uri.fsPath);
  const context = { diagnostics: [shown], only: new stub.CodeAction('', { value: 'quickfix' }).kind };
  const actions = await state.providers.CodeActions.provideCodeActions(card, shown.range, context);
  const fix = actions.find((action) => action.title.includes('"title"'));
  expect('a quick fix', [fix.kind.value, fix.diagnostics], ['quickfix', [shown]]);
  edit(card, fix.edit.files[0][1]);
  await until('no diagnostics after it', [], messages);
  replace(shelf, '...Byline_author', '...Byline_autor');
  await until('an unknown fragment', 1, () => messages().length);
  replace(shelf, '...Byline_autor', '...Byline_author');
  await until('none at the end', [], messages);
}

async function checkQueries(card, shelf) {
  const { providers } = state;
  const spread = shelf.behind('...Card_b');
  replace(shelf, '{ pages }', '{ pages tit }');
  const items = await providers.CompletionItem.provideCompletionItems(shelf, shelf.behind('pages tit'));
  const { insertText, kind, range } = items.find(({ label }) => label === 'title');
  expect('completion', [insertText, kind, range.end.character - range.start.character], ['title', 4, 3]);
  replace(shelf, '{ pages tit }', '{ pages }');
  const hover = await providers.Hover.provideHover(shelf, shelf.behind('{ pag'));
  expect('hover', hover.contents.value.includes('pages: Int!'), true);
  expect('no hover in Swift', await providers.Hover.provideHover(shelf, shelf.behind('private')), undefined);
  const [definition] = await providers.Definition.provideDefinition(shelf, spread);
  expect('definition', [definition.uri.fsPath, definition.range.start], [file('Books/Card.swift'), card.position(
    card.text.indexOf('Card_book'))]);
  const references = await providers.Reference.provideReferences(shelf, spread, { includeDeclaration: false });
  expect('references', references.map((item) => path.basename(item.uri.fsPath)), ['Shelf.swift']);
  const symbols = await providers.DocumentSymbol.provideDocumentSymbols(shelf);
  expect('symbols', symbols.map(({ name, kind: of }) => [name, of]), [['ShelfQuery', 11]]);
  const found = await providers.WorkspaceSymbol.provideWorkspaceSymbols('byline');
  expect('symbols of the workspace', found.map(({ name }) => name), ['Byline_author']);
  expect('folding', (await providers.FoldingRange.provideFoldingRanges(shelf)).length > 0, true);
  const everything = new stub.Range(shelf.position(0), shelf.position(shelf.text.length));
  const hints = await providers.InlayHints.provideInlayHints(shelf, everything);
  expect('inlay hints', hints.every(({ label }) => typeof label === 'string'), true);
}

async function checkEdits(card, shelf) {
  const { Rename, DocumentFormattingEdit } = state.providers;
  const spread = shelf.behind('...Card_b');
  expect('a name to rename', (await Rename.prepareRename(shelf, spread)).placeholder, 'Card_book');
  await assert.rejects(Rename.prepareRename(shelf, shelf.behind('private')), /no GraphQL name/);
  await assert.rejects(Rename.provideRenameEdits(shelf, spread, 'on'), /"?on"?/);
  const renaming = await Rename.provideRenameEdits(shelf, spread, 'Kart_book');
  for (const [uri, edits] of renaming.files) edit(uri.fsPath === card.uri.fsPath ? card : shelf, edits);
  expect('renaming', [card, shelf].map(({ text }) => /Kart_book/.test(text) && !/Card_book/.test(text)), [true, true]);
  await until('no diagnostics after renaming', [], messages);
  replace(card, '    pages', '      pages');
  edit(card, await DocumentFormattingEdit.provideDocumentFormattingEdits(card, { tabSize: 2, insertSpaces: true }));
  expect('formatting', card.text.includes('\n    pages\n'), true);
}

/** Features that are registered only if a server announces them, with responses as the protocol describes them. */
async function checkAnnounced(card) {
  const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 3 } };
  const responses = {
    'semanticTokens/full': { data: [2, 4, 5, 0, 0] }, documentHighlight: [{ range, kind: 3 }, { range }],
    selectionRange: [{ range, parent: { range } }], completion: { items: [
      { label: 'a', kind: 5, insertTextFormat: 2, textEdit: { range, newText: 'a($1)' } }] },
    signatureHelp: { activeParameter: 1, signatures: [{ label: 'a(b, c)', parameters: [
      { label: [2, 3] }, { label: [5, 6], documentation: { kind: 'markdown', value: '*c*' } }] }] },
  };
  const sent = {};
  const request = async (method, params) => {
    const name = method.slice('textDocument/'.length);
    sent[name] = params;
    return responses[name];
  };
  const legend = { tokenTypes: ['property'], tokenModifiers: [] };
  const server = {
    semanticTokensProvider: { legend, full: true }, documentHighlightProvider: true, selectionRangeProvider: true,
    completionProvider: { triggerCharacters: ['$'] }, signatureHelpProvider: { triggerCharacters: ['('] },
  };
  const registered = registerFeatures([], server, request);
  const kinds = ['CompletionItem', 'DocumentHighlight', 'DocumentSemanticTokens', 'SelectionRange', 'SignatureHelp'];
  expect('only announced features', Object.keys(state.providers).sort(), kinds);
  const { providers } = state;
  const place = new stub.Position(0, 1);
  const { data } = await providers.DocumentSemanticTokens.provideDocumentSemanticTokens(card);
  expect('semantic tokens', [...data], [2, 4, 5, 0, 0]);
  const highlights = await providers.DocumentHighlight.provideDocumentHighlights(card, place);
  expect('highlights', highlights.map(({ kind }) => kind), [2, 0]);
  const [selection] = await providers.SelectionRange.provideSelectionRanges(card, [place]);
  expect('selection ranges', [selection.parent.range.end.character, sent.selectionRange.positions], [3, [{ ...place }]]);
  const [item] = await providers.CompletionItem.provideCompletionItems(card, place);
  expect('a snippet', item.insertText.value, 'a($1)');
  const { signatures, activeParameter } = await providers.SignatureHelp.provideSignatureHelp(card, place);
  const parameters = signatures[0].parameters.map(({ label, documentation }) => [label, documentation?.value]);
  expect('signatures', [activeParameter, signatures[0].label, parameters], [
    1, 'a(b, c)', [[[2, 3], undefined], [[5, 6], '*c*']]]);
  for (const each of registered) each.dispose();
}

async function checkFiles(shelf) {
  const byline = file('Books/Byline.swift');
  const [watcher] = state.watchers.filter(({ pattern }) => pattern === '**/*.swift');
  const text = fs.readFileSync(byline, 'utf8');
  fs.writeFileSync(byline, 'import Foundation\n');
  watcher.onDidChange.fire(stub.Uri.file(byline));
  await until('a file that another program changed', ['Shelf.swift:4:38: 0 Unknown fragment "Byline_author".'], messages);
  fs.writeFileSync(byline, text);
  watcher.onDidChange.fire(stub.Uri.file(byline));
  await until('and changed back', [], messages);
  stub.window.activeTextEditor = { document: shelf, selection: { active: shelf.behind('query Sh') } };
  await state.commands['relay.showOperation']();
  expect('the operation as it is sent', state.shown.pop().startsWith('query ShelfQuery{'), true);
}

const ended = (process) => () => process.exitCode ?? process.signalCode;

async function checkEnds(card) {
  replace(card, 'title', 'titel');
  await until('an error', 1, () => messages().length);
  servers.at(-1).kill('SIGKILL');
  await until('a server that was killed is started again', [2, 1], () => [servers.length, messages().length]);
  expect('listeners', stub.workspace.onDidChangeTextDocument.count(), 1);
  await state.commands['relay.restart']();
  await until('a restart ends the server', 0, ended(servers[1]));
  await until('a restart', [3, 1], () => [servers.length, messages().length]);
  state.settings['server.command'] = path.join(folder, 'absent');
  await state.commands['relay.restart']();
  await until('a missing program is named', [true], () => state.errors.map((text) => text.includes('absent" was not found')));
  expect('without a server there are no diagnostics', messages(), []);
  state.settings['server.command'] = 'relay-compiler';
  await state.commands['relay.restart']();
  await until('a server after it was missing', 1, () => messages().length);
  await extension.deactivate();
  await until('deactivating ends the server', 0, ended(servers.at(-1)));
}

/** Runs a server made of JavaScript, and returns its connection and what it has logged and received. */
function scripted(script) {
  const seen = { received: [], log: '', closed: [] };
  const connection = new Connection(process.execPath, ['-e', script], folder, {
    receive: (method, params) => { seen.received.push([method, params]); return params; },
    log: (text) => { seen.log += text; }, closed: ({ message }) => seen.closed.push(message) });
  return { connection, seen };
}

const SEND = `const send = (message) => { const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from('Content-Type: x\\r\\ncontent-length: ' + body.length + '\\r\\n\\r\\n'), body]); };`;

async function checkFraming() {
  const slow = scripted(`${SEND} const bytes = Buffer.concat([send({ method: 'a', params: { text: 'größte 🐈' } }),
    send({ method: 'b', params: 1 })]); let index = 0;
    const next = () => { if (index < bytes.length) process.stdout.write(bytes.subarray(index, ++index), next); }; next();`);
  await until('messages byte by byte', [['a', { text: 'größte 🐈' }], ['b', 1]], () => slow.seen.received);
  await until('the end of a server', ['The server ended with 0.'], () => slow.seen.closed);
  expect('a request without a server', await slow.connection.request('x'), undefined);
  for (const [bytes, message] of [['nonsense\\r\\n\\r\\n', 'without a usable length'],
    ['Content-Length: -1\\r\\n\\r\\n', 'length'], ['Content-Length: 2\\r\\n\\r\\n{]', 'not JSON'], ['Content-Length: 4\\r\\n\\r\\nnull', 'not JSON']]) {
    const literal = JSON.stringify(bytes).replaceAll('\\\\', '\\');
    const broken = scripted(`process.stdout.write(${literal}); setInterval(() => {}, 1e6);`);
    const request = broken.connection.request('x');
    await until(`a server that sends ${JSON.stringify(bytes)}`, true, () => broken.seen.closed[0]?.includes(message) ?? false);
    expect('its requests end', await request, undefined);
    await until('it is ended', 'SIGTERM', ended(broken.connection.process));
  }
}

async function checkRequests() {
  const server = scripted(`${SEND} process.stdin.on('data', (bytes) => { process.stderr.write(bytes);
    const text = bytes.toString(); const reply = (message) => process.stdout.write(send(message));
    if (text.includes('"fail"')) reply({ id: 1, error: { code: -32803, message: 'No.' } });
    if (text.includes('cancelRequest')) reply({ id: 2, error: { code: -32800, message: 'cancelled' } });
    if (text.includes('"ask"')) reply({ id: 'q', method: 'question', params: [1] }); });`);
  await assert.rejects(server.connection.request('fail'), /^Error: No\.$/);
  let cancel;
  const request = server.connection.request('slow', {}, { onCancellationRequested: (body) => {
    cancel = body;
    return { dispose() {} };
  } });
  cancel();
  expect('a cancelled request', await request, undefined);
  server.connection.send({ method: 'ask' });
  await until('a response to the server', true, () => server.seen.log.includes('"id":"q","result":[1]'));
  server.connection.process.kill();
  await until('a signal', ['The server ended with SIGTERM.'], () => server.seen.closed);
}

async function main() {
  const card = open('Books/Card.swift');
  await extension.activate({ subscriptions: [] });
  const shelf = open('Shelf/Shelf.swift');
  await checkDiagnostics(card, shelf);
  await checkQueries(card, shelf);
  await checkEdits(card, shelf);
  await checkFiles(shelf);
  await checkEnds(card);
  await checkAnnounced(card);
  await checkFraming();
  await checkRequests();
  console.log(`VS Code's extension with node ${process.versions.node}: ${[...new Set(passed)].join('; ')}`);
}

main().then(() => process.exit(0), (error) => {
  console.log(`FAILED: ${error.stack}`);
  for (const server of servers) server.kill();
  process.exit(1);
});
