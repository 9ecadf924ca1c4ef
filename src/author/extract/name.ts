import { addTo } from '../../core/model/group-by.ts';
import { ownValue } from '../../core/model/value.ts';
import { celReserved, idFault } from '../../kro/compile/index.ts';
import { pluralize } from '../../kubernetes/schema/index.ts';
import type { Aligned } from './align.ts';
import { type Field, type Node, type Place, type Rows, visitPatterns } from './model.ts';
import { OWN } from './texts.ts';

/** Keys that say nothing of their own: the name has the key around them too. */
const VAGUE: ReadonlySet<string> = new Set([
  'name',
  'value',
  'key',
  'path',
  'type',
  'kind',
  'id',
  'number',
  'external',
  'items',
  'data',
  'spec',
]);
/** Keys around others that say nothing either. */
const AROUND: ReadonlySet<string> = new Set(['spec', 'metadata', 'template', 'data', 'values']);
/** Several fields that are one thing for people. */
const SAME_WORD: Readonly<Record<string, string>> = {
  containerPort: 'port',
  targetPort: 'port',
  servicePort: 'port',
  matchLabels: 'labels',
};
/** Maps whose keys are names that somebody chose. */
const FREE_MAPS: readonly string[] = [
  'labels',
  'annotations',
  'matchLabels',
  'data',
  'stringData',
  'nodeSelector',
  'selector',
];

/** Splits a text into words: `LOG_LEVEL`, `log-level` and `logLevel` are `log` and `level`. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Joins words to a name in lowerCamelCase; '' without a letter. */
function camel(words: readonly string[]): string {
  const own = words.flatMap(wordsOf);
  const distinct = own.filter((word, index) => word !== own[index - 1]);
  while (/^[0-9]/.test(distinct[0] ?? '')) distinct.shift();
  return distinct.map((word, index) => (index === 0 ? word : capital(word))).join('');
}

const lowerKind = (kind: string): string =>
  kind.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase());

/** What kustomize appends to the name of a generated ConfigMap; it changes with the content. */
const CONTENT_HASH = /-[bcdfghkmt2456789]{10}$/;

/** The usual ids of kinds whose names are reserved. */
const USUAL_IDS: Readonly<Record<string, string>> = { namespace: 'ns' };

/** Returns an id for each node: its kind, and what its name has of its own if there are several of the kind. */
export function idsOf(aligned: readonly Aligned[]): string[] {
  const used = new Names();
  return aligned.map(({ kind, label, outer }) => {
    const isOnly = aligned.filter((other) => other.kind === kind).length === 1;
    const plain = ownValue(USUAL_IDS, lowerKind(kind)) ?? lowerKind(kind);
    const own = camel([label.replace(CONTENT_HASH, '').replaceAll(OWN, ' ')]);
    const singular = isOnly || own === '' ? plain : camel([own, kind]);
    return used.take(outer === undefined ? singular : pluralize(singular), (name) => idFault(name) === undefined);
  });
}

const singularOf = (name: string): string => {
  if (/ies$/.test(name)) return `${name.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
};

/** The names of one scope, with the last number of each that is used more than once. */
export class Names {
  readonly #used: Set<string>;
  readonly #last = new Map<string, number>();

  constructor(used: Iterable<string> = []) {
    this.#used = new Set(used);
  }

  /** Returns a name that is not used yet, and uses it. */
  take(wanted: string, isAllowed: (name: string) => boolean): string {
    const base = wanted === '' ? 'value' : wanted;
    let name = base;
    let count = this.#last.get(base) ?? 1;
    while (this.#used.has(name) || !isAllowed(name)) {
      count += 1;
      name = `${base}${count}`;
    }
    this.#last.set(base, count);
    this.#used.add(name);
    return name;
  }
}

/** Names the fields of all rows, and the variables of items. */
export function nameFields(fields: ReadonlyMap<Rows, readonly Field[]>, root: Rows, nodes: readonly Node[]): void {
  const ids = new Set(nodes.map(({ id }) => id));
  root.prefix = 'schema.spec';
  for (const own of fields.values()) nameScope(own);
  const variables = new Names(ids);
  for (const { list, pattern } of nodes) {
    visitPatterns(list ?? pattern, (part) => {
      if (part.type !== 'each' || part.field === undefined || part.inner.prefix !== '') return;
      part.inner.prefix = variables.take(singularOf(part.field.name), isVariable);
    });
  }
}

const isVariable = (name: string): boolean => idFault(name) === undefined && name !== 'schema';

/** The most names that are tried for a field. */
const MOST_CANDIDATES = 8;

/** Names the fields of one scope: the shortest name that no other field has. */
function nameScope(fields: readonly Field[]): void {
  const candidates = new Map(fields.map((field) => [field, candidatesFor(field)]));
  const level = new Map(fields.map((field) => [field, 0]));
  const nameAt = (field: Field): string => {
    const names = candidates.get(field) ?? [];
    return names[Math.min(level.get(field) ?? 0, names.length - 1)] ?? 'value';
  };
  for (let round = 0; round < MOST_CANDIDATES; round += 1) {
    const byName = new Map<string, Field[]>();
    for (const field of fields) addTo(byName, nameAt(field), field);
    const taken = [...byName.values()].filter((same) => same.length > 1).flatMap(yielding);
    for (const field of taken) level.set(field, (level.get(field) ?? 0) + 1);
  }
  const used = new Names();
  for (const field of fields) field.name = used.take(nameAt(field), (name) => !celReserved.has(name));
}

/**
 * Returns the fields that leave a name to another one: to that which all rows set, and of those to the one that fills
 * most. A switch leaves it to a value.
 */
function yielding(same: readonly Field[]): readonly Field[] {
  const always = same.filter(({ cells, isSwitch }) => !isSwitch && cells.every((cell) => cell !== undefined));
  const own = always.length === 0 ? same.filter(({ isSwitch }) => !isSwitch) : always;
  const most = own.reduce((found, { uses }) => Math.max(found, uses.length), 0);
  const [first, ...others] = own.filter(({ uses }) => uses.length === most);
  return first !== undefined && others.length === 0 ? same.filter((field) => field !== first) : same;
}

/**
 * Returns names for a field, the shortest first: its key, with the item of a list around it, with the key around it, with
 * the node in front.
 */
function candidatesFor(field: Field): string[] {
  const places = [...field.uses].sort((a, b) => rankOf(a) - rankOf(b));
  const [place] = places;
  if (place === undefined) return ['value'];
  const { node, steps } = place;
  const keys = steps.filter((step) => typeof step === 'string');
  const items = steps.flatMap((step) => (typeof step === 'object' && step.item !== '' ? [step.item] : []));
  const short = shortName(place, field);
  const item = items.at(-1);
  const names = field.isSwitch ? switchNames(field, short) : [...itemKey(field, steps), short];
  if (item !== undefined && !short.toLowerCase().startsWith(camel([item]).toLowerCase()))
    names.push(camel([item, short]));
  const [key = '', parent = ''] = [...keys].reverse();
  const isOwnKey = place.hint === undefined && typeof steps.at(-1) === 'string' && !VAGUE.has(key);
  const around = isOwnKey && parent !== '' ? [singularOf(parent)] : [];
  if (around.length > 0 && !AROUND.has(parent)) names.push(camel([...around, short]));
  names.push(camel([node, short]));
  if (isOwnKey) names.push(camel([key]), camel([node, key]));
  if (around.length > 0) names.push(camel([node, ...around, short]));
  names.push(camel([node, ...items, short]), camel([node, ...keys]));
  return names.filter((name) => name !== '' && !celReserved.has(name));
}

/** Returns the key of a field of an item: the type of the items says what they are. */
function itemKey({ rows }: Field, steps: Place['steps']): string[] {
  const around = steps.at(-2);
  const key = steps.at(-1);
  const isOfItem = rows.outer !== undefined && typeof around === 'object' && around.item === '';
  return isOfItem && typeof key === 'string' ? [camel([key])] : [];
}

/** Returns names for what decides whether parts are there: what the ids of several nodes have in common comes first. */
function switchNames({ uses }: Field, short: string): string[] {
  const ids = uses.map(({ node }) => wordsOf(node));
  const [first = []] = ids;
  let length = 0;
  while (length < first.length && ids.every((words) => words[length] === first[length])) length += 1;
  const isOfNodes = uses.length > 1 && uses.every(({ steps }) => steps.length === 0);
  const common = isOfNodes && length > 0 ? [camel(first.slice(0, length))] : [];
  return [...common, short, camel(['has', short])];
}

/**
 * Keys that say what a value is come first, then the name of an object, then keys that say little, then a text of which
 * the value is a part, and labels last.
 */
function rankOf({ steps, hint, isPart }: Place): number {
  if (hint !== undefined) return 4;
  if (steps.includes('annotations')) return 6;
  if (steps.includes('labels') || steps.includes('matchLabels') || steps.includes('selector')) return 5;
  const key = steps.at(-1);
  if (steps[0] === 'metadata') return key === 'name' ? 1 : 3;
  if (isPart === true) return 4.5;
  return typeof key === 'string' && !VAGUE.has(key) && !NAMES.has(key) ? 0 : 2;
}

/** Keys of the names of other objects, whose own names say more. */
const NAMES: ReadonlySet<string> = new Set(['serviceAccountName', 'claimName', 'secretName', 'serviceName', 'app']);

/** Returns the name of the field that a value fills. */
function shortName(place: Place, { cells }: Field): string {
  const { steps, node, hint } = place;
  const keys = steps.filter((step) => typeof step === 'string');
  const key = keys.at(-1) ?? '';
  const isList = cells.some((cell) => Array.isArray(cell));
  if (steps.length === 0) return node;
  if (hint !== undefined) return camel([hint]);
  const item = itemName(steps, key);
  if (item !== undefined) return camel([item]);
  const parent = keys.at(-2) ?? '';
  if (FREE_MAPS.includes(parent))
    return camel([lastPart(key).replace(/\.(ya?ml|json|conf|properties|toml|ini|txt|sh)$/, '')]);
  if (parent === 'limits' || parent === 'requests') {
    if (key === 'storage') return 'storage';
    return camel([key, singularOf(parent)]);
  }
  if (VAGUE.has(key)) return vagueName(key, parent, node);
  if (FREE_MAPS.includes(key)) return mapName(keys, isList);
  return camel([ownValue(SAME_WORD, key) ?? key]);
}

/** Returns the name of the item of a list that a field fills, or whose value it is. */
function itemName(steps: Place['steps'], key: string): string | undefined {
  const last = steps.at(-1);
  if (typeof last === 'object') return last.item === '' ? singularOf(key) : last.item;
  // The variable of a container, an argument of a chart.
  const before = steps.at(-2);
  const isValue = key === 'value' && typeof before === 'object' && before.item !== '';
  return isValue ? before.item : undefined;
}

/** Names a field by the key around it, or by its node, because its own key says little. */
function vagueName(key: string, parent: string, node: string): string {
  if (AROUND.has(parent)) return camel([node, key]);
  if (parent === '') return camel([ownValue(SAME_WORD, key) ?? key]);
  if (key === 'number') return camel([parent]);
  const around = parent.replace(/(Key)?Ref$/, '');
  return camel([singularOf(around === '' ? parent : around), key]);
}

/** Names a field that is a map with any keys, such as labels, by what has it. */
function mapName(keys: readonly string[], isList: boolean): string {
  const key = keys.at(-1) ?? '';
  const parent = keys.at(-2) ?? '';
  if (key === 'nodeSelector') return key;
  if (parent !== 'metadata' && parent !== '') return camel([parent, key]);
  if (keys.length > 2 && !isList) return camel([keys.at(-3) === 'template' ? 'pod' : '', key]);
  return camel([ownValue(SAME_WORD, key) ?? key]);
}

const lastPart = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** Returns the name of the type of a list's items: `Port` for `ports`. */
export const typeNameFor = (field: Field, used: Names): string =>
  used.take(capital(singularOf(field.name)), () => true);
