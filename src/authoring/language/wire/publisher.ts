import type {
  Connection,
  Diagnostic,
  DocumentDiagnosticReport,
  WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { diagnosticsOf } from '../features/diagnostics.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Host } from './settings.ts';

/** Validates changed packages after a pause, and informs the client, which pulls diagnostics or receives them. */
export class Publisher {
  isPulled = false;
  #mayRefresh = false;
  #isOver = false;
  #stop: () => void = () => {};
  /** The last diagnostics of each file: the same ones have the same id. */
  readonly #results = new Map<string, { id: number; text: string }>();
  #ids = 0;

  constructor(
    private readonly connection: Connection,
    private readonly workspace: Workspace,
    uriOf: (uri: string) => string,
    private readonly host: Host,
    private readonly quiet: number,
  ) {
    connection.languages.diagnostics.on(({ textDocument, previousResultId }) => {
      const uri = uriOf(textDocument.uri);
      const plan = workspace.packageOf(uri);
      if (plan !== undefined) workspace.check(plan);
      return this.#report(uri, previousResultId) as DocumentDiagnosticReport;
    });
    connection.languages.diagnostics.onWorkspace(({ previousResultIds }) => {
      while (workspace.checkNext());
      const before = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
      const uris = workspace.packages.flatMap(({ files }) => files.map(({ uri }) => uri));
      const items = uris.map((uri) => ({
        ...this.#report(uri, before.get(uri)),
        uri,
        version: workspace.files.get(uri)?.version ?? null,
      }));
      return { items: items as WorkspaceDocumentDiagnosticReport[] };
    });
  }

  start(isPulled: boolean, mayRefresh: boolean): void {
    this.isPulled = isPulled;
    this.#mayRefresh = mayRefresh;
  }

  /** Stops publishing. */
  stop(): void {
    this.#stop();
    this.#isOver = true;
  }

  /** Schedules a validation of everything that a change affects. */
  changed(): void {
    if (this.#isOver) return;
    this.#stop();
    this.#stop = this.host.later(() => this.#look(), this.quiet);
  }

  /** Validates one package after the other, and handles messages in between. */
  #look(): void {
    const hasMore = this.workspace.checkNext();
    if (!this.isPulled) this.#push();
    if (hasMore) this.#stop = this.host.later(() => this.#look(), 0);
    else if (this.isPulled && this.#mayRefresh) this.#refresh();
  }

  #push(): void {
    const { workspace } = this;
    const files = workspace.packages.flatMap(({ files }) => files.map(({ uri }) => uri));
    for (const uri of new Set([...files, ...this.#results.keys()])) {
      const { items: diagnostics, isNew } = this.#latest(uri);
      if (!isNew) continue;
      const version = workspace.files.get(uri)?.version;
      void this.connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
    }
  }

  /** Returns the diagnostics of a file, as of the last validation of its package. */
  #latest(uri: string): { items: Diagnostic[]; id: number; isNew: boolean } {
    const file = this.workspace.files.get(uri);
    const items = file === undefined ? [] : diagnosticsOf(file, this.workspace);
    const text = JSON.stringify(items);
    const before = this.#results.get(uri) ?? { id: 0, text: '[]' };
    const isNew = before.text !== text;
    if (isNew) this.#ids += 1;
    const id = isNew ? this.#ids : before.id;
    this.#results.set(uri, { id, text });
    return { items, id, isNew };
  }

  /** Asks the client to pull again if other files changed. */
  #refresh(): void {
    if ([...this.#results.keys()].some((uri) => this.#latest(uri).isNew))
      this.connection.languages.diagnostics.refresh();
  }

  #report(
    uri: string,
    previous: string | undefined,
  ): { kind: 'full' | 'unchanged'; resultId: string; items?: Diagnostic[] } {
    const { items, id } = this.#latest(uri);
    const resultId = String(id);
    return previous === resultId ? { kind: 'unchanged', resultId } : { kind: 'full', resultId, items };
  }
}
