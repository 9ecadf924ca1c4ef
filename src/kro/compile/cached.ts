// Compiles an RGD once, for programs that keep their definitions.
import { type Collector, type Report, reportAgain } from '../../core/diagnostics/index.ts';
import { type GroupVersionKind, groupKind, type KubeObject } from '../../core/model/object.ts';
import type { KindInfo } from '../../kubernetes/schema/index.ts';
import type { Definition } from '../definition/index.ts';
import { semanticsOf } from '../semantics.ts';
import type { Graph } from './graph.ts';
import type { KindContext, OnExpression } from './kinds-of-nodes.ts';
import { compileRgd } from './rgd.ts';

/** A question of a compilation, and the answer: in another context, the same answers have the same results. */
interface Asked {
  question(context: KindContext): readonly unknown[];
  answer: readonly unknown[];
}

interface Cached {
  graph: Graph | undefined;
  reports: readonly Report[];
  asked: readonly Asked[];
  /** The expressions that were observed, whose programs are the planned ones; undefined without an observer. */
  seen: readonly Seen[] | undefined;
}

type Seen = Parameters<OnExpression> extends [unknown, ...infer Rest] ? Rest : never;

/** The last compilation of each RGD by its parsed object, for programs that keep their definitions. */
const cache = new WeakMap<KubeObject, Cached>();

/** Compiles an RGD, or returns the cached result if everything that was looked up is unchanged. */
export function compileCached(definition: Definition, context: KindContext, reports: Collector): Graph | undefined {
  const { input } = definition;
  const { onExpression } = context;
  const known = cache.get(input.object);
  if (known !== undefined && (onExpression === undefined || known.seen !== undefined) && stillHolds(known, context)) {
    reportAgain(known.reports, input, reports);
    // allowed: a tuple
    for (const one of known.seen ?? []) onExpression?.(definition, ...one);
    return known.graph && (known.graph.input === input ? known.graph : { ...known.graph, input });
  }
  const asked: Asked[] = [{ question: ofOptions, answer: ofOptions(context) }];
  const own = reports.part();
  const seen: Seen[] = [];
  const watched: KindContext = {
    ...context,
    kinds: {
      ...context.kinds,
      find(kind) {
        const found = context.kinds.find(kind);
        asked.push({ question: ofKind(kind), answer: factsOf(kind, found, context) });
        return found;
      },
    },
    namesFor(unknown) {
      const names = context.namesFor(unknown);
      asked.push({ question: ofNames(unknown), answer: [names.join()] });
      return names;
    },
    onExpression:
      onExpression &&
      ((one, ...rest) => {
        seen.push(rest);
        return onExpression(one, ...rest);
      }),
  };
  const graph = compileRgd(definition, watched, own);
  // With too many errors the compilation may be incomplete.
  if (!reports.limitReached) cache.set(input.object, { graph, reports: own.all, asked, seen: onExpression && seen });
  return graph;
}

// A function inside of compileCached would keep what it compiled with.
const ofNames =
  (unknown: string): Asked['question'] =>
  ({ namesFor }) => [namesFor(unknown).join()];

const ofOptions: Asked['question'] = ({ options, kinds }) => [
  kinds.release,
  options.strict,
  semanticsOf(options),
  options.clusterScoped.join(),
  options.experimental.join(),
];

const ofKind =
  (kind: GroupVersionKind): Asked['question'] =>
  (context) =>
    factsOf(kind, context.kinds.find(kind), context);

const factsOf = (kind: GroupVersionKind, found: KindInfo | undefined, { broken }: KindContext): readonly unknown[] => [
  found?.schema,
  found?.namespaced,
  broken.has(groupKind(kind)),
];

const stillHolds = ({ asked }: Cached, context: KindContext): boolean =>
  asked.every(({ question, answer }) => question(context).every((one, index) => one === answer[index]));
