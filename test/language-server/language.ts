import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  SelectionRange,
  SemanticTokens,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver';
import { actionsAt } from '../../src/language-server/features/actions.ts';
import { completionsAt } from '../../src/language-server/features/completion.ts';
import { diagnosticsOf } from '../../src/language-server/features/diagnostics.ts';
import { graphOf, inlayHintsOf, lensesOf, previewOf } from '../../src/language-server/features/hints.ts';
import { hoverAt } from '../../src/language-server/features/hover.ts';
import { definitionAt, referencesAt, renameAt, renameRange } from '../../src/language-server/features/names.ts';
import { signatureAt } from '../../src/language-server/features/signature.ts';
import {
  foldingOf,
  formattingOf,
  linksOf,
  selectionsOf,
  symbolsIn,
  symbolsOf,
} from '../../src/language-server/features/structure.ts';
import { tokensOf } from '../../src/language-server/features/tokens.ts';
import { Place } from '../../src/language-server/place.ts';
import type { Position, Range, SourceFile } from '../../src/language-server/workspace/file.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';

/** Asks the features of the server without a connection; files about which it does not answer have no results. */
export class Language {
  readonly workspace = new Workspace();

  checkNext(): boolean {
    return this.workspace.checkNext();
  }

  diagnostics(uri: string): Diagnostic[] {
    const file = this.workspace.files.get(uri);
    return file === undefined ? [] : diagnosticsOf(file, this.workspace);
  }

  completions(uri: string, position: Position, snippets = false): CompletionItem[] {
    return this.#at(uri, position, [], (place) => completionsAt(place, snippets));
  }

  hover(uri: string, position: Position): Hover | undefined {
    return this.#at(uri, position, undefined, hoverAt);
  }

  definition(uri: string, position: Position): Location[] {
    return this.#at(uri, position, [], definitionAt);
  }

  references(uri: string, position: Position, includeDeclaration = true): Location[] {
    return this.#at(uri, position, [], (place) => referencesAt(place, includeDeclaration));
  }

  signature(uri: string, position: Position): SignatureHelp | undefined {
    return this.#at(uri, position, undefined, signatureAt);
  }

  renameRange(uri: string, position: Position): { range: Range; placeholder: string } | undefined {
    return this.#at(uri, position, undefined, renameRange);
  }

  rename(uri: string, position: Position, name: string): WorkspaceEdit | { fault: string } | undefined {
    return this.#at(uri, position, undefined, (place) => renameAt(place, name));
  }

  symbols(uri: string): DocumentSymbol[] {
    return this.#about(uri, [], symbolsOf);
  }

  workspaceSymbols(query: string): WorkspaceSymbol[] {
    return symbolsIn(this.workspace, query);
  }

  links(uri: string): DocumentLink[] {
    const file = this.workspace.files.get(uri);
    return file === undefined ? [] : linksOf(file, this.workspace);
  }

  selections(uri: string, positions: readonly Position[]): SelectionRange[] {
    return this.#about(uri, [], (file) => selectionsOf(file, positions));
  }

  folding(uri: string): FoldingRange[] {
    return this.#about(uri, [], foldingOf);
  }

  tokens(uri: string): SemanticTokens {
    return this.#about(uri, { data: [] }, (file) => tokensOf(file, this.workspace));
  }

  inlayHints(uri: string, range: Range): InlayHint[] {
    return this.#about(uri, [], (file) => inlayHintsOf(file, range, this.workspace));
  }

  lenses(uri: string, runsTests = false): CodeLens[] {
    const file = this.workspace.files.get(uri);
    return file === undefined ? [] : lensesOf(file, this.workspace, runsTests);
  }

  actions(uri: string, range: Range, only?: readonly string[]): CodeAction[] {
    return this.#about(uri, [], (file) => actionsAt(file, range, this.workspace, only));
  }

  formatting(uri: string): TextEdit[] {
    return this.#about(uri, [], formattingOf);
  }

  preview(uri: string, title?: string): string | undefined {
    return this.#about(uri, undefined, (file) => previewOf(file, title, this.workspace));
  }

  graph(uri: string, format: 'mermaid' | 'svg'): string | undefined {
    return this.#about(uri, undefined, (file) => graphOf(file, format, this.workspace));
  }

  #at<T>(uri: string, position: Position, nothing: T, ask: (place: Place) => T): T {
    return this.#about(uri, nothing, (file) => ask(new Place(file, file.offsetAt(position), this.workspace)));
  }

  #about<T>(uri: string, nothing: T, ask: (file: SourceFile) => T): T {
    const file = this.workspace.fileToAnswer(uri);
    return file === undefined ? nothing : ask(file);
  }
}
