export interface DefinedKind {
  group: string;
  kind: string;
}

const BLOCK_HEADER = /(?:^|[:\s-])[|>][-+\d]*[ \t]*(?:#.*)?$/;

/** Returns the position of the first `{{` that is not quoted, in a block scalar or in a comment, so not YAML; or -1. */
export function templateActionAt(text: string): number {
  if (!text.includes('{{')) return -1;
  let offset = 0;
  let quote = '';
  /** The minimum indentation of lines in the current block scalar. */
  let block = -1;
  for (const line of text.split('\n')) {
    const indentation = line.search(/\S/);
    if (quote === '' && block >= 0 && (indentation < 0 || indentation > block)) {
      offset += line.length + 1;
      continue;
    }
    block = -1;
    const scanned = scanLine(line, quote);
    if (scanned.action >= 0) return offset + scanned.action;
    quote = scanned.quote;
    if (quote === '' && BLOCK_HEADER.test(line.trimEnd())) block = indentation;
    offset += line.length + 1;
  }
  return -1;
}

function scanLine(line: string, inside: string): { action: number; quote: string } {
  let quote = inside;
  let before = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    if (quote !== '') {
      if (char === '\\' && quote === '"') at++;
      else if (char === quote && quote === "'" && line[at + 1] === quote) at++;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === '{' && line[at + 1] === '{') return { action: at, quote };
    if (char === '#' && (at === 0 || /\s/.test(line[at - 1] as string))) break;
    // A quote elsewhere is part of a plain text.
    if ((char === '"' || char === "'") && (before === '' || ':,[{-?'.includes(before))) quote = char;
    if (!/\s/.test(char)) before = char;
  }
  return { action: -1, quote };
}

const FIELD = /^[\s{,-]*["']?(apiVersion|kind)["']?\s*:[ \t]*(.*?)[\s,}]*$/gm;

/** Reports whether a template may become an RGD or an instance: it names kro's group, or a kind and its group. */
export function mayBecome(text: string, kinds: Iterable<DefinedKind>): boolean {
  if (/\bkro\.run\b|ResourceGraphDefinition/.test(text)) return true;
  const written = { apiVersion: [] as string[], kind: [] as string[] };
  for (const [, field, value = ''] of text.matchAll(FIELD)) {
    written[field as keyof typeof written].push(value.replace(/\s#.*$/, '').replace(/^["']|["']$/g, ''));
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
