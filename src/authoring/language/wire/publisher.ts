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
  /** Schedules a validation of everything that a change affects. */
  changed(): void;
}

/** Validates changed packages after a pause, and informs the client, which pulls diagnostics or receives them. */
export function createPublisher(connection: Connection, workspace: Workspace, host: Host): Publisher {
  /** The last diagnostics of each file: the same ones have the same id. */
  const results = new Map<string, { id: number; text: string }>();
  let ids = 0;
  let isPulled = false;
  let mayRefresh = false;
  let isOver = false;
  let cancel = (): void => {};

  /** Returns the diagnostics of a file, as of the last validation of its package. */
  const latest = (uri: string): { items: Diagnostic[]; id: number; isNew: boolean } => {
    const file = workspace.files.get(uri);
    const items = file === undefined ? [] : diagnosticsOf(file, workspace);
    const text = JSON.stringify(items);
    const before = results.get(uri) ?? { id: 0, text: '[]' };
    const isNew = before.text !== text;
    if (isNew) ids += 1;
    const id = isNew ? ids : before.id;
    results.set(uri, { id, text });
    return { items, id, isNew };
  };
  const report = (uri: string, previous: string | undefined) => {
    const { items, id } = latest(uri);
    const resultId = String(id);
    if (previous === resultId) return { kind: 'unchanged' as const, resultId };
    return { kind: 'full' as const, resultId, items };
  };
  const urisOfPackages = (): string[] => workspace.packages.flatMap(({ files }) => files.map(({ uri }) => uri));
  const push = (): void => {
    for (const uri of new Set([...urisOfPackages(), ...results.keys()])) {
      const { items: diagnostics, isNew } = latest(uri);
      const version = workspace.files.get(uri)?.version;
      const params = { uri, diagnostics, ...(version !== undefined && { version }) };
      if (isNew) logRejection(connection.sendDiagnostics(params), connection);
    }
  };
  /** Validates one package after the other, and handles messages in between. */
  const look = (): void => {
    const hasMore = workspace.checkNext();
    if (!isPulled) push();
    if (hasMore) cancel = host.later(look, 0);
    else if (isPulled && mayRefresh && [...results.keys()].some((uri) => latest(uri).isNew))
      logRejection(refresh(connection), connection);
  };
  connection.languages.diagnostics.on(({ textDocument, previousResultId }) => {
    const uri = uriIn(host, textDocument.uri);
    workspace.current(uri);
    return report(uri, previousResultId);
  });
  connection.languages.diagnostics.onWorkspace(({ previousResultIds }) => {
    while (workspace.checkNext());
    const before = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const items = urisOfPackages().map((uri) => {
      return { ...report(uri, before.get(uri)), uri, version: workspace.files.get(uri)?.version ?? null };
    });
    return { items };
  });
  return {
    start: (pulls, refreshes) => {
      isPulled = pulls;
      mayRefresh = refreshes;
    },
    stop: () => {
      cancel();
      isOver = true;
    },
    changed: () => {
      if (isOver) return;
      cancel();
      cancel = host.later(look, QUIET);
    },
  };
}
