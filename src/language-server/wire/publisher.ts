import type { Connection, Diagnostic } from 'vscode-languageserver';
import { diagnosticsOf } from '../features/diagnostics.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { logRejection } from './rejection.ts';
import { type Host, uriIn } from './settings.ts';

/** Milliseconds after the last edit. */
const QUIET = 150;

/** Its declared type has no promise: it is a request, which a client may refuse. */
const refresh = async (connection: Connection): Promise<void> => connection.languages.diagnostics.refresh();

export interface Publisher {
  /** Sets whether the client pulls diagnostics, and can be asked to pull them again. */
  start(pulls: boolean, refreshes: boolean): void;
  stop(): void;
  /** Ends the time in which nothing is answered: the files decide what is one project. */
  scanned(): void;
  /** Schedules a validation of everything that a change affects. */
  changed(): void;
}

/** Validates changed packages after a pause, and informs the client, which pulls diagnostics or receives them. */
export function createPublisher(connection: Connection, workspace: Workspace, host: Host): Publisher {
  const publisher = new DelayedPublisher(connection, workspace, host);
  connection.languages.diagnostics.on(async ({ textDocument, previousResultId }) => {
    await publisher.whenScanned;
    const uri = uriIn(host, textDocument.uri);
    workspace.current(uri);
    return publisher.report(uri, previousResultId);
  });
  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }) => {
    await publisher.whenScanned;
    while (workspace.checkNext());
    const before = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const items = workspace.reported.map((uri) => {
      return { ...publisher.report(uri, before.get(uri)), uri, version: workspace.files.get(uri)?.version ?? null };
    });
    return { items };
  });
  return publisher;
}

/** The diagnostics of a file: whole, or those of an earlier answer. */
type DiagnosticReport =
  | { kind: 'full'; resultId: string; items: Diagnostic[] }
  | { kind: 'unchanged'; resultId: string };

class DelayedPublisher implements Publisher {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #host: Host;
  /** The last diagnostics of each file: the same ones have the same id. */
  readonly #results = new Map<string, { id: number; text: string }>();
  /** The last published version of each open file. */
  readonly #published = new Map<string, number>();
  #ids = 0;
  #isPulled = false;
  #mayRefresh = false;
  #isOver = false;
  #isScanned = false;
  #cancel = (): void => {};
  #resolve = (): void => {};
  /** Resolves when the files of the workspace were read. */
  readonly whenScanned: Promise<void>;

  constructor(connection: Connection, workspace: Workspace, host: Host) {
    this.whenScanned = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#connection = connection;
    this.#workspace = workspace;
    this.#host = host;
  }

  start(pulls: boolean, refreshes: boolean): void {
    this.#isPulled = pulls;
    this.#mayRefresh = refreshes;
  }

  stop(): void {
    this.#cancel();
    this.#isOver = true;
  }

  scanned(): void {
    this.#isScanned = true;
    this.#resolve();
    this.changed();
  }

  changed(): void {
    if (this.#isOver || !this.#isScanned) return;
    this.#cancel();
    this.#cancel = this.#host.later(() => this.#validateNext(), QUIET);
  }

  /** Returns the diagnostics of a file, unless the client has them: `previous` is the id of its last answer. */
  report(uri: string, previous: string | undefined): DiagnosticReport {
    const { items, id } = this.#latest(uri);
    const resultId = String(id);
    return previous === resultId ? { kind: 'unchanged', resultId } : { kind: 'full', resultId, items };
  }

  /** Returns the diagnostics of a file, as of the last validation of its package. */
  #latest(uri: string): { items: Diagnostic[]; id: number; isNew: boolean } {
    const file = this.#workspace.files.get(uri);
    const items = file === undefined ? [] : diagnosticsOf(file, this.#workspace);
    const text = JSON.stringify(items);
    const before = this.#results.get(uri) ?? { id: 0, text: '[]' };
    const isNew = before.text !== text;
    if (isNew) this.#ids += 1;
    const id = isNew ? this.#ids : before.id;
    this.#results.set(uri, { id, text });
    return { items, id, isNew };
  }

  /** Publishes what changed, and each checked version of an open file: an empty list says that it is checked. */
  #push(): void {
    const { waiting } = this.#workspace;
    for (const uri of new Set([...this.#workspace.reported, ...this.#results.keys()])) {
      if (waiting.has(uri)) continue;
      const { items: diagnostics, isNew } = this.#latest(uri);
      const version = this.#workspace.files.get(uri)?.version;
      const isChecked = version !== undefined && version !== this.#published.get(uri);
      if (version === undefined) this.#published.delete(uri);
      else this.#published.set(uri, version);
      if (!isNew && !isChecked) continue;
      const params = { uri, diagnostics, ...(version !== undefined && { version }) };
      logRejection(this.#connection.sendDiagnostics(params), this.#connection);
    }
  }

  /** Validates one package after the other, and handles messages in between. */
  #validateNext(): void {
    const hasMore = this.#workspace.checkNext();
    if (!this.#isPulled) this.#push();
    if (hasMore) this.#cancel = this.#host.later(() => this.#validateNext(), 0);
    else if (this.#isPulled && this.#mayRefresh && [...this.#results.keys()].some((uri) => this.#latest(uri).isNew))
      logRejection(refresh(this.#connection), this.#connection);
  }
}
