import type { Source } from '../model/object.ts';
import type { Path } from '../model/value.ts';
import type { Code, Stage } from './codes.ts';

export type Severity = 'error' | 'warning' | 'info';

/**
 * What a step found wrong in one object, before it is known where that object stands in a file.
 * `path` is relative to the object; `offset` counts UTF-16 units inside the scalar at `path` (for expressions).
 */
export interface Problem {
  code: Code;
  message: string;
  path: Path;
  offset?: number;
  hint?: string;
  /** What is said where the place may hold values of a Secret; without it the meaning of the code is. */
  withoutValues?: { message: string; hint?: string };
  /** What may be shown of `path`; defaults to all of it. */
  field?: Path;
  /** Defaults to 'error'. */
  severity?: Severity;
  /** Warnings and infos of one code that agree here say one thing: people are told it once, with the count. */
  alike?: string;
}

export const isError = ({ severity = 'error' }: { severity?: Severity }): boolean => severity === 'error';

/** A problem with the object, the node and the origin it belongs to. */
export interface Report extends Problem {
  /** `Kind/name`, or the bare name for an RGD. */
  object?: string;
  /** The node id. */
  node?: string;
  source?: Source;
  /** Where in the text of `source` the fault is, when `path` cannot say it: in a text that does not parse. */
  position?: { line: number; column: number };
}

/** Whether there is an error among them: what follows from them must not be used then. */
export const hasErrors = (reports: readonly { severity?: Severity }[]): boolean => reports.some(isError);

/** The finished form, as `--diagnostics json` prints it. */
export interface Diagnostic {
  severity: Severity;
  /** What is wrong. A code never changes its meaning, a message may: docs/diagnostics.md lists them. */
  code: Code;
  stage: Stage;
  /** `Kind/name`, or the bare name for an RGD. */
  object?: string;
  /** The id of the node. */
  node?: string;
  /** The field in the object: `spec.ports[0].name`. */
  field?: string;
  file?: string;
  /** From 1. */
  line?: number;
  /** In UTF-16 units, from 1. */
  column?: number;
  message: string;
  /** What to do about it. */
  hint?: string;
}

/** The fields of a diagnostic, in the order in which they are written. */
export const DIAGNOSTIC_FIELDS = [
  'severity',
  'code',
  'stage',
  'object',
  'node',
  'field',
  'file',
  'line',
  'column',
  'message',
  'hint',
] as const satisfies readonly (keyof Diagnostic)[];
