import type { Text } from '../../core/diagnostics/index.ts';
import type { UnseenReason } from '../../core/ledger/index.ts';

/** What became of the files that a change touches. Each is counted once. */
export interface ChangedFiles {
  all: number;
  /** In applications that are compared. */
  compared: number;
  /** In applications that are not compared, by their titles. */
  uncompared: { count: number; applications: readonly Text[] };
  /** Manifests that no application reads, or that nobody can read. */
  unread: readonly string[];
  /** No manifests. */
  irrelevant: number;
  /** The same, file by file, in byte order. */
  outcomes: readonly ChangedFile[];
}

/** What became of a file that a change touches. */
export type ChangedFile = { file: string } & (
  | { is: 'compared' }
  /** Only applications read it that are not compared, by their names. */
  | { is: 'uncompared'; names: readonly string[] }
  | { is: 'unread'; why: UnseenReason }
  | { is: 'irrelevant' }
);
