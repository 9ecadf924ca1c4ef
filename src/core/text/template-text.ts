import { closingQuote } from './documents.ts';

export interface DefinedKind {
  group: string;
  kind: string;
}

const BLOCK_HEADER = /(?<=^|[:\s-])[|>][-+\d]*[ \t]*(?:#.*)?\r?(?:\n|$)/my;

/** Actions of Go's and of Jinja's templates. */
const ACTIONS = ['{{', '{%'] as const;

/** Returns the position of the first `{{` or `{%` that is not quoted, in a block scalar or in a comment, so not YAML; or -1. */
export function templateActionAt(text: string): number {
  /** The last character of the line that is not a space. */
  let before = '';
  const isThere = ACTIONS.some((action) => text.includes(action));
  for (let at = isThere ? 0 : text.length; at < text.length; at++) {
    const char = text.charAt(at);
    BLOCK_HEADER.lastIndex = at;
    if (ACTIONS.some((action) => text.startsWith(action, at))) return at;
    if (char === '#' && /^$|\s/.test(text.charAt(at - 1))) at = text.indexOf('\n', at) - 1;
    else if (`"'`.includes(char) && (before === '' || ':,[{-?'.includes(before)))
      at = closingQuote(text, at, text.length);
    else if (BLOCK_HEADER.test(text)) at = blockEnd(text, at, BLOCK_HEADER.lastIndex) - 1;
    if (at < 0) return -1;
    before = text[at] === '\n' ? '' : char.trim() || before;
  }
  return -1;
}

/** Returns the end of a block scalar: the start of a line that is not deeper than that of its header. */
function blockEnd(text: string, header: number, start: number): number {
  const indentation = text.slice(text.lastIndexOf('\n', header) + 1).search(/\S/);
  let at = start;
  for (const [line] of text.slice(start).matchAll(/[^\n]*(?:\n|$)/g)) {
    const own = line.search(/\S/);
    if (own >= 0 && own <= indentation) break;
    at += line.length;
  }
  return at;
}

const FIELD = /^[ \t{,-]*["']?(apiVersion|kind)["']?\s*:[ \t]*(.*)/gm;

/** Reports whether a template may become an RGD or an instance: it names kro's group, or a kind and its group. */
export function mayBecome(text: string, kinds: Iterable<DefinedKind>): boolean {
  if (/\bkro\.run\b|ResourceGraphDefinition/.test(text)) return true;
  const written = { apiVersion: [] as string[], kind: [] as string[] };
  for (const [, field, value = ''] of text.matchAll(FIELD)) {
    const list = field === 'kind' ? written.kind : written.apiVersion;
    list.push(
      value
        .replace(/(?<![\s,}])[\s,}]+$/, '')
        .replace(/\s#.*/s, '')
        .replace(/^["']|["']$/g, ''),
    );
  }
  const filledIn = (value: string): boolean => value.includes('{{');
  for (const { group, kind } of kinds) {
    const named = written.kind.includes(kind);
    const ofGroup = written.apiVersion.some((value) => value.startsWith(`${group}/`));
    if (named && (ofGroup || written.apiVersion.some(filledIn))) return true;
    if (ofGroup && written.kind.some(filledIn)) return true;
  }
  return false;
}
