'use strict';
// A small part of the API of VS Code, enough for the extension: values, events, and what the extension has registered.
const path = require('path');
const { fileURLToPath, pathToFileURL } = require('url');

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}

class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
  isEqual(other) { return JSON.stringify(this) === JSON.stringify(other); }
}

class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(pathToFileURL(fileURLToPath(text)).href); }
  static file(file) { return new Uri(pathToFileURL(file).href); }
  get scheme() { return this.text.slice(0, this.text.indexOf(':')); }
  get fsPath() { return fileURLToPath(this.text); }
  // VS Code escapes more than others do.
  toString() { return this.text.replaceAll('+', '%2B'); }
}

class WorkspaceEdit {
  constructor() { this.files = []; }
  set(uri, edits) { this.files.push([uri, edits]); }
}

class Kind {
  constructor(value) { this.value = value; }
  append(part) { return new Kind(this.value ? `${this.value}.${part}` : part); }
}

/** A class whose instances keep the arguments of their constructor under names. */
const record = (...names) => class {
  constructor(...values) { names.forEach((name, index) => { this[name] = values[index]; }); }
};

/** An event: call it to listen, and `fire` to tell the listeners. */
function event() {
  const listeners = new Set();
  const on = (listener) => { listeners.add(listener); return { dispose: () => listeners.delete(listener) }; };
  on.fire = (value) => listeners.forEach((listener) => listener(value));
  on.count = () => listeners.size;
  return on;
}

class Document {
  constructor(file, text) {
    const languageId = { '.swift': 'swift', '.graphql': 'graphql' }[path.extname(file)] ?? 'plaintext';
    Object.assign(this, { uri: Uri.file(file), languageId, version: 1, text });
  }
  getText() { return this.text; }
  offset({ line, character }) {
    return this.text.split('\n').slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  }
  position(offset) {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1).length);
  }
  /** The position behind the first occurrence of a string. */
  behind(string) {
    const index = this.text.indexOf(string);
    if (index < 0) throw new Error(`"${string}" is not in ${this.uri}.`);
    return this.position(index + string.length);
  }
}

/** A token that is never cancelled; VS Code passes one behind the parameters of each method. */
const token = { onCancellationRequested: () => ({ dispose() {} }) };

/** Makes the module `vscode` for a folder, with what the test needs to see in `state`. */
function makeStub(folder, state) {
  Object.assign(state, { diagnostics: new Map(), providers: {}, commands: {}, watchers: [], errors: [], shown: [], log: '' });
  const isMatch = (selector, document) => selector.some(
    (filter) => filter.language === document.languageId && filter.scheme === document.uri.scheme);
  const register = (kind) => (...values) => {
    const provider = values.find((value) => typeof value === 'object' && !Array.isArray(value));
    const call = (method) => (...parameters) => provider[method](...parameters, token);
    state.providers[kind] = Object.fromEntries(Object.keys(provider).map((method) => [method, call(method)]));
    return { dispose: () => { delete state.providers[kind]; } };
  };
  const languages = new Proxy({
    match: (selector, document) => document.uri && isMatch(selector, document) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set: (uri, items) => state.diagnostics.set(uri.fsPath, items), clear: () => state.diagnostics.clear(), dispose() {} }),
  }, { get: (target, name) => target[name] ?? register(/^register(.*)Provider$/.exec(name)[1]) });
  const workspace = {
    workspaceFolders: [{ uri: Uri.file(folder), name: path.basename(folder) }], textDocuments: [],
    getConfiguration: () => ({ get: (name) => state.settings[name] }),
    createFileSystemWatcher: (pattern) => {
      const watcher = { pattern, onDidCreate: event(), onDidChange: event(), onDidDelete: event(), dispose() {} };
      state.watchers.push(watcher);
      return watcher;
    },
    openTextDocument: async (options) => options,
  };
  for (const name of ['OpenTextDocument', 'CloseTextDocument', 'SaveTextDocument', 'ChangeTextDocument',
    'ChangeWorkspaceFolders']) workspace[`onDid${name}`] = event();
  const window = {
    createOutputChannel: () => ({
      append: (text) => { state.log += text; }, appendLine: (text) => { state.log += `${text}\n`; }, dispose() {} }),
    showErrorMessage: async (text) => { state.errors.push(text); return undefined; },
    showInformationMessage: async (text) => { state.shown.push(text); },
    showTextDocument: async ({ content }) => { state.shown.push(content); },
  };
  const commands = { registerCommand: (name, body) => { state.commands[name] = body; return { dispose() {} }; } };
  return {
    Position, Range, Uri, WorkspaceEdit, languages, workspace, window, commands,
    Location: record('uri', 'range'), TextEdit: record('range', 'newText'), MarkdownString: record('value'),
    Diagnostic: record('range', 'message', 'severity'), DiagnosticRelatedInformation: record('location', 'message'),
    SnippetString: record('value'), SignatureHelp: record(), SignatureInformation: record('label', 'documentation'),
    ParameterInformation: record('label', 'documentation'), DocumentHighlight: record('range', 'kind'),
    SelectionRange: record('range', 'parent'), CompletionItem: record('label', 'kind'), CodeAction: record('title', 'kind'),
    CodeActionKind: { Empty: new Kind('') }, Hover: record('contents', 'range'), FoldingRange: record('start', 'end'),
    DocumentSymbol: record('name', 'detail', 'kind', 'range', 'selectionRange'), InlayHint: record('position', 'label', 'kind'),
    SymbolInformation: record('name', 'kind', 'container', 'location'), SemanticTokens: record('data'),
    SemanticTokensLegend: record('types', 'modifiers'), RelativePattern: record('base', 'pattern'),
  };
}

module.exports = { Document, makeStub };
