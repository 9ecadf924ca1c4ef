import { EACH } from '../../core/model/read.ts';
import { isMap, mapItems, type Value } from '../../core/model/value.ts';
import {
  contextOf,
  isSecretKind,
  LAST_APPLIED,
  maybeSecret,
  mentionsSecret,
  type ObjectContext,
  SECRET,
  type Secrecy,
  within,
  writtenSecrets,
} from '../../core/redaction/index.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import { toJsonText } from '../emit/index.ts';
import { constructAlone, mayHoldSecret, tornOffIn } from '../parse/index.ts';
import {
  isAlias,
  isBlockScalar,
  isSyntaxProblem,
  parseTree,
  resolved,
  type ScalarNode,
  type SyntaxTree,
  valueText,
  type YamlNode,
} from '../tree/index.ts';

/*
 * A text without values of Secrets, so that nothing that is computed from it can depend on one. Secrets keep their
 * names, labels and types. A Secret that an RGD, a ResourceSet or a Graph writes keeps its keys and its expressions.
 */

/** A text whose Secrets have no values. */
export interface Withheld {
  text: string;
  /** Whether a document was removed: it cannot be parsed, or has no kind, and may contain a Secret. */
  isIncomplete: boolean;
}

/** A literal of a Secret: text and, in base64, valid data. */
const UNKNOWN = 'd2l0aGhlbGQ=';

/** Marks the end of a text. Positions after the offset are not those of the file: see `withheldFrom`. */
const MARK = '# positions are unknown from ';

/** Returns a text without values of Secrets; texts without Secrets are unchanged. */
export function withoutSecretValues(text: string): Withheld {
  if (!mayHoldSecret(text) && !/\bdata\b/.test(text)) return { text, isIncomplete: false };
  const ranges = splitDocuments(text);
  const isTornOff = tornOffIn(text, ranges);
  let result = '';
  let from: number | undefined;
  let isIncomplete = false;
  let at = 0;
  for (const [index, { start, end }] of ranges.entries()) {
    const between = text.slice(at, start);
    result += mentionsSecret(between) ? '\n' : between;
    const document = text.slice(start, end);
    const changed = isTornOff(index) ? undefined : withoutValues(document);
    if (changed === undefined) {
      isIncomplete = true;
      from ??= result.length;
      result += `${separatorOf(document)}\n`;
    } else {
      if (changed.from !== undefined) from ??= result.length + changed.from;
      result += changed.text;
    }
    at = end;
  }
  const rest = text.slice(at);
  result += mentionsSecret(rest) ? '\n' : rest;
  if (from === undefined) return { text: result, isIncomplete };
  return { text: `${result.endsWith('\n') ? result : `${result}\n`}---\n${MARK}${from}\n`, isIncomplete };
}

/** Returns the offset from which positions in a text are not those of its file; `undefined` for an unchanged text. */
export function withheldFrom(text: string): number | undefined {
  const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  return line.startsWith(MARK) ? Number(line.slice(MARK.length)) : undefined;
}

interface Changed {
  text: string;
  /** Where the first value was, if there was any. */
  from?: number;
}

/** Returns a document without values of Secrets; `undefined` if it is not known where they are. */
function withoutValues(document: string): Changed | undefined {
  const tree = parseTree(document);
  if (isSyntaxProblem(tree)) return mayHoldSecret(document) ? undefined : { text: document };
  const { root } = tree;
  const kind = rootKind(document, root);
  const has = (key: string): boolean => root.kind === 'map' && root.entries.some(({ name }) => name === key);
  if (root.kind === 'map' && (maybeSecret(kind, has, 'object') || kind?.endsWith('List') === true)) {
    return withoutObjects(document, tree);
  }
  return withoutLiterals(document, root);
}

function rootKind(document: string, root: YamlNode): string | undefined {
  if (root.kind !== 'map') return undefined;
  const value = root.entries.findLast(({ name }) => name === 'kind')?.value;
  const node = value === undefined ? undefined : resolved(value);
  return node?.kind === 'scalar' && node.style !== 'empty' && node.style !== 'alias'
    ? valueText(document, node)
    : undefined;
}

/** Writes the public parts of a Secret, or of a list with Secrets. */
function withoutObjects(document: string, tree: SyntaxTree): Changed {
  const value = constructAlone(document, tree);
  const secrecy = writtenSecrets(value, 'object');
  if (secrecy === false) return withoutLiterals(document, tree.root);
  const separator = separatorOf(document);
  const text = toJsonText(publicPart(value, secrecy) ?? {});
  return { text: `${separator}${text}\n`, from: 0 };
}

/** The line that begins a document, if it has one. */
const separatorOf = (document: string): string => (/^\s*---/.test(document) ? '\n---\n' : '');

function publicPart(value: Value, secrecy: Secrecy): Value | undefined {
  if (secrecy === true) return undefined;
  if (secrecy === false || typeof value !== 'object' || value === null) return value;
  const part = mapItems(value, (item, key) =>
    publicPart(item, within(secrecy, [typeof key === 'number' ? EACH : key])),
  );
  return secrecy === SECRET && isMap(part) ? { ...part, ...requiredData(part) } : part;
}

/** A Secret has the keys that its type requires: an API server accepted it. */
function requiredData({ type }: { type?: Value }): { data?: Value } {
  const keys = typeof type === 'string' && Object.hasOwn(REQUIRED, type) ? REQUIRED[type] : undefined;
  return keys === undefined ? {} : { data: Object.fromEntries(keys.map((key) => [key, EMPTY_OBJECT])) };
}

/** `{}` in base64. */
const EMPTY_OBJECT = 'e30=';
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/basic-auth': ['username'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/** Replaces the literals of the Secrets in another object, and keeps expressions. */
function withoutLiterals(document: string, root: YamlNode): Changed {
  const found = new Map<ScalarNode, 'value' | 'assignment'>();
  collect(document, root, 'object', found, new Set());
  const scalars = [...found].sort(([a], [b]) => a.start - b.start);
  let text = '';
  let at = 0;
  let from: number | undefined;
  for (const [scalar, form] of scalars) {
    const value = valueText(document, scalar);
    if (isExpression(value)) continue;
    from ??= scalar.start;
    // The text around an expression is its author's; only where it ends is unknown.
    if (hasExpression(value)) continue;
    const key = form === 'assignment' ? value.slice(0, value.indexOf('=') + 1) : '';
    text += document.slice(at, scalar.start) + literalLike(scalar, key + UNKNOWN);
    at = scalar.end;
  }
  return { text: text + document.slice(at), ...(from !== undefined && { from }) };
}

/** Returns a literal in the place of another one: the lines of a block scalar follow its header. */
const literalLike = (scalar: ScalarNode, text: string): string =>
  isBlockScalar(scalar) ? `${' '.repeat(Math.max(1, scalar.indent))}${text}\n` : JSON.stringify(text);

const hasExpression = (text: string): boolean => text.includes('${') || text.includes('<<');

/** Reports whether a text is one expression of an RGD and nothing else. */
const isExpression = (text: string): boolean =>
  /^\s*\$\{/.test(text) && text.trim().indexOf('}') === text.trim().length - 1;

type Found = Map<ScalarNode, 'value' | 'assignment'>;

function collect(document: string, node: YamlNode, position: ObjectContext, found: Found, seen: Set<YamlNode>): void {
  const content = resolved(node);
  if (content.kind === 'scalar' || seen.has(content)) return;
  seen.add(content);
  if (content.kind === 'list') {
    for (const { value } of content.items) collect(document, value, position, found, seen);
    return;
  }
  const kind = rootKind(document, content);
  const has = (key: string): boolean => content.entries.some(({ name }) => name === key);
  if (maybeSecret(kind, has, position) && !isGenerator(position, kind)) {
    addScalars(content, SECRET, 'value', found);
    return;
  }
  for (const { name, value } of content.entries) {
    if (name === LAST_APPLIED) addScalars(value, true, 'value', found);
    else if (name === 'literals' && isGenerator(position, kind)) addScalars(value, true, 'assignment', found);
    else collect(document, value, contextOf({ kind, position }, name), found, seen);
  }
}

/** An item of a secretGenerator: its name and its files are no values. */
const isGenerator = (position: ObjectContext, kind: string | undefined): boolean =>
  position === 'secret' && (kind === undefined || !isSecretKind(kind));

/** Adds the scalars of the secret parts of a node, without keys. */
function addScalars(node: YamlNode, secrecy: Secrecy, form: 'value' | 'assignment', found: Found): void {
  if (secrecy === false) return;
  const content = resolved(node);
  if (content.kind === 'scalar') {
    if (secrecy === true && content.style !== 'empty' && !isAlias(content)) found.set(content, form);
  } else if (content.kind === 'list') {
    for (const { value } of content.items) addScalars(value, within(secrecy, [EACH]), form, found);
  } else {
    for (const { name, value } of content.entries) addScalars(value, within(secrecy, [name]), form, found);
  }
}
