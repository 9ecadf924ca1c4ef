import type { Problem } from '../diagnostics/diagnostic.ts';
import type { Value } from '../model/value.ts';
import { type AliasBudget, constructDocument } from './construct.ts';
import { MAX_DOCUMENTS, splitDocuments } from './documents.ts';
import { isSyntaxFault, parseDocument, type SyntaxFault } from './events.ts';
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
  const ranges = splitDocuments(text);
  if (ranges.length > MAX_DOCUMENTS) {
    const message = `a stream of more than ${MAX_DOCUMENTS} documents is not read`;
    report(MAX_DOCUMENTS, { code: 'yaml-syntax', message, path: [] }, ranges.at(-1)?.start ?? 0);
    return { documents, problems };
  }
  ranges.forEach((range, index) => {
    const parsed = parseDocument(text.slice(range.start, range.end));
    if (isSyntaxFault(parsed)) {
      report(index, syntaxProblem(parsed, text.slice(range.start, range.end)), range.start + parsed.offset);
      return;
    }
    const { value, faults } = constructDocument(parsed.source, parsed.events, budget);
    if (value !== null) documents.push({ index, value });
    for (const { offset, ...problem } of faults) report(index, problem, range.start + parsed.original(offset));
  });
  return { documents, problems };
}

const QUOTE = "a value that holds ': ' or ' #', or that starts with a sign YAML gives a meaning to, needs quotes";
const TABS = 'YAML is indented with spaces, never with tabs';

function syntaxProblem({ message, offset }: SyntaxFault, document: string): Problem {
  const lineEnd = document.indexOf('\n', offset);
  const line = document.slice(document.lastIndexOf('\n', offset - 1) + 1, lineEnd < 0 ? document.length : lineEnd);
  const problem: Problem = { code: 'yaml-syntax', message, path: [] };
  if (/^ *\t/.test(line)) return { ...problem, hint: TABS };
  return /: .*(?:: | #)|[:-] +[@`%*&!{[]|\$\{/.test(line) ? { ...problem, hint: QUOTE } : problem;
}
