import { countUpTo } from '../parse/ascending.ts';
import { type DocumentRange, splitDocuments } from '../parse/documents.ts';
import { createLineIndex, type LineIndex } from '../parse/line-index.ts';
import type { Diagnostic } from './diagnostic.ts';

/** How much of a long line is shown on either side of the place. */
const MARGIN = 70;

interface SourceText {
  text: string;
  lines: LineIndex;
  ranges: DocumentRange[];
  /** Whether a document holds a Secret, by its number. */
  secrets: Map<number, boolean>;
}

/**
 * Yields the line that a diagnostic is about with a caret under the place, or `undefined` when there is none or when
 * it should not be shown. `sources` are the texts by file name.
 */
export function createExcerpts(sources: ReadonlyMap<string, string>): (diagnostic: Diagnostic) => string | undefined {
  const known = new Map<string, SourceText>();
  return (diagnostic) => {
    const { file, line, column } = diagnostic;
    if (file === undefined || line === undefined || column === undefined) return undefined;
    const text = sources.get(file);
    if (text === undefined) return undefined;
    const source = known.get(file) ?? sourceOf(text);
    known.set(file, source);
    return mayShowSecret(diagnostic, line, source) ? undefined : excerpt(source.lines.lineText(line), column);
  };
}

const sourceOf = (text: string): SourceText => ({
  text,
  lines: createLineIndex(text),
  ranges: splitDocuments(text),
  secrets: new Map(),
});

function excerpt(line: string, column: number): string {
  const start = Math.max(0, column - 1 - MARGIN);
  const shown = line.slice(start, column - 1 + MARGIN);
  return `${shown}\n${shown.slice(0, column - 1 - start).replace(/[^\t]/g, ' ')}^`;
}

/**
 * A Secret's values are never printed: no line of a document that has a Secret in it is shown, unless the place is
 * known to be outside of its data.
 */
function mayShowSecret({ object, field }: Diagnostic, line: number, source: SourceText): boolean {
  if (object?.startsWith('Secret/')) return true;
  const isOutside = field !== undefined && !/(?:^|\.)(?:data|stringData)(?:$|[.[])|last-applied/.test(field);
  if (isOutside) return false;
  const { text, lines, ranges, secrets } = source;
  // The first document that ends behind the line's start.
  const document = countUpTo(lines.offset(line), ranges.length, (index) => (ranges[index] as DocumentRange).end);
  let holdsSecret = secrets.get(document);
  if (holdsSecret === undefined) {
    const { start, end } = ranges[document] ?? { start: 0, end: text.length };
    holdsSecret = /\bkind["']?\s*:\s*["']?Secret\b/.test(text.slice(start, end));
    secrets.set(document, holdsSecret);
  }
  return holdsSecret;
}
