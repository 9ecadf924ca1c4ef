import type { Diagnostic } from '../../core/diagnostics/index.ts';

import type { Evidence } from '../../core/ledger/index.ts';
import { docsUrl } from '../../core/text/docs-url.ts';

/** What was checked in one file, `[]` if it contains no objects. */
export interface FileReport {
  file: string;
  /** The checked objects, as in diagnostics: `Kind/name`. */
  objects: readonly string[];
}

/** A fix of a diagnostic in its file, which removes it and adds no error. Positions count from 1. */
export interface SourceFix {
  readonly title: string;
  readonly edits: readonly SourceEdit[];
}

/** The text that takes the place of a range. */
interface SourceEdit {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  /** One past the last column. */
  readonly endColumn: number;
  readonly text: string;
}

export interface ReportInput {
  /** The reporting command, such as `validate`. */
  command: string;
  version: string;
  /** The folded diagnostics, in order, for people. */
  diagnostics: readonly Diagnostic[];
  /** All diagnostics, for programs; `diagnostics` by default. */
  complete?: readonly Diagnostic[];
  files: readonly FileReport[];
  /** The texts of the files, by their names, for excerpts. */
  sources: ReadonlyMap<string, string>;
  colors: boolean;
  /** Whether a text report contains each lint. Default: one of each code in a file, with the count. */
  verbose?: boolean;
  /** The maximum number of annotations; default: all. */
  most?: number;
  /** The number of warnings that the text report counts and does not print. */
  hidden?: number;
  /** What was looked at; the text report counts and names what was not. */
  evidence?: Evidence;
  /** Returns the fixes of a diagnostic, without values of Secrets: for SARIF. */
  fixesOf?: (diagnostic: Diagnostic) => readonly SourceFix[];
  /** The diagnostics that the command prints in a table of its own: the text report only counts them. */
  inTable?: readonly Diagnostic[];
}

/** Selects diagnostics for annotations: documents that are not objects are included only with `--verbose`. */
export const annotated = ({ diagnostics, verbose = false }: ReportInput): readonly Diagnostic[] =>
  verbose ? diagnostics : diagnostics.filter(({ code }) => code !== 'not-an-object');

export const subjectOf = ({ object, node, field }: Diagnostic): string =>
  [object, node && `node ${node}`, field].filter((part) => part !== undefined && part !== '').join(' ');

export const DIAGNOSTICS_PAGE = docsUrl('diagnostics.md');
