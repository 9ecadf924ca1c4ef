import { onceFor } from '../../core/model/lazily.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Read } from '../../core/model/read.ts';
import { equal, get, getAt, isMap, listOf, textAt, textsIn, type Value } from '../../core/model/value.ts';
import { parseFieldPath } from '../../describe/explain/index.ts';
import { loosePartsOf } from '../../kro/compile/index.ts';
import { allReads, parse, readsIn } from '../../languages/cel/index.ts';

/** The parts of an RGD that a field of a rendered object comes from, by what they are. */
type Parts = Map<string, Value | undefined>;

/** Returns a function that reports whether a part of an RGD differs that a field of a node comes from. */
export function differenceTest(
  old: KubeObject | undefined,
  newer: KubeObject | undefined,
): (node: string, field: string | undefined) => boolean {
  const before = new RgdParts(old);
  const after = new RgdParts(newer);
  const differs = onceFor((key: string) => {
    const [node, field] = JSON.parse(key) as [string, string | null];
    return !areEqual(before.behind(node, field ?? undefined), after.behind(node, field ?? undefined));
  });
  return (node, field) => differs(JSON.stringify([node, field ?? null]));
}

function areEqual(one: Parts, other: Parts): boolean {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].every((key) => {
    if (one.has(key) !== other.has(key)) return false;
    const first = one.get(key);
    const second = other.get(key);
    return first === undefined || second === undefined ? first === second : equal(first, second);
  });
}

/** What the expressions of a value read; undefined if nobody knows, because one of them is broken. */
type Reads = readonly Read[] | undefined;

/** The parts of one version of an RGD. */
class RgdParts {
  readonly #rgd: KubeObject | undefined;
  readonly #schema: Value | undefined;
  readonly #nodes: ReadonlyMap<string, Value>;
  /** Nodes without the rules that decide when they are ready: nothing of what an object has depends on them. */
  readonly #wholes: (id: string) => Value | undefined;
  readonly #readsOf = onceFor(readsOfTexts);

  constructor(rgd: KubeObject | undefined) {
    this.#rgd = rgd;
    this.#schema = getAt(rgd, ['spec', 'schema']);
    const nodes = listOf(getAt(rgd, ['spec', 'resources'])).map((node) => [textAt(node, 'id'), node] as const);
    // The first one of a name counts.
    this.#nodes = new Map(nodes.reverse());
    this.#wholes = onceFor((id: string) => withoutReadyWhen(this.#nodes.get(id)));
  }

  /** Collects the parts behind a field; without a field, those that decide whether the object exists. */
  behind(node: string, field: string | undefined): Parts {
    const parts: Parts = new Map();
    if (this.#rgd === undefined) return parts;
    // Every object has the names of its RGD and of its instance in labels.
    parts.set('metadata.name', getAt(this.#rgd, ['metadata', 'name']));
    for (const name of ['apiVersion', 'kind', 'group', 'scope']) parts.set(`schema ${name}`, get(this.#schema, name));
    const own = this.#nodes.get(node);
    parts.set(`node ${node}`, own === undefined ? undefined : true);
    for (const name of ['forEach', 'includeWhen', 'externalRef'])
      this.#add(parts, `node ${node} ${name}`, get(own, name));
    const identity = field === undefined ? ['apiVersion', 'kind', 'metadata'] : ['apiVersion', 'kind'];
    for (const name of identity) this.#add(parts, `node ${node} template ${name}`, getAt(own, ['template', name]));
    if (field !== undefined) this.#addField(parts, node, field);
    return parts;
  }

  /** Adds what the template has at a field, or what contains it. */
  #addField(parts: Parts, node: string, field: string): void {
    const steps = parseFieldPath(field.startsWith('.') ? field : `.${field}`);
    const path: (string | number)[] = ['template'];
    const own = this.#nodes.get(node);
    for (const step of steps ?? field.split(/[.[]/)) {
      const key = typeof step === 'object' ? indexOfItem(getAt(own, path), step.item) : step;
      if (getAt(own, [...path, key]) === undefined) break;
      path.push(key);
    }
    const value = getAt(own, path);
    const isWhole = steps !== undefined && path.length === steps.length + 1;
    // A key that a map of the template lacks does not come from it.
    if (isMap(value) && steps !== undefined && !isWhole) return;
    this.#add(parts, `node ${node} ${path.join('.')}`, value);
  }

  /** Adds a part, and the parts that its expressions read, and so on. */
  #add(parts: Parts, key: string, value: Value | undefined): void {
    const open = [{ key, value }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.value === undefined || parts.has(next.key)) continue;
      parts.set(next.key, next.value);
      const reads = this.#readsOf(next.value);
      if (reads === undefined) parts.set('spec', get(this.#rgd, 'spec'));
      for (const { root, path } of reads ?? []) {
        if (root === 'schema') this.#addSchema(parts, path);
        // Iterators are values of forEach, which is a part itself.
        else open.push({ key: `node ${root} whole`, value: this.#wholes(root) });
      }
    }
  }

  #addSchema(parts: Parts, [part, name]: Read['path']): void {
    if (part === 'metadata') return;
    if (part === 'spec' && typeof name === 'string') {
      parts.set(`schema spec ${name}`, getAt(this.#schema, ['spec', name]));
      parts.set('schema types', get(this.#schema, 'types'));
      return;
    }
    parts.set('schema', this.#schema);
  }
}

function readsOfTexts(value: Value): Reads {
  const reads: Read[] = [];
  const sources = [...textsIn(value)].flatMap(({ text }) => loosePartsOf(text).map(({ source }) => source));
  for (const source of sources) {
    const parsed = parse(source);
    if (!parsed.ok) return undefined;
    for (const read of allReads(readsIn(parsed.expression.root))) reads.push(read);
  }
  return reads;
}

/** Returns the index of the item of a list that has a value as one of its keys; -1 if there is none. */
const indexOfItem = (list: Value | undefined, item: string): number =>
  listOf(list).findIndex((one) => isMap(one) && Object.values(one).includes(item));

function withoutReadyWhen(node: Value | undefined): Value | undefined {
  if (!isMap(node)) return node;
  const { readyWhen: _, ...rest } = node;
  return rest;
}
