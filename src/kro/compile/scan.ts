/** Finds `${...}` (kro: pkg/graph/parser/cel.go); braces and quotes in literals and comments are text, unlike there. */
export type Part = { text: string } | { source: string; start: number };

export type Scan =
  | {
      ok: true;
      parts: readonly Part[] /** The whole string is one expression. */;
      standalone: boolean;
      unclosed?: number;
    }
  | { ok: false; offset: number };

/** `start` of an expression is the UTF-16 offset of its first character after `${`. */
export function scan(text: string): Scan {
  const parts: Part[] = [];
  let from = 0;
  let unclosed: number | undefined;
  let open = text.indexOf('${');
  while (open >= 0) {
    const end = closingBrace(text, open + 2);
    if (typeof end !== 'number') return { ok: false, offset: end.nested };
    if (end < 0) {
      // An expression that is not closed is text, as in kro; the caller warns.
      unclosed ??= open;
      open = text.indexOf('${', open + 2);
      continue;
    }
    if (open > from) parts.push({ text: text.slice(from, open) });
    parts.push({ source: text.slice(open + 2, end), start: open + 2 });
    from = end + 1;
    open = text.indexOf('${', from);
  }
  const standalone = parts.length === 1 && from === text.length && text.startsWith('${');
  if (from < text.length) parts.push({ text: text.slice(from) });
  return unclosed === undefined ? { ok: true, parts, standalone } : { ok: true, parts, standalone, unclosed };
}

/** Returns the expressions of a text and the text around them; none if it opens an expression inside another. */
export function partsOf(text: string): readonly Part[] {
  const scanned = scan(text);
  return scanned.ok ? scanned.parts : [];
}

/** Reports whether a text has an expression, or one inside of another, which is an error that templates report. */
export function holdsExpression(text: string): boolean {
  const scanned = scan(text);
  return !scanned.ok || scanned.parts.some(isExpression);
}

export const isExpression = (part: Part): part is { source: string; start: number } => 'source' in part;

/** An expression in a text that is being edited; `start` as in `Part`. */
interface LoosePart {
  source: string;
  start: number;
  /** Its `}` is written. */
  closed: boolean;
}

/** Returns the expressions of a text; one that is not closed ends with its line, or where the next one begins. */
export function loosePartsOf(text: string): LoosePart[] {
  const parts: LoosePart[] = [];
  for (let open = text.indexOf('${'); open >= 0; ) {
    const start = open + 2;
    const end = closingBrace(text, start);
    const closed = typeof end === 'number' && end >= 0;
    const until = closed ? (end as number) : looseEnd(text, start);
    parts.push({ source: text.slice(start, until), start, closed });
    open = text.indexOf('${', until);
  }
  return parts;
}

function looseEnd(text: string, start: number): number {
  const next = text.indexOf('${', start);
  const line = text.indexOf('\n', start);
  return Math.min(next < 0 ? text.length : next, line < 0 ? text.length : line);
}

/** Returns the index of the matching `}`, -1 if there is none, or the offset of a nested `${`. */
function closingBrace(text: string, start: number): number | { nested: number } {
  let depth = 1;
  let at = start;
  while (at < text.length) {
    const char = text[at];
    if (char === '"' || char === "'") {
      at = literalEnd(text, at);
      if (at < 0) return -1;
    } else if (char === '/' && text[at + 1] === '/') {
      at = commentEnd(text, at, depth);
    } else if (char === '$' && text[at + 1] === '{') {
      return { nested: at };
    } else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      if (depth === 0) return at;
      at += 1;
    }
  }
  return -1;
}

/** Returns the index after a CEL string literal whose first quote is at `at`, -1 if it does not end. */
function literalEnd(text: string, at: number): number {
  const quote = text[at] as string;
  const raw = /[rR]/.test(text[at - 1] ?? '') && !/[\w.]/.test(prefixBefore(text, at - 1));
  const triple = text.startsWith(quote.repeat(3), at);
  const close = triple ? quote.repeat(3) : quote;
  let position = at + close.length;
  while (position < text.length) {
    if (text.startsWith(close, position)) return position + close.length;
    if (!triple && text[position] === '\n') return -1;
    position += text[position] === '\\' && !raw ? 2 : 1;
  }
  return -1;
}

/** The character before an `r` or `br` literal prefix: an identifier that ends in r is not a prefix. */
function prefixBefore(text: string, at: number): string {
  const before = text[at - 1] ?? '';
  return /[bB]/.test(before) ? (text[at - 2] ?? '') : before;
}

/** A comment ends with its line, or before the brace that closes the expression (kro counts braces in comments). */
function commentEnd(text: string, at: number, depth: number): number {
  let inner = depth;
  for (let position = at; position < text.length; position += 1) {
    const char = text[position];
    if (char === '\n') return position;
    if (char === '{') inner += 1;
    if (char === '}') {
      inner -= 1;
      if (inner === 0) return position;
    }
  }
  return text.length;
}
