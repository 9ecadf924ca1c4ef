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
  LocationLink,
  SelectionRange,
  SemanticTokens,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver';
import { isKubeObject, titleOf } from '../../core/model/object.ts';
import { actionsAt } from './features/actions.ts';
import { completionsAt } from './features/completion.ts';
import { diagnosticsOf } from './features/diagnostics.ts';
import { inlayHintsOf, lensesOf } from './features/hints.ts';
import { hoverAt } from './features/hover.ts';
import { isTest, linksOf, testLensesOf } from './features/links.ts';
import { definitionAt, referencesAt } from './features/navigation.ts';
import { graphOf, previewOf } from './features/preview.ts';
import { renameAt, renameRange } from './features/rename.ts';
import { signatureAt } from './features/signature.ts';
import { foldingOf, formattingOf, selectionsOf, symbolsIn, symbolsOf } from './features/structure.ts';
import { tokensOf } from './features/tokens.ts';
import type { Position, Range, SourceFile } from './workspace/file.ts';
import { Workspace } from './workspace/workspace.ts';

/**
 * Answers the requests of an editor about the files of a workspace. Positions count UTF-16 units from 0, as in the
 * Language Server Protocol. Pure, except for caches.
 */
export class Language {
  readonly workspace = new Workspace();

  /** Validates one changed package; returns false if there is none. Those of open files come first. */
  checkNext(): boolean {
    const { workspace } = this;
    const waiting = workspace.packages.filter((plan) => !workspace.isChecked(plan));
    const next = waiting.find(({ files }) => files.some(({ version }) => version !== undefined)) ?? waiting[0];
    if (next !== undefined) workspace.check(next);
    return waiting.length > 1;
  }

  /** Returns the diagnostics of a file, as of the last validation of its package. */
  diagnostics(uri: string): Diagnostic[] {
    const file = this.workspace.files.get(uri);
    return file === undefined ? [] : diagnosticsOf(file, this.workspace);
  }

  completions(uri: string, position: Position, snippets = false): CompletionItem[] {
    const file = this.workspace.files.get(uri);
    if (file?.text.trim() === '') return completionsAt(file, position, this.workspace, snippets);
    return this.#at(uri, [], (file) => completionsAt(file, position, this.workspace, snippets));
  }

  hover(uri: string, position: Position): Hover | undefined {
    return this.#at(uri, undefined, (file) => hoverAt(file, position, this.workspace));
  }

  definition(uri: string, position: Position): LocationLink[] {
    return this.#at(uri, [], (file) => definitionAt(file, position, this.workspace));
  }

  references(uri: string, position: Position, includeDeclaration = true): Location[] {
    return this.#at(uri, [], (file) => referencesAt(file, position, this.workspace, includeDeclaration));
  }

  signature(uri: string, position: Position): SignatureHelp | undefined {
    return this.#at(uri, undefined, (file) => signatureAt(file, position, this.workspace));
  }

  renameRange(uri: string, position: Position): { range: Range; placeholder: string } | undefined {
    return this.#at(uri, undefined, (file) => renameRange(file, position, this.workspace));
  }

  /** Returns the edits of all files, or why the name is invalid. */
  rename(uri: string, position: Position, name: string): WorkspaceEdit | { fault: string } | undefined {
    return this.#at(uri, undefined, (file) => renameAt(file, position, name, this.workspace));
  }

  symbols(uri: string): DocumentSymbol[] {
    return this.#at(uri, [], symbolsOf);
  }

  workspaceSymbols(query: string): WorkspaceSymbol[] {
    return symbolsIn(this.workspace, query);
  }

  links(uri: string): DocumentLink[] {
    const file = this.workspace.files.get(uri);
    return file === undefined ? [] : linksOf(file, this.workspace);
  }

  selections(uri: string, positions: readonly Position[]): SelectionRange[] {
    return this.#at(uri, [], (file) => selectionsOf(file, positions));
  }

  folding(uri: string): FoldingRange[] {
    return this.#at(uri, [], foldingOf);
  }

  tokens(uri: string): SemanticTokens {
    return this.#at(uri, { data: [] }, (file) => tokensOf(file, this.workspace));
  }

  inlayHints(uri: string, range: Range): InlayHint[] {
    return this.#at(uri, [], (file) => inlayHintsOf(file, range, this.workspace));
  }

  /** Those of golden tests only if the host can run them. */
  lenses(uri: string, runsTests = false): CodeLens[] {
    const file = this.workspace.files.get(uri);
    if (file !== undefined && isTest(file)) return runsTests ? testLensesOf(file) : [];
    return this.#at(uri, [], (file) => lensesOf(file, this.workspace));
  }

  actions(uri: string, range: Range, only?: readonly string[]): CodeAction[] {
    return this.#at(uri, [], (file) => actionsAt(file, range, this.workspace, only));
  }

  formatting(uri: string): TextEdit[] {
    return this.#at(uri, [], formattingOf);
  }

  /** Returns the objects of an instance, `Kind/name`, or of the first one of a file, as YAML. */
  preview(uri: string, title?: string): string | undefined {
    return this.#at(uri, undefined, (file) => {
      const checked = this.workspace.current(uri);
      const found = file.read.documents
        .map(({ object }) => object)
        .filter(isKubeObject)
        .find((object) => (title === undefined ? checked?.rendered.has(object) : titleOf(object) === title));
      return checked === undefined || found === undefined
        ? undefined
        : previewOf(found, checked, this.workspace.settings);
    });
  }

  /** Returns the graphs of the RGDs of the package of a file. */
  graph(uri: string, format: 'mermaid' | 'svg'): string | undefined {
    return this.#at(uri, undefined, () => {
      const checked = this.workspace.current(uri);
      return checked && graphOf(checked, this.workspace.settings, format);
    });
  }

  /** Ignores other files. */
  #at<T>(uri: string, nothing: T, ask: (file: SourceFile) => T): T {
    const file = this.workspace.files.get(uri);
    const isOwn = file !== undefined && this.workspace.packageOf(uri) !== undefined && this.workspace.isRelevant(file);
    return isOwn ? ask(file) : nothing;
  }
}
