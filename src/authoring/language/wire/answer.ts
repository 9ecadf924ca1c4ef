import type { Connection, TextDocumentIdentifier, TextDocumentPositionParams } from 'vscode-languageserver';
import { actionsAt } from '../features/actions.ts';
import { completionsAt } from '../features/completion.ts';
import { inlayHintsOf, lensesOf } from '../features/hints.ts';
import { hoverAt } from '../features/hover.ts';
import { linksOf } from '../features/links.ts';
import { definitionAt, referencesAt, renameAt, renameRange } from '../features/names.ts';
import { graphOf, previewOf } from '../features/preview.ts';
import { signatureAt } from '../features/signature.ts';
import { foldingOf, formattingOf, selectionsOf, symbolsIn, symbolsOf } from '../features/structure.ts';
import { tokensOf } from '../features/tokens.ts';
import type { Position, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readDescriptions } from '../yaml/schema.ts';
import type { Host } from './settings.ts';

/** The JSON-RPC code for a failed request. */
const REQUEST_FAILED = -32803;

/** Answers the requests of a client. `uriOf` normalizes a URI. */
export function answer(
  connection: Connection,
  workspace: Workspace,
  uriOf: (uri: string) => string,
  host: Host,
  snippets: () => boolean,
): void {
  /** Asks about a file of a package; `nothing` is the answer for other files. */
  const about = <T>({ uri }: TextDocumentIdentifier, nothing: T, ask: (file: SourceFile) => T): T => {
    const file = workspace.fileToAnswer(uriOf(uri));
    return file === undefined ? nothing : ask(file);
  };
  const at =
    <T>(nothing: T, ask: (file: SourceFile, position: Position, workspace: Workspace) => T) =>
    ({ textDocument, position }: TextDocumentPositionParams): T =>
      about(textDocument, nothing, (file) => ask(file, position, workspace));
  connection.onCompletion(at([], (file, position) => completionsAt(file, position, workspace, snippets())));
  connection.onHover(async (request) => {
    // They are large, so that only a hover loads them.
    if (host.descriptions !== undefined && workspace.describe === undefined)
      workspace.describe = readDescriptions(await host.descriptions().catch(() => ''));
    return at(undefined, hoverAt)(request);
  });
  connection.onSignatureHelp(at(undefined, signatureAt));
  connection.onDefinition(at([], definitionAt));
  connection.onReferences(({ context: { includeDeclaration }, ...request }) =>
    at([], (file, position) => referencesAt(file, position, workspace, includeDeclaration))(request),
  );
  connection.onDocumentHighlight(
    at([], (file, position) => {
      const found = referencesAt(file, position, workspace).filter(({ uri }) => uri === file.uri);
      return found.map(({ range }) => ({ range }));
    }),
  );
  connection.onPrepareRename(at(undefined, renameRange));
  connection.onRenameRequest(({ newName, ...request }) => {
    const edit = at(undefined, (file, position) => renameAt(file, position, newName, workspace))(request);
    if (edit !== undefined && 'fault' in edit)
      throw Object.assign(new Error(String(edit.fault)), { code: REQUEST_FAILED });
    return edit;
  });
  connection.onDocumentSymbol(({ textDocument }) => about(textDocument, [], symbolsOf));
  connection.onWorkspaceSymbol(({ query }) => symbolsIn(workspace, query));
  connection.onDocumentLinks(({ textDocument: { uri } }) => {
    const file = workspace.files.get(uriOf(uri));
    return file && linksOf(file, workspace);
  });
  connection.onSelectionRanges(({ textDocument, positions }) =>
    about(textDocument, [], (file) => selectionsOf(file, positions)),
  );
  connection.onFoldingRanges(({ textDocument }) => about(textDocument, [], foldingOf));
  connection.languages.semanticTokens.on(({ textDocument }) =>
    about(textDocument, { data: [] }, (file) => tokensOf(file, workspace)),
  );
  connection.languages.inlayHint.on(({ textDocument, range }) =>
    about(textDocument, [], (file) => inlayHintsOf(file, range, workspace)),
  );
  connection.onDocumentFormatting(({ textDocument }) => about(textDocument, [], formattingOf));
  connection.onCodeAction(({ textDocument, range, context }) =>
    about(textDocument, [], (file) => actionsAt(file, range, workspace, context.only)),
  );
  connection.onCodeLens(({ textDocument: { uri } }) => {
    const file = workspace.files.get(uriOf(uri));
    return file && lensesOf(file, workspace, host.test !== undefined);
  });
  connection.onExecuteCommand(({ command, arguments: [uri, what] = [] }) => {
    if (typeof uri !== 'string') return undefined;
    if (command === 'render-rgd.test' || command === 'render-rgd.updateTest')
      return host.test?.(uriOf(uri), command !== 'render-rgd.test');
    const title = typeof what === 'string' ? what : undefined;
    return about({ uri }, undefined, (file) => {
      if (command === 'render-rgd.show') return previewOf(file, title, workspace);
      return command === 'render-rgd.graph' ? graphOf(file, title === 'svg' ? 'svg' : 'mermaid', workspace) : undefined;
    });
  });
}
