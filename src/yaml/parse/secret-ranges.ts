import { lazily } from '../../core/model/lazily.ts';
import {
  contextOf,
  isKindName,
  isSecretKind,
  isSecretListKind,
  LAST_APPLIED,
  maybeSecret,
  mentionsSecret,
  type ObjectContext,
  SECRET,
  type Secrecy,
  within,
} from '../../core/redaction/index.ts';
import type { DocumentRange } from '../../core/text/documents.ts';
import { smallest } from '../../core/text/extremes.ts';
import { countUpTo } from '../../core/text/line-index.ts';
import {
  isAlias,
  isSyntaxProblem,
  type MapNode,
  parseTree,
  type Range,
  resolved,
  type ScalarNode,
  valueText,
  visitScalars,
  type YamlNode,
} from '../tree/index.ts';

/** A range of a document that is a Secret; offsets count in the document. */
export interface SecretRange extends Range {
  /** The ranges in it without values: names and labels, but not comments. */
  plain: readonly Range[];
}

/** Returns the Secrets of a document: all of it if it cannot be parsed, or lost its kind, and may be one. */
export function secretRanges(document: string, tree = parseTree(document)): SecretRange[] {
  const all = [{ start: 0, end: document.length, plain: [] }];
  if (isSyntaxProblem(tree)) return mayHoldSecret(document) ? all : [];
  const { root } = tree;
  const texts: ScalarNode[] = [];
  visitScalars(root, (scalar) => void texts.push(scalar));
  if (!mayHoldSecret(document) && !namesSecret(document, texts)) return [];
  const hasKind =
    root.kind === 'map' &&
    root.entries.some(({ name, value }) => name === 'kind' && isKindName(textOf(document, value) ?? ''));
  if (!hasKind && mayHoldSecret(document)) return all;
  const found: Found = { document, texts, ranges: [], seen: new Map() };
  collect(root, 'object', found);
  return isMentionedElsewhere(document, found.ranges) ? all : found.ranges;
}

/** Reports whether a text may contain a Secret: it mentions one, hides it, or does not identify itself. */
export const mayHoldSecret = (document: string): boolean =>
  mentionsSecret(document) || (!namesKind(document) && /\bdata\b/.test(document));

/** Longer texts are not similar to a kind of a Secret. */
const MOST_CHARACTERS = 24;

/** Reports whether a scalar is `data`, or may be the kind of a Secret or of a list: otherwise nothing is a Secret. */
function namesSecret(document: string, texts: readonly ScalarNode[]): boolean {
  return texts.some((node) => {
    if (isAlias(node) || node.innerEnd - node.innerStart > MOST_CHARACTERS) return false;
    const text = valueText(document, node);
    return text === 'data' || isSecretKind(text) || isSecretListKind(text);
  });
}

/** Returns a function that reports whether markers may have separated an unidentified document from a Secret. */
export function tornOffIn(text: string, documents: readonly DocumentRange[]): (index: number) => boolean {
  const textOf = ({ start, end }: DocumentRange): string => text.slice(start, end);
  const isNamedSecret = (document: string): boolean => /secret|stringData/i.test(document);
  const decisive = lazily(() =>
    documents.flatMap((one, index) => {
      const isSecret = isNamedSecret(textOf(one));
      return isSecret || /\bkind\b/i.test(textOf(one)) ? [{ index, isSecret }] : [];
    }),
  );
  return (index) => {
    const document = documents[index];
    if (document === undefined || namesKind(textOf(document))) return false;
    const known = decisive();
    const after = countUpTo(index, known.length, (at) => known[at]?.index ?? 0);
    const before = known[after - 1]?.index === index ? after - 2 : after - 1;
    return known[before]?.isSecret === true || known[after]?.isSecret === true;
  };
}

/** Reports whether a text mentions a Secret where none was found, as in a comment: its values may be anywhere then. */
const isMentionedElsewhere = (document: string, ranges: readonly SecretRange[]): boolean =>
  [...document.matchAll(MENTION)].some(({ index }) => !ranges.some(({ start, end }) => start <= index && index < end));

const MENTION = /\bkind["']?[ \t]*:[ \t]*["']?Secret(?:List)?\b|\bstringData["']?[ \t]*:/g;

const namesKind = (document: string): boolean => /\bkind\b/.test(document);

/** Reports whether a line, or a part of it, shows more of a Secret than names. */
export const showsSecret = (document: string, from: number, to: number, ranges: readonly SecretRange[]): boolean =>
  firstSecretIn(document, from, to, ranges) !== undefined;

/** Returns where the first part of a Secret in a part of a document begins that is no name. */
export function firstSecretIn(
  document: string,
  from: number,
  to: number,
  ranges: readonly SecretRange[],
): number | undefined {
  const found = ranges.flatMap(({ start, end, plain }) => {
    let at = Math.max(from, start);
    const last = Math.min(to, end);
    for (const text of plain) {
      if (text.end <= at || text.start >= last) continue;
      if (!isPunctuation(document.slice(at, text.start))) return afterPunctuation(document, at);
      at = Math.max(at, text.end);
    }
    return at < last && !isPunctuation(document.slice(at, last)) ? afterPunctuation(document, at) : [];
  });
  return found.length === 0 ? undefined : smallest(found);
}

const PUNCTUATION = /[\s{}[\],:"'?|>-]/;

function afterPunctuation(document: string, from: number): number {
  let at = from;
  while (PUNCTUATION.test(document[at] ?? '')) at += 1;
  return at;
}

const isPunctuation = (text: string): boolean => /^[\s{}[\],:"'?|>-]*$/.test(text);

/** Returns the text of a scalar or an alias of one; `undefined` without one. */
function textOf(document: string, node: YamlNode): string | undefined {
  const scalar = resolved(node);
  if (scalar.kind !== 'scalar' || scalar.style === 'empty' || scalar.style === 'alias') return undefined;
  return valueText(document, scalar);
}

interface Found {
  document: string;
  texts: readonly ScalarNode[];
  ranges: SecretRange[];
  /** The maps and lists that were visited in each context: aliases refer to one many times. */
  seen: Map<ObjectContext, Set<YamlNode>>;
}

function collect(node: YamlNode, position: ObjectContext, found: Found): void {
  const content = resolved(node);
  if (content.kind === 'scalar') return;
  const seen = found.seen.get(position) ?? new Set();
  if (seen.has(content)) return;
  found.seen.set(position, seen.add(content));
  if (content.kind === 'map') collectMap(node, content, position, found);
  else for (const { value } of content.items) collect(value, position, found);
}

function collectMap(node: YamlNode, { entries }: MapNode, position: ObjectContext, found: Found): void {
  const { document, texts, ranges } = found;
  const kinds = entries.flatMap(({ name, value }) => (name === 'kind' ? [textOf(document, value)] : []));
  const has = (wanted: string): boolean => entries.some(({ name }) => name === wanted);
  // Of a duplicate kind either may be intended.
  const isSecret = (kinds.length === 0 ? [undefined] : kinds).some((kind) => maybeSecret(kind, has, position));
  if (isSecret || kinds.some((kind) => kind !== undefined && isSecretKind(kind))) {
    const plain = new Set<YamlNode>();
    addPlain(node, isSecret ? SECRET : false, plain);
    ranges.push({ ...withComments(document, node, texts), plain: textsAmong(plain) });
    if (isSecret) return;
  }
  for (const { name, value } of entries) {
    const isCopy = name === LAST_APPLIED && mayHoldSecret(textOf(document, value) ?? '');
    if (isCopy) ranges.push({ ...withComments(document, value, texts), plain: [] });
    collect(value, contextOf({ kind: kinds[0], position }, name), found);
  }
}

/** Returns the range from the end of the text before a node to the start of the next one, which includes comments. */
function withComments(document: string, { start, end }: Range, texts: readonly ScalarNode[]): Range {
  const before = countUpTo(start - 1, texts.length, (at) => texts[at]?.start ?? 0);
  const after = countUpTo(end, texts.length, (at) => texts[at]?.end ?? 0);
  return { start: texts[before - 1]?.end ?? 0, end: texts[after]?.start ?? document.length };
}

/** Adds the texts of a node that are no values of a Secret: all of them, or those of some fields of a map. */
function addPlain(node: YamlNode, secrecy: Secrecy, plain: Set<YamlNode>): void {
  const content = resolved(node);
  if (secrecy === false ? plain.has(content) : content.kind !== 'map') return;
  if (secrecy === false) plain.add(content);
  if (content.kind === 'list') for (const { value } of content.items) addPlain(value, false, plain);
  if (content.kind !== 'map') return;
  for (const { key, name, value } of content.entries) {
    const inner = within(secrecy, [name]);
    if (inner === true || (inner !== false && secrecy !== SECRET)) continue;
    addPlain(key, false, plain);
    addPlain(value, inner, plain);
  }
}

const textsAmong = (nodes: ReadonlySet<YamlNode>): ScalarNode[] =>
  [...nodes].filter(
    (node): node is ScalarNode => node.kind === 'scalar' && node.style !== 'empty' && node.style !== 'alias',
  );
