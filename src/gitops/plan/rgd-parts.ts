import { onceFor } from '../../core/model/lazily.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Read } from '../../core/model/read.ts';
import { equal, get, getAt, isMap, listOf, textsIn, type Value } from '../../core/model/value.ts';
import { parseFieldPath } from '../../describe/explain/index.ts';
import { loosePartsOf } from '../../kro/compile/index.ts';
import { allReads, parse, readsIn } from '../../languages/cel/index.ts';

/** The parts of an RGD that a field of a rendered object comes from, by what they are. */
type Parts = Map<string, Value | undefined>;

/** Returns a function that reports whether a part of an RGD differs that a field of a node comes from. */
export const differenceTest = (
  old: KubeObject | undefined,
  newer: KubeObject | undefined,
): ((node: string, field: string | undefined) => boolean) => {
  const differs = onceFor((key: string) => {
    const [node, field] = JSON.parse(key) as [string, string | null];
    return !areEqual(partsBehind(old, node, field ?? undefined), partsBehind(newer, node, field ?? undefined));
  });
  return (node, field) => differs(JSON.stringify([node, field ?? null]));
};

function areEqual(one: Parts, other: Parts): boolean {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].every((key) => {
    if (one.has(key) !== other.has(key)) return false;
    const [first, second] = [one.get(key), other.get(key)];
    return first === undefined || second === undefined ? first === second : equal(first, second);
  });
}

/** Collects the parts behind a field; without a field, those that decide whether the object exists. */
function partsBehind(rgd: KubeObject | undefined, node: string, field: string | undefined): Parts {
  const parts: Parts = new Map();
  if (rgd === undefined) return parts;
  const schema = getAt(rgd, ['spec', 'schema']);
  // Every object has the names of its RGD and of its instance in labels.
  parts.set('metadata.name', getAt(rgd, ['metadata', 'name']));
  for (const name of ['apiVersion', 'kind', 'group', 'scope']) parts.set(`schema ${name}`, get(schema, name));
  const own = nodeOf(rgd, node);
  parts.set(`node ${node}`, own === undefined ? undefined : true);
  for (const name of ['forEach', 'includeWhen', 'externalRef']) {
    addPart({ rgd, parts, key: `node ${node} ${name}`, value: get(own, name) });
  }
  const identity = ['apiVersion', 'kind', ...(field === undefined ? ['metadata'] : [])];
  for (const name of identity) {
    addPart({ rgd, parts, key: `node ${node} template ${name}`, value: getAt(own, ['template', name]) });
  }
  if (field !== undefined) addField(rgd, parts, node, field);
  return parts;
}

const nodeOf = (rgd: KubeObject, id: string): Value | undefined =>
  listOf(getAt(rgd, ['spec', 'resources'])).find((one) => get(one, 'id') === id);

/** Adds what the template has at a field, or what contains it. */
function addField(rgd: KubeObject, parts: Parts, node: string, field: string): void {
  const steps = parseFieldPath(field.startsWith('.') ? field : `.${field}`);
  const path: (string | number)[] = ['template'];
  const own = nodeOf(rgd, node);
  for (const step of steps ?? field.split(/[.[]/)) {
    const key = typeof step === 'object' ? indexOfItem(getAt(own, path), step.item) : step;
    if (getAt(own, [...path, key]) === undefined) break;
    path.push(key);
  }
  const value = getAt(own, path);
  const isWhole = steps !== undefined && path.length === steps.length + 1;
  // A key that a map of the template lacks does not come from it.
  if (isMap(value) && steps !== undefined && !isWhole) return;
  addPart({ rgd, parts, key: `node ${node} ${path.join('.')}`, value });
}

/** Returns the index of the item of a list that has a value as one of its keys; -1 if there is none. */
const indexOfItem = (list: Value | undefined, item: string): number =>
  listOf(list).findIndex((one) => isMap(one) && Object.values(one).includes(item));

interface Part {
  rgd: KubeObject;
  parts: Parts;
  key: string;
  value: Value | undefined;
}

/** Adds a part, and the parts that its expressions read. */
function addPart({ rgd, parts, key, value }: Part): void {
  if (value === undefined || parts.has(key)) return;
  parts.set(key, value);
  for (const { text } of textsIn(value)) {
    for (const { source } of loosePartsOf(text)) {
      const parsed = parse(source);
      // Nobody knows what it reads.
      if (!parsed.ok) parts.set('spec', get(rgd, 'spec'));
      else for (const read of allReads(readsIn(parsed.expression.root))) addRead(rgd, parts, read);
    }
  }
}

function addRead(rgd: KubeObject, parts: Parts, { root, path }: Read): void {
  if (root === 'schema') {
    addSchemaRead(rgd, parts, path);
    return;
  }
  const node = nodeOf(rgd, root);
  // Iterators are values of forEach, which is a part itself.
  if (node !== undefined) addPart({ rgd, parts, key: `node ${root} whole`, value: withoutStatusRules(node) });
}

function addSchemaRead(rgd: KubeObject, parts: Parts, [part, name]: Read['path']): void {
  const schema = getAt(rgd, ['spec', 'schema']);
  if (part === 'metadata') return;
  if (part === 'spec' && typeof name === 'string') {
    parts.set(`schema spec ${name}`, getAt(schema, ['spec', name]));
    parts.set('schema types', get(schema, 'types'));
    return;
  }
  parts.set('schema', schema);
}

/** Nothing of what an object has depends on when it is ready. */
function withoutStatusRules(node: Value): Value {
  if (!isMap(node)) return node;
  const { readyWhen: _, ...rest } = node;
  return rest;
}
