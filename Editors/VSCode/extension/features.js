'use strict';
const vscode = require('vscode');

// From the protocol to the editor. Positions are in UTF-16 units on both sides; kinds start at 1 in the protocol.
const position = ({ line, character }) => new vscode.Position(line, character);
const range = ({ start, end }) => new vscode.Range(position(start), position(end));
const uri = (text) => vscode.Uri.parse(text, true);
const location = (item) => new vscode.Location(uri(item.uri), range(item.range));
const textEdit = (edit) => new vscode.TextEdit(range(edit.range), edit.newText);
const markdown = (text) => typeof text === 'object' ? new vscode.MarkdownString(text.value) : text;
const list = (convert) => (items) => [items].flat().map(convert);

// From the editor to the protocol.
const fromPosition = ({ line, character }) => ({ line, character });
const fromRange = ({ start, end }) => ({ start: fromPosition(start), end: fromPosition(end) });
const of = (document) => ({ textDocument: { uri: document.uri.toString() } });
const at = (document, place) => ({ ...of(document), position: fromPosition(place) });

function workspaceEdit({ documentChanges, changes }) {
  const result = new vscode.WorkspaceEdit();
  const files = documentChanges?.map(({ textDocument, edits }) => [textDocument.uri, edits]) ?? Object.entries(changes);
  for (const [file, edits] of files) result.set(uri(file), edits.map(textEdit));
  return result;
}

function diagnostic({ message, severity = 1, code, source, tags, relatedInformation = [], ...item }) {
  const related = (other) => new vscode.DiagnosticRelatedInformation(location(other.location), other.message);
  return Object.assign(new vscode.Diagnostic(range(item.range), message, severity - 1),
    { code, source, tags, relatedInformation: relatedInformation.map(related) });
}

function completion({ label, kind, detail, sortText, filterText, tags, insertTextFormat, ...item }) {
  const { newText = label, range: place } = item.textEdit ?? {};
  return Object.assign(new vscode.CompletionItem(label, kind - 1), {
    detail, sortText, filterText, tags, documentation: markdown(item.documentation), range: place && range(place),
    insertText: insertTextFormat === 2 ? new vscode.SnippetString(newText) : newText });
}

function signatureHelp({ signatures, activeSignature = 0, activeParameter = 0 }) {
  const convert = (type) => (item) => Object.assign(new type(item.label, markdown(item.documentation)),
    item.parameters && { parameters: item.parameters.map(convert(vscode.ParameterInformation)) });
  const converted = signatures.map(convert(vscode.SignatureInformation));
  return Object.assign(new vscode.SignatureHelp(), { signatures: converted, activeSignature, activeParameter });
}

function codeAction(item, shown) {
  const fixes = ({ message, range: place }) => item.diagnostics?.some(
    (fixed) => fixed.message === message && range(fixed.range).isEqual(place));
  return Object.assign(new vscode.CodeAction(item.title, vscode.CodeActionKind.Empty.append(item.kind)), {
    edit: workspaceEdit(item.edit), diagnostics: shown.filter(fixes), isPreferred: item.isPreferred });
}

function symbol({ name, detail = '', kind, children = [], ...item }) {
  const found = new vscode.DocumentSymbol(name, detail, kind - 1, range(item.range), range(item.selectionRange));
  return Object.assign(found, { children: children.map(symbol) });
}

const selection = ({ parent, ...item }) => new vscode.SelectionRange(range(item.range), parent && selection(parent));
const inlayHint = ({ label, kind, paddingLeft, ...item }) =>
  Object.assign(new vscode.InlayHint(position(item.position), label, kind), { paddingLeft });

const offsets = { labelOffsetSupport: true };

/** The capabilities of this client. */
const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    workspaceFolders: true, workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] } },
    rename: { prepareSupport: true }, foldingRange: { lineFoldingOnly: true },
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    signatureHelp: { signatureInformation: { documentationFormat: ['markdown'], parameterInformation: offsets } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } } },
    semanticTokens: {
      requests: { full: true }, formats: ['relative'], tokenModifiers: ['declaration', 'deprecated'],
      tokenTypes: ['type', 'enum', 'interface', 'struct', 'enumMember', 'property', 'parameter', 'variable', 'function',
        'decorator', 'keyword', 'comment', 'string', 'number', 'operator'],
    },
  },
};

/** Registers the features that a server has announced. `request` takes a method, its parameters and a token. */
function registerFeatures(selector, announced, request) {
  const { languages } = vscode;
  const ask = (method, convert, params = of) => async (document, ...rest) => {
    const result = await request(`textDocument/${method}`, params(document, ...rest), rest.at(-1));
    return result ? convert(result, ...rest) : undefined;
  };
  const register = (kind, provider, ...rest) => languages[`register${kind}Provider`](selector, provider, ...rest);
  const references = ask('references', list(location),
    (document, place, { includeDeclaration }) => ({ ...at(document, place), context: { includeDeclaration } }));
  const actions = ask('codeAction', (found, _, { diagnostics }) => found.map((item) => codeAction(item, diagnostics)),
    (document, place, { only }) =>
      ({ ...of(document), range: fromRange(place), context: { diagnostics: [], only: only && [only.value] } }));
  const preparation = ask('prepareRename', (found) => ({ ...found, range: range(found.range) }), at);
  const fail = () => { throw new Error('There is no GraphQL name here.'); };
  const prepareRename = async (...place) => await preparation(...place) ?? fail();
  const renaming = ask('rename', workspaceEdit, (document, place, newName) => ({ ...at(document, place), newName }));
  const hover = ({ contents, range: place }) => new vscode.Hover(markdown(contents), place && range(place));
  const folding = ({ startLine, endLine }) => new vscode.FoldingRange(startLine, endLine);
  const hints = ask('inlayHint', list(inlayHint), (document, place) => ({ ...of(document), range: fromRange(place) }));
  const format = ask('formatting', list(textEdit), (document, options) => ({ ...of(document), options }));
  const tokens = ask('semanticTokens/full', ({ data }) => new vscode.SemanticTokens(new Uint32Array(data)));
  const found = ({ name, kind, ...item }) => new vscode.SymbolInformation(name, kind - 1, '', location(item.location));
  const symbols = async (query, token) => (await request('workspace/symbol', { query }, token))?.map(found);
  const highlight = ({ kind = 1, ...item }) => new vscode.DocumentHighlight(range(item.range), kind - 1);
  const ranges = ask('selectionRange', list(selection),
    (document, places) => ({ ...of(document), positions: places.map(fromPosition) }));
  const completions = ask('completion', ({ items }) => items.map(completion), at);
  const registrations = {
    completion: ({ triggerCharacters }) =>
      register('CompletionItem', { provideCompletionItems: completions }, ...triggerCharacters),
    hover: () => register('Hover', { provideHover: ask('hover', hover, at) }),
    signatureHelp: ({ triggerCharacters, retriggerCharacters = [] }) => register('SignatureHelp',
      { provideSignatureHelp: ask('signatureHelp', signatureHelp, at) }, { triggerCharacters, retriggerCharacters }),
    documentHighlight: () => register('DocumentHighlight',
      { provideDocumentHighlights: ask('documentHighlight', list(highlight), at) }),
    selectionRange: () => register('SelectionRange', { provideSelectionRanges: ranges }),
    definition: () => register('Definition', { provideDefinition: ask('definition', list(location), at) }),
    references: () => register('Reference', { provideReferences: references }),
    rename: () => register('Rename', { prepareRename, provideRenameEdits: renaming }),
    codeAction: () => register('CodeActions', { provideCodeActions: actions }),
    documentFormatting: () => register('DocumentFormattingEdit', { provideDocumentFormattingEdits: format }),
    documentSymbol: () => register('DocumentSymbol', { provideDocumentSymbols: ask('documentSymbol', list(symbol)) }),
    workspaceSymbol: () => languages.registerWorkspaceSymbolProvider({ provideWorkspaceSymbols: symbols }),
    foldingRange: () => register('FoldingRange', { provideFoldingRanges: ask('foldingRange', list(folding)) }),
    inlayHint: () => register('InlayHints', { provideInlayHints: hints }),
    semanticTokens: ({ legend }) => register('DocumentSemanticTokens', { provideDocumentSemanticTokens: tokens },
      new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)),
  };
  const names = Object.keys(registrations).filter((name) => announced[`${name}Provider`]);
  return names.map((name) => registrations[name](announced[`${name}Provider`]));
}

module.exports = { at, capabilities, diagnostic, fromRange, of, registerFeatures, uri };
