import table from '../../../data/diagnostics.json';
import type { Source } from '../model/object.ts';
import type { Path } from '../model/value.ts';
import type { Message, Text } from './message.ts';

/** The step or command that reports a code. */
export type Stage = keyof typeof table;

/** The name of a diagnostic code. Codes never change their meaning; message texts may. */
export type Code = { [S in Stage]: keyof (typeof table)[S] }[Stage];

interface CodeEntry {
  stage: Stage;
  /** The error, for the reference page. */
  meaning: string;
  /** The fix, for the reference page. */
  remedy: string;
}

/** Every code by its name, in the order of `docs/diagnostics.md`, which is generated from the same table. */
export const codes = Object.fromEntries(
  Object.entries(table).flatMap(([stage, entries]) =>
    Object.entries(entries).map(([code, { meaning, remedy }]) => [code, { stage, meaning, remedy }]),
  ),
) as Readonly<Record<Code, CodeEntry>>;

export type Severity = 'error' | 'warning' | 'info';

/** A location in another object, or in the same one. */
export interface RelatedLocation {
  message: Text;
  source: Source | undefined;
  path: Path;
}

/** The finished form of a related location. */
export interface Related {
  file: string;
  line?: number;
  column?: number;
  message: string;
}

/**
 * A problem in one object, before its location in a file is known. `path` is relative to the object; `offset` counts
 * UTF-16 units inside the scalar at `path` (for expressions).
 */
export interface Problem {
  code: Code;
  message: Message;
  path: Path;
  offset?: number | undefined;
  hint?: Message | undefined;
  /** The public part of `path`; defaults to all of it. */
  field?: Path | undefined;
  /** Defaults to 'error'. */
  severity?: Severity | undefined;
  /** Another location of the problem, such as that of the first of two duplicates. */
  related?: readonly RelatedLocation[] | undefined;
  /** Warnings and infos of one code with the same key are printed once, with the count. */
  alike?: string | undefined;
  /** Warnings of one code that have this become one line after all others. */
  listed?: Listed | undefined;
}

/** The content of one line about several subjects, instead of a warning for each. */
export interface Listed {
  /** The subject of this warning: `example.com/v1 Bucket`. */
  subject: Text;
  /** The common message. The subjects follow it. */
  message: Text;
  /** The fix for this subject, if it differs: `did you mean ...?` */
  note?: Text | undefined;
  /** The fix for all of them. `ITEMS ` is replaced by the items of all, or removed if there are too many. */
  hint: Text;
  item: string;
}

export const isError = ({ severity = 'error' }: Pick<Problem, 'severity'>): boolean => severity === 'error';

/** A problem that people may read, with its object, node and source. */
export interface Report extends Omit<Problem, 'message' | 'hint'> {
  message: Text;
  hint?: Text | undefined;
  /** The number of counted reports that it represents. */
  count?: number | undefined;
  /** `Kind/name`, or the bare name for an RGD. */
  object?: Text | undefined;
  node?: string | undefined;
  source?: Source | undefined;
  /** The position in the text of `source`, if `path` cannot express it: in a text that does not parse. */
  position?: { line: number; column: number } | undefined;
}

/** Reports whether one of them is an error: its consequences must not be used. */
export const hasErrors = (reports: readonly Pick<Problem, 'severity'>[]): boolean => reports.some(isError);

/** The finished form, as `--diagnostics json` prints it. */
export interface Diagnostic {
  severity: Severity;
  /** The code. A code never changes its meaning, a message may: docs/diagnostics.md lists them. */
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
  /** One past the last column, if the whole range is on the line. */
  endColumn?: number;
  message: string;
  /** How to fix it. */
  hint?: string;
  /** Related locations, such as that of the first of two objects of one name; the message names them too. */
  related?: Related[];
}

/** The fields of a diagnostic, in printed order. */
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
  'endColumn',
  'message',
  'hint',
  'related',
] as const satisfies readonly (keyof Diagnostic)[];
