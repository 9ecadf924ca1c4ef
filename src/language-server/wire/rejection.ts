import type { Connection } from 'vscode-languageserver';

/** Logs the error of work that no message of the client waits for: without a handler it would end the server. */
export function logRejection(work: Promise<unknown>, connection: Connection): void {
  work.catch((error: unknown) => connection.console.error(error instanceof Error ? error.message : String(error)));
}
