import type { Connection } from 'vscode-languageserver';
import type { Language } from '../language.ts';
import { readDescriptions } from '../yaml/schema.ts';
import type { Host } from './settings.ts';

/** The JSON-RPC code for a failed request. */
const REQUEST_FAILED = -32803;

/** Answers the requests of a client. `uriOf` normalizes a URI. */
export function answer(
  connection: Connection,
  language: Language,
  uriOf: (uri: string) => string,
  host: Host,
  snippets: () => boolean,
): void {
  connection.onCompletion(({ textDocument, position }) =>
    language.completions(uriOf(textDocument.uri), position, snippets()),
  );
  connection.onHover(async ({ textDocument, position }) => {
    // They are large, so that only a hover loads them.
    if (host.descriptions !== undefined && language.workspace.describe === undefined)
      language.workspace.describe = readDescriptions(await host.descriptions().catch(() => ''));
    return language.hover(uriOf(textDocument.uri), position);
  });
  connection.onSignatureHelp(({ textDocument, position }) => language.signature(uriOf(textDocument.uri), position));
  connection.onDefinition(({ textDocument, position }) =>
    language
      .definition(uriOf(textDocument.uri), position)
      .map(({ targetUri, targetRange }) => ({ uri: targetUri, range: targetRange })),
  );
  connection.onReferences(({ textDocument, position, context }) =>
    language.references(uriOf(textDocument.uri), position, context.includeDeclaration),
  );
  connection.onDocumentHighlight(({ textDocument, position }) => {
    const uri = uriOf(textDocument.uri);
    return language
      .references(uri, position)
      .filter((one) => one.uri === uri)
      .map(({ range }) => ({ range }));
  });
  connection.onPrepareRename(({ textDocument, position }) => language.renameRange(uriOf(textDocument.uri), position));
  connection.onRenameRequest(({ textDocument, position, newName }) => {
    const edit = language.rename(uriOf(textDocument.uri), position, newName);
    if (edit !== undefined && 'fault' in edit)
      throw Object.assign(new Error(String(edit.fault)), { code: REQUEST_FAILED });
    return edit;
  });
  connection.onDocumentSymbol(({ textDocument }) => language.symbols(uriOf(textDocument.uri)));
  connection.onWorkspaceSymbol(({ query }) => language.workspaceSymbols(query));
  connection.onDocumentLinks(({ textDocument }) => language.links(uriOf(textDocument.uri)));
  connection.onSelectionRanges(({ textDocument, positions }) =>
    language.selections(uriOf(textDocument.uri), positions),
  );
  connection.onFoldingRanges(({ textDocument }) => language.folding(uriOf(textDocument.uri)));
  connection.languages.semanticTokens.on(({ textDocument }) => language.tokens(uriOf(textDocument.uri)));
  connection.languages.inlayHint.on(({ textDocument, range }) => language.inlayHints(uriOf(textDocument.uri), range));
  connection.onDocumentFormatting(({ textDocument }) => language.formatting(uriOf(textDocument.uri)));
  connection.onCodeAction(({ textDocument, range, context }) =>
    language.actions(uriOf(textDocument.uri), range, context.only),
  );
  connection.onCodeLens(({ textDocument }) => language.lenses(uriOf(textDocument.uri), host.test !== undefined));
  connection.onExecuteCommand(({ command, arguments: [uri, what] = [] }) => {
    if (typeof uri !== 'string') return undefined;
    if (command === 'render-rgd.test' || command === 'render-rgd.updateTest')
      return host.test?.(uriOf(uri), command !== 'render-rgd.test');
    if (command === 'render-rgd.show') return language.preview(uriOf(uri), typeof what === 'string' ? what : undefined);
    return command === 'render-rgd.graph' ? language.graph(uriOf(uri), what === 'svg' ? 'svg' : 'mermaid') : undefined;
  });
}
