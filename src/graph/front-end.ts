import { Collector, phrase, reporterFor, shown } from '../core/diagnostics/index.ts';
import { MAX_RENDER_DEPTH } from '../core/model/limits.ts';
import { type InputObject, isPassthrough, type KubeObject } from '../core/model/object.ts';
import { formatPath, getAt, isMap, type Path, textAt, type Value, type ValueMap } from '../core/model/value.ts';
import { enumerated } from '../core/text/clip.ts';
import { compileRgds, kindsOfGraphs, nodeSlot, type OnExpression } from '../kro/compile/index.ts';
import { readRgds } from '../kro/definition/index.ts';
import { collectInstances, type NodeRun, nodeRun, reportNode, runInstances } from '../kro/expand/index.ts';
import { defaultNamespaceOf, GraphsSession } from '../kro/session.ts';
import { type FrontEnd, type Outcome, renderedInputs, reportTooDeep, roleOf } from '../kubernetes/front-end/index.ts';
import { firstOf, type KindRegistry, kindsOf } from '../kubernetes/schema/index.ts';
import { compileGraph } from './compile.ts';
import { graphKind } from './kind.ts';
import { isGraph } from './read.ts';

/** The front end of the kind Graph of kro 0.10, which is alpha and needs `--experimental graph`. */
export const graphWith = (onExpression?: OnExpression): FrontEnd<GraphSession> => ({
  name: 'graph',
  apis: [],
  takes: isGraph,
  reads: isGraph,
  kindsIn: () => [],
  start: (context) => new GraphSession(context, onExpression),
});

export const graph = graphWith();

class GraphSession extends GraphsSession {
  override outcomes = new Map<KubeObject, Outcome>();
  #objects: readonly InputObject[] = [];

  read(objects: readonly InputObject[]): void {
    this.#objects = objects;
  }

  expand(): void {
    this.reports = new Collector();
    this.outcomes = new Map();
    this.pending = [];
    this.expansions = [];
    this.expanded = [];
    const { options, input } = this.context;
    const all = this.#objects.filter(({ object }) => isGraph(object) && roleOf(object) === 'other');
    const left = all.filter(({ object }) => isPassthrough(object));
    for (const one of left)
      this.outcomes.set(one.object, { input: one, role: 'instance', rendered: [], passedThrough: true });
    let graphs = all.filter((one) => !left.includes(one));
    if (graphs.length === 0) return;
    if (!options.experimental.includes('graph')) {
      for (const one of graphs) this.refuse(one);
      return;
    }
    const crds = [...this.#objects, ...this.context.pack.beside].filter(({ object }) => roleOf(object) === 'crd');
    const kinds = this.withDefined(kindsOf(crds, input.openapi, options.kubernetes, this.reports));
    this.kinds = kinds;
    for (let depth = 0; graphs.length > 0; depth++) {
      if (depth > MAX_RENDER_DEPTH) {
        for (const one of graphs) reportTooDeep(one, this.reports);
        return;
      }
      graphs = this.run(graphs, kinds);
    }
  }

  /** Adds the kinds that the RGDs of the package define, whose errors their own front end reports. */
  private withDefined(kinds: KindRegistry): KindRegistry {
    const { pack, options } = this.context;
    const silent = new Collector();
    const { definitions } = readRgds(pack, silent);
    const graphs = compileRgds(definitions, { kinds, options }, silent);
    return firstOf([kindsOfGraphs(graphs), kinds]);
  }

  private refuse(input: InputObject): void {
    const message = phrase`a Graph of kro 0.10 (alpha) is rendered only with ${{ option: shown('--experimental graph') }}`;
    const hint = phrase`set the option, or annotate it with render-rgd.dev/mode: passthrough for a kro controller`;
    reporterFor(input, this.reports).report({ code: 'graph-kind', message, path: ['kind'], hint });
  }

  private run(graphs: readonly InputObject[], known: KindRegistry): InputObject[] {
    const { pack } = this.context;
    const options = { ...this.context.options, kro: '0.10' } as const;
    const kinds: KindRegistry = {
      find: (kind) => (isGraphKind(kind) ? graphKind() : known.find(kind)),
      names: () => known.names(),
    };
    const namesFor = (): readonly string[] => [...known.names()];
    const { onExpression } = this;
    const context = { kinds, options, broken: new Set<string>(), namesFor, onExpression };
    const instances = graphs.flatMap((input) => {
      const compiled = compileGraph(input, context, this.reports);
      return compiled === undefined ? [] : [{ graph: compiled, object: input.object, input }];
    });
    const defaultNamespace = defaultNamespaceOf(kinds, options, { takesUnknown: true });
    const plain = this.#objects.filter(({ object }) => roleOf(object) !== 'observed' && !isGraph(object));
    const observed = [...pack.observed, ...this.#objects.filter(({ object }) => roleOf(object) === 'observed')];
    this.observedNamespace = defaultNamespace;
    const places = { defaultNamespace, observedNamespace: defaultNamespace };
    const expansion = runInstances({ graphs: new Map(), instances, observed, plain, ...places }, options, this.reports);
    this.expansions = [...this.expansions, expansion];
    for (const run of expansion.runs)
      for (const { contentKey, index } of run.graph.nodes)
        if (contentKey === 'patch' && run.states[index] !== 'skipped') listPatch(nodeRun(run, index));
    const expanded = collectInstances(expansion);
    this.expanded = [...this.expanded, ...expanded];
    const next: InputObject[] = [];
    for (const { input, rendered, pending } of expanded) {
      this.pending = [...this.pending, ...pending];
      this.outcomes.set(input.object, { input, role: 'instance', rendered, passedThrough: false });
      const toInput = renderedInputs(input);
      for (const one of rendered) if (isGraph(one.object)) next.push(toInput(one, this.secretOf(one.object)));
    }
    return next;
  }
}

/** Lists the object and the fields that a patch changes: as far as it is evaluated, and else as it is written. */
function listPatch(at: NodeRun): void {
  const { run, node } = at;
  const path = [...node.path, 'patch'];
  const written = getAt(run.graph.input.object, path) ?? null;
  const value = run.frame[nodeSlot(node.index)] as Value | undefined;
  const of = (step: string): string => textAt(getAt(value ?? written, ['metadata']), step);
  const { apiVersion: _, kind: __, metadata: ___, subresource, body, ...fields } = written as ValueMap;
  const changed = enumerated(leavesOf(isMap(body) ? body : fields).map(formatPath));
  const part = subresource === 'status' ? 'the status of ' : '';
  const title = [of('namespace') || run.namespace, of('name')].filter((one) => one !== '').join('/');
  const message = phrase`renders nothing: kro sets ${{ field: shown(changed) }} of ${shown(part)}${textAt(value ?? written, 'kind')} ${{ object: title }}`;
  reportNode(at, { code: 'graph-patch', message, path, severity: 'info' });
}

const leavesOf = (value: Value, path: Path = []): Path[] =>
  isMap(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
    : [path];

const isGraphKind = ({ group, kind }: { group: string; kind: string }): boolean =>
  group === 'kro.run' && kind === 'Graph';
