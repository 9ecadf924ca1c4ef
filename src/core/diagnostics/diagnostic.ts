import type { Source } from '../model/object.ts';
import type { Path } from '../model/value.ts';
import type { Code, Stage } from './codes.ts';
import type { Message, Text } from './message.ts';

export type Severity = 'error' | 'warning' | 'info';

/** A place in another object, or in the same one. */
export interface RelatedPlace {
  message: Text;
  source: Source | undefined;
  path: Path;
}

/** The finished form of a related place. */
export interface Related {
  file: string;
  line?: number;
  column?: number;
  message: string;
}

/**
 * What a step found wrong in one object, before it is known where that object is in a file.
 * `path` is relative to the object; `offset` counts UTF-16 units inside the scalar at `path` (for expressions).
 */
export interface Problem {
  code: Code;
  message: Message;
  path: Path;
  offset?: number;
  hint?: Message;
  /** What may be shown of `path`; defaults to all of it. */
  field?: Path;
  /** Defaults to 'error'. */
  severity?: Severity;
  /** Another place that the problem is about, such as that of the first of two alike. */
  related?: readonly RelatedPlace[];
  /** Warnings and infos of one code that agree here say one thing: people are told it once, with the count. */
  alike?: string;
  /** Warnings of one code that have this become one line for people, behind all others. */
  listed?: Listed;
}

/** What one line says of several subjects, in place of a warning for each. */
export interface Listed {
  /** What this warning is about: `example.com/v1 Bucket`. */
  subject: Text;
  /** What all of them have in common. Their subjects follow it. */
  message: Text;
  /** What to do about this one, where that is not the same for all: `did you mean ...?` */
  note?: Text;
  /** What to do about all of them. `ITEMS ` in it stands for the items of all, and for nothing where there are too many. */
  hint: Text;
  item: string;
}

export const isError = ({ severity = 'error' }: { severity?: Severity }): boolean => severity === 'error';

/** A problem as people may read it, with the object, the node and the origin it belongs to. */
export interface Report extends Omit<Problem, 'message' | 'hint'> {
  message: Text;
  hint?: Text;
  /** How many it stands for, where they were counted only: nobody reads more of them. */
  count?: number;
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
  /** One past the last column, where the whole of it is on the line. */
  endColumn?: number;
  message: string;
  /** What to do about it. */
  hint?: string;
  /** Other places that it is about, such as that of the first of two objects of one name; the message names them too. */
  related?: Related[];
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
  'endColumn',
  'message',
  'hint',
  'related',
] as const satisfies readonly (keyof Diagnostic)[];
