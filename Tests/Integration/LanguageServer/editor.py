"""A language client that keeps the texts which a user sees, and the diagnostics that the server has published."""

import asyncio
import pathlib
import urllib.parse

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import BaseLanguageClient

TIMEOUT = 60


def unit_count(text, encoding):
    return len(text.encode("utf-8" if encoding == "utf-8" else "utf-16-le")) // (1 if encoding == "utf-8" else 2)


def split_lines(text):
    """Returns the lines with their terminators, which are line feeds, carriage returns and both together."""
    lines, start, index = [], 0, 0
    while index < len(text):
        if text[index] in "\r\n":
            index += 2 if text[index : index + 2] == "\r\n" else 1
            lines.append(text[start:index])
            start = index
        else:
            index += 1
    return lines + [text[start:]]


def position_of(text, offset, encoding):
    """Returns the position of a code point; inside of a line terminator, that of the terminator."""
    start, lines = 0, split_lines(text)
    for number, line in enumerate(lines):
        if offset < start + len(line) or number == len(lines) - 1:
            end = min(offset, start + len(line.rstrip("\r\n")))
            return types.Position(number, unit_count(text[start:end], encoding))
        start += len(line)
    raise ValueError(offset)


def offset_of(text, position, encoding):
    """Returns the code point at a position. A position inside of a character counts as its start."""
    lines = split_lines(text)
    if position.line >= len(lines):
        return len(text)
    start = sum(len(line) for line in lines[: position.line])
    units = 0
    for character in lines[position.line].rstrip("\r\n"):
        units += unit_count(character, encoding)
        if units > position.character:
            break
        start += 1
    return start


class Document:
    def __init__(self, uri, text):
        self.uri, self.text, self.version = uri, text, 1


class Editor(BaseLanguageClient):
    def __init__(self, root, encoding):
        super().__init__("test", "1")
        self.root, self.encoding = root, encoding
        self.documents, self.diagnostics, self.versions, self.failures = {}, {}, {}, []
        self.news = asyncio.Event()
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.published(params))
        self.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
        self.feature(types.WINDOW_LOG_MESSAGE)(lambda _: None)

    def report_server_error(self, error, source):
        # The answer to a message that cannot be read has no id.
        if "None" not in str(error):
            self.failures.append(f"{source.__name__}: {error}")
            self.news.set()

    def published(self, params):
        self.diagnostics[params.uri] = params.diagnostics
        self.versions[params.uri] = params.version
        self.news.set()

    async def start(self, binary, watches, has_folder=True):
        await self.start_io(binary, "lsp")
        capabilities = types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=[self.encoding, "utf-16"]),
            workspace=types.WorkspaceClientCapabilities(
                did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=watches),
                workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=watches),
            ),
            text_document=types.TextDocumentClientCapabilities(
                code_action=types.CodeActionClientCapabilities(
                    code_action_literal_support=types.ClientCodeActionLiteralOptions(types.ClientCodeActionKindOptions([]))
                ),
                document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=watches),
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                    related_information=watches,
                    tag_support=types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Deprecated]) if watches else None,
                ),
            ),
        )
        result = await self.initialize_async(types.InitializeParams(capabilities=capabilities, root_uri=self.root.as_uri() if has_folder else None))
        assert result.capabilities.position_encoding == self.encoding
        self.initialized(types.InitializedParams())

    def uri(self, path):
        return (self.root / path).as_uri()

    def path(self, uri):
        return str(pathlib.PurePosixPath(urllib.parse.unquote(urllib.parse.urlparse(uri).path)).relative_to(self.root))

    def identifier(self, path):
        return types.TextDocumentIdentifier(self.uri(path))

    # Documents

    def open(self, path, text):
        document = self.documents[path] = Document(self.uri(path), text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(document.uri, "swift", 1, text)))

    def close(self, path):
        del self.documents[path]
        self.text_document_did_close(types.DidCloseTextDocumentParams(self.identifier(path)))

    def change(self, path, edits):
        """Makes edits, each the offsets of a range and a text, one after the other. Without offsets it is the whole text."""
        document = self.documents[path]
        changes = []
        for start, end, text in edits:
            if start is None:
                changes.append(types.TextDocumentContentChangeWholeDocument(text))
                document.text = text
                continue
            # The offsets as the server gets them, which are never inside of a line terminator.
            first, last = (position_of(document.text, offset, self.encoding) for offset in (start, end))
            start, end = (offset_of(document.text, position, self.encoding) for position in (first, last))
            changes.append(types.TextDocumentContentChangePartial(types.Range(first, last), text))
            document.text = document.text[:start] + text + document.text[end:]
        document.version += 1
        identifier = types.VersionedTextDocumentIdentifier(document.version, document.uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    def touched(self, path, kind):
        self.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([types.FileEvent(self.uri(path), kind)]))

    def apply(self, edit, read):
        """Makes the edits of the server; `read` returns the text of a file that is not open."""
        if edit is None:
            return 0
        groups = [(change.text_document.uri, change.edits) for change in edit.document_changes or []] or list((edit.changes or {}).items())
        for uri, edits in groups:
            path = self.path(uri)
            if path not in self.documents:
                self.open(path, read(path))
            self.make(path, edits)
        return len(groups)

    def make(self, path, edits):
        """Makes the edits of the server in an open file."""
        text = self.documents[path].text
        ranges = [(offset_of(text, e.range.start, self.encoding), offset_of(text, e.range.end, self.encoding), e.new_text) for e in edits]
        self.change(path, sorted(ranges, reverse=True))

    # Requests

    async def ask(self, request, params):
        """Sends a request; an error of the server is an answer, too."""
        try:
            return await asyncio.wait_for(request(params), TIMEOUT)
        except JsonRpcException:
            return None

    async def barrier(self):
        await self.ask(self.text_document_document_symbol_async, types.DocumentSymbolParams(self.identifier("barrier")))

    def send_bytes(self, data):
        self._server.stdin.write(data)

    async def wait(self, is_done):
        """Waits until a condition is true after messages of the server; returns whether it became true."""
        end = asyncio.get_running_loop().time() + TIMEOUT
        while not is_done() and not self.failures and asyncio.get_running_loop().time() < end:
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), 1)
            except TimeoutError:
                if self._server.returncode is not None:
                    return False
        return is_done() and not self.failures

    async def end(self):
        await asyncio.wait_for(self.shutdown_async(None), TIMEOUT)
        self.exit(None)
        code = await asyncio.wait_for(self._server.wait(), TIMEOUT)
        await self.stop()
        return code
