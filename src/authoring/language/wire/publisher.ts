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
  /** The last pushed diagnostics, by file. */
  readonly #pushed = new Map<string, string>();
  /** The last results, by file: the same result has the same id. */
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
    const files = new Set([
      ...workspace.packages.flatMap(({ files }) => files.map(({ uri }) => uri)),
      ...this.#pushed.keys(),
    ]);
    for (const uri of files) {
      const diagnostics = this.#diagnostics(uri);
      const text = JSON.stringify(diagnostics);
      if (text === (this.#pushed.get(uri) ?? '[]')) continue;
      if (diagnostics.length === 0) this.#pushed.delete(uri);
      else this.#pushed.set(uri, text);
      const version = workspace.files.get(uri)?.version;
      void this.connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
    }
  }

  /** Returns the diagnostics of a file, as of the last validation of its package. */
  #diagnostics(uri: string): Diagnostic[] {
    const file = this.workspace.files.get(uri);
    return file === undefined ? [] : diagnosticsOf(file, this.workspace);
  }

  /** Asks the client to pull again if other files changed. */
  #refresh(): void {
    const isStale = [...this.#results].some(([uri, { text }]) => JSON.stringify(this.#diagnostics(uri)) !== text);
    if (isStale) this.connection.languages.diagnostics.refresh();
  }

  #report(
    uri: string,
    previous: string | undefined,
  ): { kind: 'full' | 'unchanged'; resultId: string; items?: Diagnostic[] } {
    const items = this.#diagnostics(uri);
    const text = JSON.stringify(items);
    const known = this.#results.get(uri);
    const id = known?.text === text ? known.id : this.#ids++;
    this.#results.set(uri, { id, text });
    return previous === String(id)
      ? { kind: 'unchanged', resultId: previous }
      : { kind: 'full', resultId: String(id), items };
  }
}
