import { type InputObject, identityOf, isKubeObject, type KubeObject, titleOf } from '../../core/model/object.ts';
import { EACH } from '../../core/model/path.ts';
import { getAt, type Path, type Value } from '../../core/model/value.ts';
import {
  anyOf,
  either,
  fieldsOf,
  isSecret,
  isSecretKind,
  isSecretListKind,
  membersOf,
  SECRET,
  type Secrecy,
  secretAt,
  within,
  writtenSecrets,
} from '../../core/redaction/index.ts';
import type { Read } from '../../languages/cel/index.ts';
import { type CompiledExpression, type GraphNode, nodeSlot, readsOf, type TemplateField } from '../compile/index.ts';
import { groupKind } from '../definition/index.ts';
import type { KnownSecrecy } from './caches.ts';
import type { NodeRun } from './node-run.ts';
import { type InstanceRun, isSettled } from './run.ts';
import type { World } from './world.ts';

/**
 * Where values of Secrets get to in an expansion. Only where a value comes from counts: an object of a node is secret
 * where its template has a Secret in it, or an expression that reads something secret; so is what a nested instance is
 * given, what its status says, and what a reference finds of all that. Worked out when something is to be reported.
 */
interface Search {
  world: World;
  desired: KnownSecrecy;
  whole: KnownSecrecy;
  /** Of the status of runs that are instances. */
  status: Map<InstanceRun, Secrecy | 'open'>;
}

const IDENTITY: readonly Path[] = [
  ['metadata', 'name'],
  ['metadata', 'namespace'],
];

/** What of an object of a node may be a value of a Secret, its status and what is observed of it included. */
export const secrecyOf = (run: InstanceRun, node: number, world: World): Secrecy =>
  wholeOf(run, node, startSearch(world));

/** Whether the name or the namespace of the objects of a node may be a value of a Secret. */
export function hasSecretIdentity(run: InstanceRun, node: number, world: World): boolean {
  const secrecy = desiredOf(run, node, startSearch(world));
  return IDENTITY.some((path) => isSecret(secrecy, path));
}

/** Whether what an expression of a node works with may be a value of a Secret, or goes into one. */
export function handlesSecret(expression: CompiledExpression, { run, node, world }: NodeRun): boolean {
  const search = startSearch(world);
  if (readsSecret(expression, run, node, search)) return true;
  return (
    node.expressions.includes(expression) && isSecret(desiredOf(run, node.index, search), fieldOf(expression, node))
  );
}

/** The same for the expressions that make the status of an instance. */
export const statusReadsSecret = (expression: CompiledExpression, run: InstanceRun, world: World): boolean =>
  readsSecret(expression, run, undefined, startSearch(world));

/** What another front end has to know of an object that was rendered here. */
export function secretOf(object: KubeObject, world: World): InputObject['secret'] {
  const maker = world.objects.maker(identityOf(object));
  if (maker === undefined) return undefined;
  if (hasSecretIdentity(maker.run, maker.node, world)) return 'name';
  return isSecret(secrecyOf(maker.run, maker.node, world)) ? 'values' : undefined;
}

/** Whether anything that a node works with may be a value of a Secret. */
export function nodeHandlesSecret({ run, node, world }: NodeRun): boolean {
  const search = startSearch(world);
  const conditions = [...node.includeWhen, ...node.forEach.map(({ expression }) => expression)];
  return (
    isSecret(wholeOf(run, node.index, search)) ||
    conditions.some((condition) => readsSecret(condition, run, node, search))
  );
}

/** Whether the name or the namespace of a nested instance may be a value of a Secret. */
export const isSecretlyNamed = ({ parent, input }: InstanceRun, world: World): boolean =>
  parent === undefined ? input.secret === 'name' : hasSecretIdentity(parent.run, parent.node, world);

/** Stands for a name, a namespace or a key that may be a value of a Secret. */
export const HIDDEN = '(hidden)';

/** `Kind/name`, unless the name may be a value of a Secret. */
export const titleOfRun = (run: InstanceRun, world: World): string =>
  isSecretlyNamed(run, world) ? `${run.graph.kind}/${HIDDEN}` : titleOf(run.instance);

const startSearch = (world: World): Search => ({ world, desired: new Map(), whole: new Map(), status: new Map() });

/** What is being worked out is asked for again only where references go round in a cycle. */
function remembered(
  what: 'desired' | 'whole',
  run: InstanceRun,
  index: number,
  search: Search,
  find: () => Secrecy,
): Secrecy {
  const lasting = search.world.caches[what];
  const before = lasting.get(run)?.get(index) ?? search[what].get(run)?.get(index);
  if (before !== undefined) return before === 'open' ? true : before;
  settleBelow(run, index, search);
  remember(search[what], run, index, 'open');
  const found = find();
  remember(search[what], run, index, found);
  if (isFinal(run, index) || (what === 'desired' && isGiven(run, index))) remember(lasting, run, index, found);
  return found;
}

function remember(known: KnownSecrecy, run: InstanceRun, index: number, secrecy: Secrecy | 'open'): void {
  const ofRun = known.get(run) ?? new Map<number, Secrecy | 'open'>();
  known.set(run, ofRun.set(index, secrecy));
}

const isFinal = (run: InstanceRun, index: number): boolean =>
  run.states[index] === 'done' &&
  (run.rendered[index] ?? []).every(({ nested }) => nested === undefined || isSettled(nested));

/** Whether nothing changes any more what the template of a node is made of: it may fail in thousands of fields. */
const isGiven = (run: InstanceRun, index: number): boolean =>
  (run.graph.nodes[index]?.dependencies ?? []).every((one) => isFinal(run, one)) &&
  (run.parent === undefined || isGiven(run.parent.run, run.parent.node));

/** Works out what a node reads before the node itself, so that a chain of thousands needs no stack of thousands. */
function settleBelow(run: InstanceRun, index: number, search: Search): void {
  const lasting = search.world.caches.whole.get(run);
  const known = search.whole.get(run);
  const missing = new Set<number>();
  const found = [...(run.graph.nodes[index]?.dependencies ?? [])];
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    if (missing.has(next) || lasting?.has(next) || known?.has(next)) continue;
    missing.add(next);
    for (const dependency of run.graph.nodes[next]?.dependencies ?? []) found.push(dependency);
  }
  const [only] = missing;
  if (missing.size === 1) wholeOf(run, only as number, search);
  else if (missing.size > 1) for (const one of run.graph.order) if (missing.has(one)) wholeOf(run, one, search);
}

/** What a template makes. */
function desiredOf(run: InstanceRun, index: number, search: Search): Secrecy {
  return remembered('desired', run, index, search, () => {
    const node = run.graph.nodes[index];
    if (node === undefined) return false;
    const template = getAt(run.graph.input.object, [...node.path, isReference(node) ? 'externalRef' : 'template']);
    const computed = node.expressions
      .filter((expression) => readsSecret(expression, run, node, search))
      .map((expression) => secretAt(fieldOf(expression, node), true));
    return anyOf([ofKind(node), writtenIn(template ?? null, search), ...computed, inheritedOf(run, search)]);
  });
}

const isReference = ({ kind }: GraphNode): boolean => kind === 'external' || kind === 'externalCollection';

/** The path in the template, or in the reference, of a node. */
const fieldOf = ({ path }: CompiledExpression, node: GraphNode): Path => path.slice(node.path.length + 1);

function ofKind({ gvk: { kind } }: GraphNode): Secrecy {
  if (isSecretKind(kind)) return SECRET;
  return isSecretListKind(kind) || kind === 'List' ? fieldsOf({ items: true }) : false;
}

/** The namespace of an instance is that of its objects, and its uid is made of both names. */
function inheritedOf(run: InstanceRun, search: Search): Secrecy {
  const isInherited = isSecret(schemaOf(run, search), ['metadata', 'namespace']);
  return isInherited ? secretAt(['metadata', 'namespace'], true) : false;
}

/** What `schema` is to the expressions of a run: an instance may have a Secret written in it. */
function schemaOf({ parent, instance, input }: InstanceRun, search: Search): Secrecy {
  if (parent === undefined && input.secret !== undefined) return true;
  const written = writtenIn(instance, search);
  if (parent === undefined) return written;
  const given = either(written, desiredOf(parent.run, parent.node, search));
  return IDENTITY.some((path) => isSecret(given, path)) ? either(given, secretAt(['metadata', 'uid'], true)) : given;
}

function wholeOf(run: InstanceRun, index: number, search: Search): Secrecy {
  return remembered('whole', run, index, search, () => {
    const node = run.graph.nodes[index];
    const desired = desiredOf(run, index, search);
    if (node === undefined) return desired;
    const seen = seenOf(run, node);
    const known = either(desired, anyOf(seen.map((one) => writtenIn(one, search))));
    if (isReference(node)) return either(known, anyOf(seen.map((one) => objectOf(one, search))));
    if (search.world.graphs.get(groupKind(node.gvk)) === undefined) return known;
    const nested = (run.rendered[index] ?? []).flatMap((rendered) => rendered.nested ?? []);
    // Nobody knows what will be in it.
    const status = nested.length === 0 ? true : anyOf(nested.map((child) => statusOf(child, search)));
    return either(known, secretAt(['status'], status));
  });
}

/** The objects that the expressions of a run see of a node: what was rendered, observed or found. */
function seenOf(run: InstanceRun, node: GraphNode): KubeObject[] {
  const value = run.frame[nodeSlot(node.index)] as Value | undefined;
  return (Array.isArray(value) ? value : [value]).filter((one) => isKubeObject(one));
}

/** The Secrets that are written out in a template or an object, neither of which changes. */
function writtenIn(value: Value, { world: { caches } }: Search): Secrecy {
  if (typeof value !== 'object' || value === null) return false;
  const known = caches.written.get(value) ?? writtenSecrets(value, 'object');
  caches.written.set(value, known);
  return known;
}

/** What is secret in an object that was rendered here. */
function objectOf(object: KubeObject, search: Search): Secrecy {
  const key = identityOf(object);
  const maker = search.world.objects.maker(key);
  const instance = search.world.objects.instances.get(key);
  return either(
    maker === undefined ? false : wholeOf(maker.run, maker.node, search),
    instance === undefined ? false : secretAt(['status'], statusOf(instance, search)),
  );
}

function statusOf(run: InstanceRun, search: Search): Secrecy {
  const before = search.status.get(run);
  if (before !== undefined) return before === 'open' ? true : before;
  search.status.set(run, 'open');
  const found = ofStatusField(run.graph.status.template, run, search);
  search.status.set(run, found);
  return found;
}

function ofStatusField(field: TemplateField, run: InstanceRun, search: Search): Secrecy {
  switch (field.kind) {
    case 'literal':
      return false;
    case 'expression':
      return readsSecret(field.expression, run, undefined, search);
    case 'text':
      return field.parts.some((part) => typeof part !== 'string' && readsSecret(part, run, undefined, search));
    case 'list':
      return membersOf(anyOf(field.items.map((item) => ofStatusField(item, run, search))));
    case 'map':
      return fieldsOf(Object.fromEntries(field.entries.map(([key, one]) => [key, ofStatusField(one, run, search)])));
  }
}

function readsSecret(
  expression: CompiledExpression,
  run: InstanceRun,
  node: GraphNode | undefined,
  search: Search,
): boolean {
  return readsOf(expression, node).some((read) => isSecretRead(read, run, search));
}

function isSecretRead({ root, path, whole }: Read, run: InstanceRun, search: Search): boolean {
  const secrecy = ofVariable(root, run, search);
  // Going through a list tells how many members it has; the keys of a map may be values as well.
  const isCount = !whole && path.at(-1) === EACH;
  return isCount ? within(secrecy, path.slice(0, -1)) === true : isSecret(secrecy, path);
}

function ofVariable(name: string, run: InstanceRun, search: Search): Secrecy {
  if (name === 'schema') return schemaOf(run, search);
  const node = run.graph.nodeById.get(name);
  if (node === undefined) return false;
  const secrecy = wholeOf(run, node.index, search);
  const isList = node.kind === 'collection' || node.kind === 'externalCollection';
  return isList ? membersOf(secrecy) : secrecy;
}
