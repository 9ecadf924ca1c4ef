/** Converts snippets of the language server to those of the editor, which have another syntax. */

interface Stop {
  readonly number: number;
  /** The text that it starts with. */
  readonly text: string;
}

/** Fixed text, or a place that the user fills in. */
type Part = string | Stop;

/**
 * Returns the parts of a snippet of the Language Server Protocol: `$1`, `${1}`, `${1:text}` and `${1|one,two|}` are
 * stops, and a backslash before `$`, `}` or a backslash makes it fixed text. A choice starts with its first text, and
 * a stop inside the text of another one is text.
 */
export function partsOfSnippet(snippet: string): Part[] {
  const parts: Part[] = [];
  let fixed = '';
  let at = 0;
  while (at < snippet.length) {
    const stop = stopAt(snippet, at);
    if (stop === undefined) {
      const isEscaped = snippet[at] === '\\' && /[$}\\]/.test(snippet[at + 1] ?? '');
      fixed += isEscaped ? snippet[at + 1] : snippet[at];
      at += isEscaped ? 2 : 1;
      continue;
    }
    if (fixed !== '') parts.push(fixed);
    fixed = '';
    parts.push({ number: stop.number, text: stop.text });
    at = stop.end;
  }
  if (fixed !== '') parts.push(fixed);
  return parts;
}

function stopAt(snippet: string, at: number): (Stop & { readonly end: number }) | undefined {
  const head = /^\$(?:(\d+)|\{(\d+)([:|}]))/.exec(snippet.slice(at, at + 16));
  if (head === null) return undefined;
  const [written, short, braced, mark] = head;
  const number = Number(short ?? braced);
  const start = at + written.length;
  if (mark === undefined || mark === '}') return { number, text: '', end: start };
  if (mark === '|') return choiceAt(snippet, start, number);
  return textOfStop(snippet, start, number);
}

function choiceAt(snippet: string, start: number, number: number): (Stop & { readonly end: number }) | undefined {
  const end = snippet.indexOf('|}', start);
  if (end < 0) return undefined;
  const first = /^(?:\\.|[^,\\])*/s.exec(snippet.slice(start, end))?.[0] ?? '';
  return { number, text: first.replace(/\\([,|\\])/g, '$1'), end: end + 2 };
}

function textOfStop(snippet: string, start: number, number: number): (Stop & { readonly end: number }) | undefined {
  let text = '';
  let at = start;
  while (at < snippet.length && snippet[at] !== '}') {
    const inner = stopAt(snippet, at);
    if (inner !== undefined) {
      text += inner.text;
      at = inner.end;
    } else if (snippet[at] === '\\' && /[$}\\]/.test(snippet[at + 1] ?? '')) {
      text += snippet[at + 1];
      at += 2;
    } else {
      text += snippet[at];
      at += 1;
    }
  }
  return at < snippet.length ? { number, text, end: at + 1 } : undefined;
}

/** Braces are escaped, so that fixed text such as `${name}` is no stop. */
const escaped = (text: string): string => text.replace(/[{}]/g, '\\$&');

/** Returns a snippet of the protocol as a template of CodeMirror. */
export const templateOfSnippet = (snippet: string): string => partsOfSnippet(snippet).map(templateOfPart).join('');

function templateOfPart(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  // The text of a numbered stop of CodeMirror has no braces.
  if (/[{}]/.test(part.text)) return `\${${escaped(part.text)}}`;
  return part.text === '' ? `\${${part.number}}` : `\${${part.number}:${part.text}}`;
}

/**
 * Returns a snippet of the protocol as a text that the client of CodeMirror turns into the template above: the client
 * removes a backslash before `$`, `}` and a backslash, and reads `$` with a number as a stop.
 */
export const snippetForClient = (snippet: string): string =>
  templateOfSnippet(snippet).replace(/\\(?=[$}\\])|\$(?=\d)/g, '\\$&');
