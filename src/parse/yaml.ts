import { parseEvents, YAMLException } from 'js-yaml';
import type { Problem } from '../diagnostics/diagnostic.ts';
import type { Value } from '../model/value.ts';
import { type AliasBudget, constructDocument } from './construct.ts';
import { type DocumentRange, splitDocuments } from './documents.ts';
import { createLineIndex, type LineIndex, type Position } from './line-index.ts';

export interface StreamDocument {
  /** Which document of the stream, from 0; empty documents count. */
  index: number;
  value: Value;
}

/** A problem of one document, with its place in the stream. */
export interface StreamProblem extends Problem, Position {
  document: number;
}

/** Far more than people write, far less than what hurts. */
const ALIAS_BUDGET = 500_000;
const MAX_DEPTH = 1000;

/**
 * Reads a stream of YAML or JSON documents as Kubernetes does. Empty documents are left out. A document that is
 * broken is left out too and reported; one with a fault that does not hide the rest (a duplicate key) is both.
 */
export function readStream(text: string): { documents: StreamDocument[]; problems: StreamProblem[] } {
  const documents: StreamDocument[] = [];
  const problems: StreamProblem[] = [];
  const budget: AliasBudget = { left: ALIAS_BUDGET };
  let lines: LineIndex | undefined;
  const report = (document: number, problem: Problem, offset: number): void => {
    lines ??= createLineIndex(text);
    problems.push({ ...problem, document, ...lines.position(offset) });
  };
  splitDocuments(text).forEach((range, index) => {
    const source = text.slice(range.start, range.end);
    try {
      const { value, faults } = constructDocument(source, parseEvents(source, { maxDepth: MAX_DEPTH }), budget);
      if (value !== null) documents.push({ index, value });
      for (const { offset, ...problem } of faults) report(index, problem, range.start + offset);
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      report(index, syntaxProblem(error, source), faultOffset(error, range));
    }
  });
  return { documents, problems };
}

const faultOffset = (error: YAMLException, range: DocumentRange): number =>
  Math.min(range.start + (error.mark?.position ?? 0), range.end);

const QUOTE = "an expression with ': ' or ' #' in it, or after other text that starts with a YAML sign, needs quotes";

function syntaxProblem(error: YAMLException, source: string): Problem {
  const problem: Problem = { code: 'yaml-syntax', message: error.reason, path: [] };
  const at = error.mark?.position ?? 0;
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1).split('\n', 1)[0] ?? '';
  if (line.includes('${')) problem.hint = QUOTE;
  else if (/^ *\t/.test(line)) problem.hint = 'YAML is indented with spaces, never with tabs';
  return problem;
}
