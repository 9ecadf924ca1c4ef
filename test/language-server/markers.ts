import { readdirSync, readFileSync } from 'node:fs';
import type { Editor, Position } from './editor.ts';

/**
 * A request at a position of a text. In a case, a line `#@ ^ WHAT WANTED` refers to the line above it: `^` marks the
 * column. Lines that begin with `#@` are not part of the text.
 */
export interface Marker {
  file: string;
  position: Position;
  what: string;
  wanted: string;
}

export interface Case {
  name: string;
  /** Texts by the last part of their URI. */
  texts: ReadonlyMap<string, string>;
  markers: readonly Marker[];
}

const folder = new URL('./cases/', import.meta.url);

/** Returns the cases, each from a file; `#@ file NAME` begins another text of the same folder. */
export const cases = (): Case[] =>
  readdirSync(folder)
    .sort()
    .map((name) => readCase(name, readFileSync(new URL(name, folder), 'utf8')));

function readCase(name: string, written: string): Case {
  const texts = new Map<string, string>();
  const markers: Marker[] = [];
  let file = 'rgd.yaml';
  let lines: string[] = [];
  for (const line of written.split('\n')) {
    if (!line.startsWith('#@')) {
      lines.push(line);
      continue;
    }
    const next = /^#@ file (\S+)$/.exec(line)?.[1];
    if (next !== undefined) {
      texts.set(file, lines.join('\n'));
      file = next;
      lines = [];
      continue;
    }
    const [, what = '', wanted = ''] = /^#@ *\^ *(\w+) ?(.*)$/.exec(line) ?? [];
    markers.push({ file, position: { line: lines.length - 1, character: line.indexOf('^') }, what, wanted });
  }
  texts.set(file, lines.join('\n'));
  return { name, texts, markers };
}

/** Returns the answer to the request of a marker, in a form that can be compared with the expected one. */
export async function answerAt(
  editor: Editor,
  folderUri: string,
  { file, position, what, wanted }: Marker,
): Promise<string> {
  const uri = `${folderUri}/${file}`;
  const shown = ({ uri, range }: { uri: string; range: { start: Position } }): string =>
    `${uri.slice(folderUri.length + 1)}:${range.start.line + 1}:${range.start.character + 1}`;
  switch (what) {
    case 'complete':
    case 'first':
      return (await editor.complete(uri, position)).join(', ');
    case 'hover':
      return (await editor.hover(uri, position)).replace(/\s+/g, ' ');
    case 'def':
      return (await editor.definition(uri, position)).map(shown).join(', ');
    case 'refs':
      return String((await editor.references(uri, position)).length);
    case 'sign':
      return editor.signatures(uri, position);
    case 'rename': {
      const edit = await editor.rename(uri, position, wanted.split(' ')[0] ?? '');
      return Object.values(edit?.changes ?? {})
        .flat()
        .length.toString();
    }
    case 'diagnostic':
      return (editor.diagnostics.get(uri) ?? [])
        .filter(({ range }) => range.start.line === position.line && range.start.character === position.character)
        .map(({ code }) => code)
        .join(', ');
    default:
      throw new Error(`no such marker: ${what}`);
  }
}

/** Reports whether an answer matches a marker. */
export function isRight({ what, wanted }: Marker, answer: string): boolean {
  const words = wanted.split(/, */);
  if (what === 'complete') return words.every((word) => answer.split(', ').includes(word));
  if (what === 'first') return words.every((word, index) => answer.split(', ')[index] === word);
  if (what === 'rename') return answer === wanted.split(' ')[1];
  if (what === 'hover' || what === 'sign') return wanted.split(' … ').every((part) => answer.includes(part));
  return answer === wanted;
}
