import { type CelValue, createBudget, EvaluationError } from '../../cel/index.ts';
import { type Item, nodeLabels } from '../../label/index.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../model/object.ts';
import { get, isMap, type Path, setKey, type Value, type ValueMap } from '../../model/value.ts';
import type { CompiledExpression, GraphNode } from '../../rgd/compile/index.ts';
import { groupKind } from '../../rgd/definition/index.ts';
import { combinations, drain, type InstanceRun, startInstance, viewOf, type World } from '../../rgd/expand/index.ts';
import { apiVersionOf, type Carrier, instanceCarrier, PLAIN } from './carrier.ts';

/** A text that no template has. */
const HOLE = '\u0000waits';

/** What a node that waits would make as far as it is known. */
export interface Provisional {
  /** `undefined` when not even their number is known. */
  carriers: readonly Carrier[] | undefined;
  /** The expressions that have no value yet. */
  waiting: ReadonlySet<CompiledExpression>;
}

/**
 * Runs the template of a node that waits, with holes where values are missing, so that those who read the node can be
 * looked at too. An instance with holes is expanded like any other. What goes wrong on the way was reported before or
 * follows from the holes, so `world` is one whose reports nobody sees.
 */
export function provisional(run: InstanceRun, node: GraphNode, world: World): Provisional {
  const waiting = new Set<CompiledExpression>();
  for (const condition of node.includeWhen) if (!hasValue(condition, run, world)) waiting.add(condition);
  for (const { expression } of node.forEach) if (!hasValue(expression, run, world)) waiting.add(expression);
  const make = (item?: Item): Carrier => provisionalObject(run, node, world, waiting, item);
  if (node.kind === 'external') return { carriers: [make()], waiting };
  if (node.kind === 'externalCollection') {
    make();
    return { carriers: undefined, waiting };
  }
  if (node.kind === 'resource') return { carriers: [make()], waiting };
  const items = combinations(run, node, world);
  if (!Array.isArray(items)) {
    for (const expression of node.expressions)
      if (!expression.perItem && !hasValue(expression, run, world)) waiting.add(expression);
    for (const expression of node.expressions) if (expression.perItem) waiting.add(expression);
    return { carriers: undefined, waiting };
  }
  const carriers = items.map((values, index) => {
    node.forEach.forEach(({ slot }, dimension) => {
      run.frame[slot] = values[dimension];
    });
    return make({ index, size: items.length });
  });
  return { carriers, waiting };
}

function hasValue(expression: CompiledExpression, run: InstanceRun, { options }: World): boolean {
  try {
    expression.program.run(run.frame, createBudget(options));
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

function provisionalObject(
  run: InstanceRun,
  node: GraphNode,
  world: World,
  waiting: Set<CompiledExpression>,
  item: Item | undefined,
): Carrier {
  const raw = node.template({
    frame: run.frame,
    budget: createBudget(world.options),
    failures: [],
    standIn: ({ expression }) => {
      waiting.add(expression);
      return HOLE;
    },
  });
  const holes: Path[] = [];
  const { group, kind } = node.gvk;
  const apiVersion = apiVersionOf(node.gvk);
  const object = { ...(withoutHoles(raw, [], holes) as ValueMap), apiVersion, kind } as KubeObject;
  place(object, node, run, item);
  const namespace = namespaceOf(object);
  const isKnown = nameOf(object) !== '' && !holes.some(([top, key]) => top === 'metadata' && key === 'namespace');
  const known = { apiVersion, kind, namespace, name: isKnown ? nameOf(object) : undefined, ...PLAIN, holes };
  if (node.kind === 'external' || node.kind === 'externalCollection') {
    const rendered = world.rendered.get(`${group}/${kind}/${namespace}/${nameOf(object)}`);
    return { ...known, own: rendered, seen: (rendered ?? object) as CelValue, referenced: true };
  }
  const nested =
    world.graphs.get(groupKind(node.gvk)) === undefined ? undefined : startProvisional(object, holes, run, node, world);
  if (nested !== undefined) return { ...instanceCarrier(nested, world), ...known, nested };
  return { ...known, own: object, seen: viewOf({ object }, world) };
}

/** As the expansion does it: a namespaced object without a namespace takes the instance's, and all have our labels. */
function place(object: KubeObject, node: GraphNode, run: InstanceRun, item: Item | undefined): void {
  const given = get(object, 'metadata');
  const metadata: ValueMap = isMap(given) ? { ...given } : {};
  if (node.namespaced && namespaceOf(object) === '' && run.namespace !== '') metadata.namespace = run.namespace;
  if (node.kind === 'resource' || node.kind === 'collection') {
    const labels = get(metadata, 'labels');
    metadata.labels = { ...(isMap(labels) ? labels : {}), ...nodeLabels(run.labels, node.id, item) };
  }
  object.metadata = metadata;
}

/** Expands an instance with holes in a world of its own: what it makes is not there for others to find. */
function startProvisional(
  object: KubeObject,
  holes: readonly Path[],
  run: InstanceRun,
  node: GraphNode,
  world: World,
): InstanceRun | undefined {
  const graph = world.graphs.get(groupKind(node.gvk));
  if (graph === undefined || run.depth >= MAX_DEPTH || nameOf(object) === '') return undefined;
  const apart: World = {
    ...world,
    reports: [],
    rendered: new Map(world.rendered),
    nested: new Map(world.nested),
    makers: new Map(),
    waiting: new Map(),
    instanceIds: new Set(),
    exhausted: new Set(),
    waits: [],
    queue: [],
    patience: 'none',
  };
  // A default must not take the place of what waits: what would be made of it never exists.
  const admitted = holes.reduce<Value>(withNull, graph.admission.admit(object, run.budget).object) as KubeObject;
  const child = startInstance(graph, admitted, run.input, { run, node: node.index }, apart);
  apart.queue.push(child);
  drain(apart);
  return child;
}

/** The value with null, of which nothing can be read, at a path; as it is where the path does not lead into it. */
function withNull(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return null;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? withNull(item, rest) : item));
  if (!isMap(value) || (rest.length > 0 && !Object.hasOwn(value, step))) return value;
  const whole: ValueMap = { ...value };
  setKey(whole, String(step), withNull(value[step] ?? null, rest));
  return whole;
}

/** More than any instance that renders. */
const MAX_DEPTH = 8;

/** The value without what waits; `holes` gets the paths. An element of a list leaves null, so the others keep their place. */
function withoutHoles(value: Value, path: Path, holes: Path[]): Value {
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      if (!isHole(item)) return withoutHoles(item, [...path, index], holes);
      holes.push([...path, index]);
      return null;
    });
  }
  if (!isMap(value)) return value;
  const whole: ValueMap = {};
  for (const key of Object.keys(value)) {
    const entry = value[key] as Value;
    if (isHole(entry)) holes.push([...path, key]);
    else setKey(whole, key, withoutHoles(entry, [...path, key], holes));
  }
  return whole;
}

const isHole = (value: Value): boolean => typeof value === 'string' && value.includes(HOLE);
