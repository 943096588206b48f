"""Requests and notifications that the server supports, and the module of each."""

from __future__ import annotations

from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lutra.editor import actions, colours, completion, cycles, formatting, hover, navigation, rename
from lutra.editor.documents import Document, file_of
from lutra.editor.programs import INCLUDED, SOURCE
from lutra.editor.proofs import COMMAND
from lutra.editor.server import Server
from lutra.firmware.manifest import NAME as MANIFEST

_REQUEST_FAILED = -32803
_WATCHED = f"**/{{*{SOURCE},*{INCLUDED},{MANIFEST}}}"


# ---------------------------------------------------------------------------------------- life


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """The folders of the workspace, and settings."""
    folders = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
    ls.known.roots = [file_of(uri) for uri in folders if uri.startswith("file:")]
    ls.configure(params.initialization_options)


async def initialized(ls: Server, params: types.InitializedParams) -> None:
    """Ask the client for changes of files, and for settings."""
    if ls.capability("workspace", "did_change_watched_files", "dynamic_registration"):
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        ls.client_register_capability(types.RegistrationParams([types.Registration("files", method, options)]))
    await _ask_settings(ls)


async def _ask_settings(ls: Server) -> None:
    if ls.capability("workspace", "configuration"):
        wanted = types.ConfigurationParams([types.ConfigurationItem(section="lutra")])
        answer = await ls.workspace_configuration_async(wanted)
        if answer:
            ls.configure(answer[0])


async def settings_changed(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """New settings, or word that there are some."""
    if params.settings:
        ls.configure(params.settings)
    else:
        await _ask_settings(ls)


def folders_changed(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders came and went."""
    gone = {file_of(folder.uri) for folder in params.event.removed}
    come = [file_of(folder.uri) for folder in params.event.added if folder.uri.startswith("file:")]
    ls.known.roots = [root for root in ls.known.roots if root not in gone] + come
    ls.known.forget()


# --------------------------------------------------------------------------------------- texts


def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """A text is open."""
    item = params.text_document
    ls.known.put(file_of(item.uri), item.uri, Document(item.text, ls.encoding, item.version))


def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """A text is another one; the last change has all of it."""
    item = params.text_document
    file = file_of(item.uri)
    if params.content_changes and file in ls.known.open:
        text = params.content_changes[-1].text
        ls.known.put(file, item.uri, Document(text, ls.encoding, item.version))
        ls.headers.forget(file)
        ls.proofs.forget(file)


def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """A text is closed."""
    ls.known.remove(file_of(params.text_document.uri))
    ls.publish()


def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """A text is saved: headers are compared with what a run does."""
    file = file_of(params.text_document.uri)
    if file.endswith(MANIFEST):
        ls.known.changed(file)
    elif ls.known.settings.headers:
        ls.headers.saved(file)


def files_changed(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files have changed on the disk; what is open counts as it is in the editor."""
    for event in params.changes:
        file = file_of(event.uri)
        if file not in ls.known.open:
            ls.known.changed(file, appeared=event.type != types.FileChangeType.Changed)


# ------------------------------------------------------------------------------------ requests


async def show(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """textDocument/hover."""
    spot = await ls.spot(params)
    text = hover.hover(spot)
    return types.Hover(ls.markup(text, "hover", "content_format"), spot.range) if text else None


def complete(ls: Server, params: types.CompletionParams) -> types.CompletionList:
    """textDocument/completion: by the names that are known, without waiting for new ones."""
    known = ls.known
    file = file_of(params.text_document.uri)
    programs = [known.done[p.sources] for p in known.of(file) if p.sources in known.done]
    return completion.completion(ls.here(params, programs))


def resolve(ls: Server, item: types.CompletionItem) -> types.CompletionItem:
    """completionItem/resolve."""
    if text := completion.documentation(item):
        item.documentation = ls.markup(text, "completion", "completion_item", "documentation_format")
    return item


def signature(ls: Server, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """textDocument/signatureHelp."""
    known = ls.known
    file = file_of(params.text_document.uri)
    programs = [known.done[p.sources] for p in known.of(file) if p.sources in known.done]
    return completion.signature(ls.here(params, programs))


async def definition(ls: Server, params: types.DefinitionParams) -> list[types.Location]:
    """textDocument/definition."""
    return navigation.definition(await ls.spot(params))


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
    """textDocument/references."""
    spot, programs = await ls.everywhere(params)
    return navigation.references(spot, programs, params.context.include_declaration)


async def highlight(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """textDocument/documentHighlight."""
    return navigation.highlights(await ls.spot(params))


async def outline(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """textDocument/documentSymbol."""
    file = file_of(params.text_document.uri)
    programs = await ls.known.first(file)
    return navigation.symbols(file, ls.known.document(file), programs)


async def symbols(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """workspace/symbol."""
    return navigation.all_symbols(ls.known, await ls.known.whole(), params.query)


async def links(ls: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """textDocument/documentLink."""
    file = file_of(params.text_document.uri)
    return navigation.links(ls.known, file, ls.known.document(file), await ls.known.first(file))


def folds(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """textDocument/foldingRange."""
    return navigation.folds(ls.document(params.text_document.uri))


async def prepare(ls: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    """textDocument/prepareRename."""
    try:
        where, text = rename.prepare(await ls.spot(params))
    except rename.RenameError as error:
        raise JsonRpcException(str(error), _REQUEST_FAILED) from error
    return types.PrepareRenamePlaceholder(where, text)


async def renamed(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit:
    """textDocument/rename."""
    spot, programs = await ls.everywhere(params)
    try:
        changes = rename.rename(spot, programs, params.new_name)
        await ls.background(lambda: rename.prove(ls.known, programs, changes))
    except rename.RenameError as error:
        raise JsonRpcException(str(error), _REQUEST_FAILED) from error
    return _edit(ls, programs, changes)


def _edit(ls: Server, programs: Any, changes: Any) -> types.WorkspaceEdit:
    edits = {}
    for file, places in changes.items():
        known = next(known for known in programs if file in known.files)
        document = ls.known.text(file, known)
        edits[file] = [types.TextEdit(document.range(place), new) for place, new in places]
    if not ls.capability("workspace", "workspace_edit", "document_changes"):
        return types.WorkspaceEdit({ls.known.uri(file): items for file, items in edits.items()})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(
                    ls.known.uri(file), ls.known.open[file].version if file in ls.known.open else None
                ),
                list(items),
            )
            for file, items in edits.items()
        ]
    )


async def tokens(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """textDocument/semanticTokens/full."""
    file = file_of(params.text_document.uri)
    return colours.semantic_tokens(file, ls.known.document(file), await ls.known.first(file))


async def range_tokens(ls: Server, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    """textDocument/semanticTokens/range."""
    file = file_of(params.text_document.uri)
    return colours.semantic_tokens(file, ls.known.document(file), await ls.known.first(file), params.range)


async def hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """textDocument/inlayHint."""
    if not ls.known.settings.hints:
        return []
    file = file_of(params.text_document.uri)
    programs = await ls.known.first(file)
    document = ls.known.document(file)
    first, last = document.place(params.range.start)[0], document.place(params.range.end)[0]
    for known in programs:
        if issues := await ls.background(partial(ls.schedules.issues, known)):
            return list(cycles.hints(file, document, known, issues, first, last))
    return []


async def lenses(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """textDocument/codeLens."""
    file = file_of(params.text_document.uri)
    programs = await ls.known.first(file)
    document = ls.known.document(file)
    found: list[types.CodeLens] = await ls.background(lambda: cycles.lenses(ls.schedules, file, document, programs))
    return ls.proofs.lenses(file) + found


def prove(ls: Server, folder: str) -> None:
    """The command of a lens that asks for proofs."""
    ls.proofs.ask(folder)


def code_actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """textDocument/codeAction."""
    uri = params.text_document.uri
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    return actions.actions(uri, ls.document(uri), params.context.diagnostics, only)


def format_text(ls: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """textDocument/formatting."""
    return formatting.formatted(ls.document(params.text_document.uri))


def format_range(ls: Server, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
    """textDocument/rangeFormatting."""
    return formatting.formatted(ls.document(params.text_document.uri), params.range)


def register(ls: Server) -> None:
    """Enter all of them."""
    for method, handler, options in _FEATURES:
        ls.feature(method, options)(handler)
    ls.command(COMMAND)(prove)


_TOKENS = types.SemanticTokensRegistrationOptions(colours.LEGEND, range=True, full=True)
_FEATURES: tuple[tuple[str, Any, Any], ...] = (
    (types.INITIALIZE, initialize, None),
    (types.INITIALIZED, initialized, None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, settings_changed, None),
    (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, folders_changed, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files_changed, None),
    (types.TEXT_DOCUMENT_DID_OPEN, opened, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, changed, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, closed, None),
    (types.TEXT_DOCUMENT_DID_SAVE, saved, None),
    (types.TEXT_DOCUMENT_HOVER, show, None),
    (
        types.TEXT_DOCUMENT_COMPLETION,
        complete,
        types.CompletionOptions(trigger_characters=list(completion.TRIGGERS), resolve_provider=True),
    ),
    (types.COMPLETION_ITEM_RESOLVE, resolve, None),
    (types.TEXT_DOCUMENT_SIGNATURE_HELP, signature, types.SignatureHelpOptions([" ", ",", "("], [","])),
    (types.TEXT_DOCUMENT_DEFINITION, definition, None),
    (types.TEXT_DOCUMENT_REFERENCES, references, None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, highlight, None),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline, None),
    (types.WORKSPACE_SYMBOL, symbols, None),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, links, None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, folds, None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, prepare, None),
    (types.TEXT_DOCUMENT_RENAME, renamed, types.RenameOptions(prepare_provider=True)),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, tokens, _TOKENS),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, range_tokens, _TOKENS),
    (types.TEXT_DOCUMENT_INLAY_HINT, hints, None),
    (types.TEXT_DOCUMENT_CODE_LENS, lenses, None),
    (types.TEXT_DOCUMENT_FORMATTING, format_text, None),
    (types.TEXT_DOCUMENT_RANGE_FORMATTING, format_range, None),
    (types.TEXT_DOCUMENT_CODE_ACTION, code_actions, types.CodeActionOptions([types.CodeActionKind.QuickFix])),
)
