import type { Text } from '../../core/diagnostics/index.ts';

/** What became of the files that a change touches. Each is counted once. */
export interface ChangedFiles {
  all: number;
  /** In applications that are compared. */
  compared: number;
  /** In applications that are not compared, by their titles. */
  uncompared: { count: number; applications: readonly Text[] };
  /** Manifests that no application reads. */
  unread: readonly string[];
  /** No manifests. */
  irrelevant: number;
}
