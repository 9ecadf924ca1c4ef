import { isAlias, isScalar, isSeq, isMap as isYamlMap, type Scalar } from 'yaml';
import { isMap, type Value } from '../../src/core/model/value.ts';

/**
 * Plain scalars that Kubernetes (go-yaml v2, then JSON) reads unlike the package `yaml` with version 1.1, by their
 * text. Other differences are errors.
 */
const DIFFERENCES: readonly { reason: string; text: RegExp }[] = [
  { reason: 'go-yaml has no sexagesimal numbers', text: /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/ },
  { reason: 'a timestamp becomes a string in JSON', text: /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]|$)/ },
  { reason: 'go-yaml reads the octal numbers of YAML 1.2 too, and capitals', text: /^[-+]?0[oOXB][0-9a-fA-F_]+$/ },
  { reason: 'an integer beyond int64 is a float', text: /^[-+]?(?:0[xb])?[0-9a-fA-F_]{16,}$/ },
  {
    reason: 'yaml takes letters and signs without digits for floats',
    text: /^[-+]?(?:[0-9_]*\.?_*|\._*)(?:[eE][-+]?[0-9]+)?$/,
  },
  { reason: 'go-yaml drops underscores from a number wherever they stand', text: /^[-+]?[0-9.][0-9a-fA-FxXob.+-]*_/ },
  { reason: 'what float64 cannot hold is text', text: /^[-+]?[0-9.]+e\+?[0-9]{3,}$/i },
  { reason: 'JSON has no negative zero that is an integer, nor one that is too small', text: /^-(?:0|\.0|[0-9.]+e-)/i },
];

/** Texts that the package `yaml` reads unlike go-yaml, whatever their scalars are. */
const OTHERWISE: readonly { reason: string; text: RegExp }[] = [
  { reason: 'it takes a carriage return alone for text', text: /\r(?!\n)/ },
  { reason: 'it takes a byte order mark inside of a document for text', text: /.\uFEFF/s },
  { reason: 'it loses a last line of blanks of a block scalar, before a comment', text: /\n[ \t]+\n[ \t]*#/ },
  { reason: 'it loses the empty lines behind an escaped line break', text: /\\\r?\n[ \t]*\r?\n/ },
  { reason: 'a block scalar whose end is the end of the text has no line break there for go-yaml', text: /[^\n]$/ },
];

export const isReadOtherwise = (text: string): boolean => OTHERWISE.some((difference) => difference.text.test(text));

const isKnownDifference = (text: string): boolean => DIFFERENCES.some((difference) => difference.text.test(text));

/** Returns the difference between a value of this reader and a node of `yaml`; `undefined` if they are equal. */
export function difference(ours: Value | undefined, node: unknown): string | undefined {
  if (isSeq(node)) {
    if (!Array.isArray(ours) || ours.length !== node.items.length) return 'the items of a list';
    return firstOf(node.items, (item, index) => difference(ours[index], item));
  }
  if (isYamlMap(node)) {
    if (!isMap(ours) || Object.keys(ours).length !== node.items.length) return 'the keys of a map';
    return firstOf(node.items, ({ key, value }) => {
      const name = keyOf(key, ours);
      return name === undefined ? `the key ${String(key)}` : difference(ours[name], value);
    });
  }
  if (!isScalar(node)) return (ours ?? null) === null ? undefined : 'something where there is nothing';
  return isSame(ours, node)
    ? undefined
    : `${String(ours)} is ${String(node.value)}, written ${JSON.stringify(node.source)}`;
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSame(ours: Value | undefined, { value, source = '', type, tag }: Scalar): boolean {
  if (typeof value === 'string' && ours === wellFormed(value)) return true;
  if (typeof ours === 'bigint' ? value === ours || value === Number(ours) : Object.is(ours ?? null, value ?? null))
    return true;
  return (type === 'PLAIN' || tag !== undefined) && isKnownDifference(source);
}

/** Go strings have no unpaired surrogates. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** Returns the key of the map for a key node; a float is written with the digits of a float32. */
function keyOf(key: unknown, ours: Record<string, Value>): string | undefined {
  if (!isScalar(key)) return undefined;
  const names = [wellFormed(String(key.value)), key.source ?? ''];
  const name = names.find((one) => Object.hasOwn(ours, one));
  if (name !== undefined || typeof key.value === 'string') return name;
  return Object.keys(ours).find((one) => Math.fround(Number(one)) === Math.fround(Number(key.value)));
}

/**
 * Reports whether a node has parts that the readers name differently: aliases, merges, keys that are known differences.
 */
export function isIncomparable(node: unknown): boolean {
  if (isAlias(node)) return true;
  if (isSeq(node)) return node.items.some(isIncomparable);
  if (!isYamlMap(node)) return false;
  return node.items.some(({ key, value }) => !isPlainlyNamed(key) || isIncomparable(value));
}

function isPlainlyNamed(key: unknown): boolean {
  if (!isScalar(key)) return false;
  return key.type !== 'PLAIN' || (key.source !== '<<' && !isKnownDifference(key.source ?? ''));
}
