import { Collector, namespaceText, phrase, reporterFor, shown, trusted } from '../core/diagnostics/index.ts';
import { KRO_LABEL, MODE } from '../core/model/keys.ts';
import { lazily } from '../core/model/lazily.ts';
import {
  annotationOf,
  groupKind,
  groupVersionKind,
  type InputObject,
  identityOf,
  type KubeObject,
} from '../core/model/object.ts';
import type { OnPending, RenderOptions } from '../core/model/render.ts';
import { get, getAt, isMap } from '../core/model/value.ts';
import { either, type Secrecy, secretAt } from '../core/redaction/index.ts';
import {
  type Context,
  NAMED_IN_SECRETS,
  type Ordering,
  type Outcome,
  type Review,
  type Session,
  type Surveyed,
} from '../kubernetes/front-end/index.ts';
import { builtinKinds, type KindRegistry } from '../kubernetes/schema/index.ts';
import type { AdmittedInstance } from './admit/index.ts';
import { type Graph, type Graphs, isNamespaced, type OnExpression } from './compile/index.ts';
import {
  type DefaultNamespace,
  type ExpandedInstance,
  type Expansion,
  hasSecretIdentity,
  type InstanceRun,
  isSecretlyNamed,
  type NodeRun,
  secrecyOf,
  secretOf,
  titleOfRun,
} from './expand/index.ts';
import { surveyed } from './survey/index.ts';

/** A rendering of instances by graphs of nodes: those of RGDs, or Graphs, which are their own instances. */
export abstract class GraphsSession implements Session {
  reports = new Collector();
  outcomes: ReadonlyMap<KubeObject, Outcome> = new Map();
  pending: ExpandedInstance['pending'] = [];
  kinds: KindRegistry = builtinKinds;
  expansions: readonly Expansion[] = [];
  protected expanded: readonly ExpandedInstance[] = [];
  /** The namespace of live objects without one. */
  protected observedNamespace: DefaultNamespace = () => '';

  constructor(
    protected readonly context: Context,
    protected readonly onExpression: OnExpression | undefined,
  ) {}

  abstract read(objects: readonly InputObject[]): void;

  abstract expand(): void;

  order(): Ordering {
    return { objects: this.expanded.flatMap(({ rendered }) => rendered), groups: [], instances: [] };
  }

  secretOf(object: KubeObject): InputObject['secret'] {
    return this.expansions.map(({ world }) => secretOf(object, world)).find((found) => found !== undefined);
  }

  hidesKind(): (object: KubeObject) => boolean {
    const computes = this.expansions.some(({ runs }) =>
      runs.some(({ graph }) => graph.nodes.some(({ resolve }) => resolve)),
    );
    return computes ? (object) => this.secretOf(object) === 'everything' : () => false;
  }

  reviews(): (object: KubeObject) => Review | undefined {
    return (object) => this.expansions.map((one) => reviewOf(object, one)).find((found) => found !== undefined);
  }

  survey(): Surveyed[] {
    return this.expansions.map((one) => surveyed(one, this.observedNamespace));
  }
}

function reviewOf(object: KubeObject, { world }: Expansion): Review | undefined {
  const maker = world.objects.makers.get(identityOf(object));
  if (maker === undefined) return undefined;
  const { run, node } = maker;
  const place = lazily(() => ({
    instance: titleOfRun(run),
    namespace: namespaceText(run.instance, isSecretlyNamed(run)),
    node: trusted.definition(node.id),
    key: placeOf(object, maker),
    definition: { input: run.graph.input, path: node.path },
    ...(node.externalFields !== undefined && { released: node.externalFields }),
  }));
  const secrecy = lazily(() => either(secrecyOf(maker), writtenByUs(run)));
  const nameless = lazily(() => hasSecretIdentity(maker));
  const named = lazily(() => {
    const template = getAt(run.graph.input.object, [...node.path, 'template']);
    return NAMED_IN_SECRETS.filter((field) => isMap(get(template, field)));
  });
  return {
    get place() {
      return place();
    },
    get secrecy() {
      return secrecy();
    },
    get nameless() {
      return nameless();
    },
    get named() {
      return named();
    },
  };
}

/** Labels name the instance; order annotations name other objects. */
function writtenByUs(run: InstanceRun): Secrecy {
  const labels = isSecretlyNamed(run) ? secretAt(['metadata', 'labels'], true) : false;
  const names = run.world.options.order === 'kpt' && run.graph.nodes.some((node) => hasSecretIdentity({ run, node }));
  return either(labels, names ? secretAt(['metadata', 'annotations'], true) : false);
}

/** Returns the location of a nested instance, because its name may be what changed. */
function placeOf(object: KubeObject, { run, node }: NodeRun): string {
  const above = run.parent === undefined ? run.id : placeOf(run.instance, run.parent);
  const item = getAt(object, ['metadata', 'labels', KRO_LABEL.collectionIndex]);
  return JSON.stringify([above, node.id, typeof item === 'string' ? item : '']);
}

/** Returns the namespace of objects without one; with `takesUnknown`, unknown kinds count as namespaced. */
export function defaultNamespaceOf(
  kinds: KindRegistry,
  options: RenderOptions,
  { takesUnknown }: { takesUnknown: boolean },
): DefaultNamespace {
  const { namespace } = options;
  if (namespace === '') return () => '';
  return (object) => {
    const kind = groupVersionKind(object);
    const info = kinds.find(kind);
    return (info !== undefined || takesUnknown) && isNamespaced(kind, info, options) ? namespace : '';
  };
}

/** An instance is left to a controller if it, its RGD or an RGD that it uses has `render-rgd.dev/mode: passthrough`. */
export function leftByAnnotation(
  instances: readonly AdmittedInstance[],
  graphs: Graphs,
  reports: Collector,
): Set<InputObject> {
  const checked = new Set<InputObject>();
  const asks = (input: InputObject): boolean => {
    const mode = annotationOf(input.object, MODE);
    if (mode !== undefined && mode !== 'passthrough' && !checked.has(input)) {
      const message = phrase`the annotation ${{ annotation: shown(MODE) }} has the value '${{ value: mode }}', only 'passthrough' is known`;
      const path = ['metadata', 'annotations', MODE];
      reporterFor(input, reports).report({ code: 'unresolved-mode', message, path });
    }
    checked.add(input);
    return mode === 'passthrough';
  };
  const left = instances.filter(({ graph, input }) => {
    const reached = [...reachedGraphs(graph, graphs)].map((one) => asks(one.input));
    return asks(input) || reached.includes(true);
  });
  for (const { input } of left) reportLeft(input, `${MODE} asks for it`, reports);
  return new Set(left.map(({ input }) => input));
}

export function leftPending(
  expanded: readonly ExpandedInstance[],
  onPending: OnPending,
  reports: Collector,
): Set<InputObject> {
  if (onPending !== 'passthrough') return new Set();
  const left = expanded.filter(({ pending }) => pending.length > 0);
  for (const { input } of left) reportLeft(input, 'one of its nodes is pending', reports);
  return new Set(left.map(({ input }) => input));
}

function reportLeft(input: InputObject, reason: string, reports: Collector): void {
  const message = phrase`left to a kro controller, with every RGD that it reaches: ${{ reason }}`;
  reporterFor(input, reports).report({ code: 'passed-through', message, path: [], severity: 'info' });
}

/** Returns the objects that are printed unchanged: the instances and every RGD that they use. */
export function passedThrough(
  left: ReadonlySet<InputObject>,
  instances: readonly AdmittedInstance[],
  graphs: Graphs,
): Set<InputObject> {
  const passed = new Set(left);
  for (const { graph, input } of instances) {
    if (!left.has(input)) continue;
    for (const reached of reachedGraphs(graph, graphs)) passed.add(reached.input);
  }
  return passed;
}

function reachedGraphs(graph: Graph, graphs: Graphs, found = new Set<Graph>()): Set<Graph> {
  if (found.has(graph)) return found;
  found.add(graph);
  for (const { gvk } of graph.nodes) {
    const next = graphs.get(groupKind(gvk));
    if (next !== undefined) reachedGraphs(next, graphs, found);
  }
  return found;
}
