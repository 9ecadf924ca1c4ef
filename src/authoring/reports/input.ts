import type { Diagnostic } from '../../core/diagnostics/index.ts';

/** What was looked at in one file, `[]` when it holds nothing that counts. */
export interface FileReport {
  file: string;
  /** The objects that were looked at, as diagnostics call them: `Kind/name`. */
  objects: readonly string[];
}

/** What a report is made of. */
export interface ReportInput {
  /** The command that the report is of, such as `validate`. */
  command: string;
  /** The version of render-rgd. */
  version: string;
  /** In the order in which they are reported, repeats as one: for people. */
  diagnostics: readonly Diagnostic[];
  /** Each of them, for programs; `diagnostics` by default. */
  complete?: readonly Diagnostic[];
  /** Everything that was looked at, what is right too. */
  files: readonly FileReport[];
  /** The texts of the files, by their names: for the lines that a report for people shows. */
  sources: ReadonlyMap<string, string>;
  /** Whether severities and places are coloured in a report for people. */
  colors: boolean;
  /** Whether a report for people shows each lint. Default: one of each code in a file, with the count. */
  verbose?: boolean;
}
