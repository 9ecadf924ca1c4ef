import { type Problem, phrase, type Reporter, shown } from '../core/diagnostics/index.ts';
import type { InputObject, KubeObject } from '../core/model/object.ts';
import type { RenderOptions } from '../core/model/render.ts';
import {
  get,
  getAt,
  isMap,
  listAt,
  listOf,
  type Path,
  textAt,
  textOf,
  type Value,
  type ValueMap,
} from '../core/model/value.ts';
import { booleanKeyHint, celReserved, checkAlphaFields } from '../kro/compile/index.ts';
import { alphaFieldsOf, type NodeDefinition } from '../kro/definition/index.ts';

/** A node of a Graph: one of its sorts, with its place in the list of all nodes. */
export interface WrittenNode extends NodeDefinition {
  index: number;
  /** The ids of the graphs around it and its own, joined by dots. */
  name: string;
  contentKey: (typeof SORTS)[number];
  /** The value of its contentKey. */
  value: ValueMap;
  /** The list that it is in, and that of a nested graph. */
  within: Frame;
  frame: Frame | undefined;
}

/** A list of nodes: that of the Graph, or a nested one, which may read the nodes around it. */
export interface Frame {
  nodes: readonly WrittenNode[];
  outer: Frame | undefined;
  /** The name of its graph, with a dot; '' for the Graph itself. */
  prefix: string;
}

export const isGraph = ({ apiVersion, kind, spec }: KubeObject): boolean =>
  apiVersion === 'kro.run/v1alpha1' && kind === 'Graph' && isMap(spec) && Object.hasOwn(spec, 'nodes');

const SORTS = ['template', 'ref', 'def', 'graph', 'patch'] as const;
const MODIFIERS = ['forEach', 'includeWhen', 'readyWhen'] as const;
type Sort = (typeof SORTS)[number];

/** The modifiers that nodes of a sort do not have. */
const REFUSED_MODIFIERS: Readonly<Record<Sort, readonly string[]>> = {
  template: [],
  ref: ['forEach'],
  def: [],
  graph: MODIFIERS,
  patch: ['forEach', 'readyWhen'],
};
const FIELDS: readonly string[] = ['id', ...SORTS, ...MODIFIERS];

/** kro: graphengine/compiler/validation.go, reservedNodeIDs. */
const RESERVED = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'namespace',
  'spec',
  'status',
  'graph',
  'graphengine',
  'kro',
  'each',
  'item',
  'items',
  'object',
  'self',
  'this',
  'context',
  ...celReserved,
]);

/** Returns the nodes of a Graph that can be decoded, nested ones included, and its frame. */
export function readNodes(
  input: InputObject,
  reporter: Reporter,
  options: RenderOptions,
): { root: Frame; nodes: readonly WrittenNode[] } {
  const reader = new NodeReader(reporter, options);
  const root = reader.frameOf(getAt(input.object, ['spec', 'nodes']), ['spec', 'nodes'], undefined, '');
  for (const key of Object.keys(input.object.spec as ValueMap)) {
    if (key === 'nodes' || key === 'serviceAccountName') continue;
    reader.report('graph-shape', phrase`unknown field '${{ key }}'`, ['spec', key]);
  }
  return { root, nodes: reader.nodes };
}

/** Reads the nodes of a Graph, and reports what is wrong with them. */
class NodeReader {
  /** All nodes so far, those of nested graphs included. */
  readonly nodes: WrittenNode[] = [];
  readonly #reporter: Reporter;
  readonly #options: RenderOptions;

  constructor(reporter: Reporter, options: RenderOptions) {
    this.#reporter = reporter;
    this.#options = options;
  }

  report(code: Problem['code'], message: Problem['message'], path: Path, id?: string): void {
    this.#reporter.report({ code, message, path }, id);
  }

  /** Reads the nodes of one graph; `prefix` precedes their ids in the names of nested ones. */
  frameOf(value: Value | undefined, path: Path, outer: Frame | undefined, prefix: string): Frame {
    const list = listOf(value);
    if (value !== undefined && !Array.isArray(value)) this.report('graph-shape', phrase`nodes must be a list`, path);
    else if (list.length === 0) {
      this.report(outer === undefined ? 'graph-shape' : 'graph-node', phrase`a graph has at least one node`, path);
    }
    const nodes: WrittenNode[] = [];
    const frame: Frame = { nodes, outer, prefix };
    for (const [index, one] of list.entries()) {
      const node = this.#nodeOf(one, [...path, index], frame);
      if (node !== undefined) nodes.push(node);
    }
    return frame;
  }

  #nodeOf(value: Value, path: Path, within: Frame): WrittenNode | undefined {
    if (!isMap(value)) {
      this.report('graph-shape', phrase`a node must be a map`, path);
      return undefined;
    }
    const id = textAt(value, 'id');
    const name = `${within.prefix}${id}`;
    const sorts = SORTS.filter((sort) => (get(value, sort) ?? null) !== null);
    const [sort] = sorts;
    for (const key of Object.keys(value)) {
      if (key === 'externalFields' && sort === 'template') continue;
      if (!FIELDS.includes(key)) this.report('graph-shape', phrase`unknown field '${{ key }}'`, [...path, key], name);
    }
    const body = sort && get(value, sort);
    if (sort === undefined || sorts.length > 1 || !isMap(body)) {
      this.report(
        'graph-shape',
        phrase`a node has exactly one of ${{ expected: shown(SORTS.join(', ')) }}, a map`,
        path,
        name,
      );
      return undefined;
    }
    this.#checkNode(value, sort, path, within);
    if (sort === 'ref')
      checkRef(body, [...path, 'ref'], (message, at) => this.report('graph-shape', message, at, name));
    const node: WrittenNode = {
      id,
      name,
      path,
      forEach: this.#iteratorsOf(value, path, id, name),
      index: this.nodes.length,
      contentKey: sort,
      value: body,
      within,
      frame: undefined,
      template: sort === 'template' ? body : undefined,
      externalRef: sort === 'ref' ? body : undefined,
      includeWhen: listAt(value, 'includeWhen').map(textOf),
      readyWhen: listAt(value, 'readyWhen').map(textOf),
      ...(sort === 'template' && externalFieldsOf(value)),
    };
    checkAlphaFields(node, { ...this.#options, kro: '0.10' }, (problem) => this.#reporter.report(problem, name));
    this.nodes.push(node);
    if (sort === 'graph')
      node.frame = this.frameOf(get(body, 'nodes'), [...path, 'graph', 'nodes'], within, `${name}.`);
    return node;
  }

  /** Reports a wrong id, and modifiers that nodes of this sort do not have. */
  #checkNode(value: ValueMap, sort: Sort, path: Path, within: Frame): void {
    const id = textAt(value, 'id');
    const fault = (message: Problem['message'], at: Path = [...path, 'id']): void =>
      this.report('graph-node', message, at, `${within.prefix}${id}`);
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(id))
      fault(phrase`'${{ name: id }}' is no id: a letter, then letters and digits`);
    if (RESERVED.has(id)) fault(phrase`'${{ name: id }}' is a reserved word`);
    if (within.nodes.some((other) => other.id === id)) fault(phrase`duplicate id '${{ name: id }}'`);
    for (const key of REFUSED_MODIFIERS[sort]) {
      if (listAt(value, key).length > 0)
        fault(phrase`a ${{ type: shown(sort) }} node has no ${{ key: shown(key) }}`, [...path, key]);
    }
  }

  #iteratorsOf(value: ValueMap, path: Path, id: string, name: string): WrittenNode['forEach'] {
    return listAt(value, 'forEach').flatMap((entry, index) => {
      const [iterator, ...others] = isMap(entry) ? Object.keys(entry) : [];
      const at = [...path, 'forEach', index];
      if (iterator === undefined || others.length > 0) {
        this.report('graph-shape', phrase`each forEach entry is a map of exactly one iterator to its list`, at, name);
        return [];
      }
      if (RESERVED.has(iterator) || iterator === id) {
        const message = phrase`'${{ name: iterator }}' cannot be an iterator`;
        this.#reporter.report({ code: 'graph-node', message, path: at, ...booleanKeyHint(iterator) }, name);
      }
      return [{ name: iterator, text: textAt(entry as ValueMap, iterator), path: [...at, iterator] }];
    });
  }
}

function externalFieldsOf(node: ValueMap): Pick<NodeDefinition, 'externalFields'> {
  const { externalFields } = alphaFieldsOf(node);
  return externalFields === undefined ? {} : { externalFields };
}

function checkRef(ref: ValueMap, path: Path, fault: (message: Problem['message'], path: Path) => void): void {
  const metadata = get(ref, 'metadata');
  if (!isMap(metadata)) {
    fault(phrase`a ref has metadata`, path);
    return;
  }
  const [name, selector] = ['name', 'selector'].map((key) => get(metadata, key) ?? null);
  if ((name === null) === (selector === null))
    fault(phrase`a ref has either a name or a selector`, [...path, 'metadata']);
  for (const key of isMap(selector) ? Object.keys(selector) : []) {
    if (key === 'matchLabels' || key === 'matchExpressions') continue;
    fault(phrase`unknown field '${{ key }}'`, [...path, 'metadata', 'selector', key]);
  }
}
