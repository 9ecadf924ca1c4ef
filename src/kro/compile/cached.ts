// biome-ignore-all lint/plugin: a tuple
import { type Collector, type Report, reportAgain } from '../../core/diagnostics/index.ts';
import { type GroupVersionKind, groupKind, type KubeObject } from '../../core/model/object.ts';
import type { KindInfo } from '../../kubernetes/schema/index.ts';
import type { Definition } from '../definition/index.ts';
import { type Semantics, semanticsOf } from '../semantics.ts';
import type { Graph } from './graph.ts';
import type { KindContext, OnExpression } from './kinds-of-nodes.ts';
import { compileRgd } from './rgd.ts';

/** What the compilation of an RGD looked up, and its results. */
interface Asked {
  kinds: { kind: GroupVersionKind; found: KindInfo | undefined; broken: boolean }[];
  suggestions: { unknown: string; found: string }[];
}

interface Cached {
  graph: Graph | undefined;
  reports: readonly Report[];
  strict: boolean;
  semantics: Semantics;
  clusterScoped: string;
  asked: Asked;
  /** The expressions that were observed, whose programs are the planned ones; undefined without an observer. */
  seen: readonly Seen[] | undefined;
}

type Seen = Parameters<OnExpression> extends [unknown, ...infer Rest] ? Rest : never;

/** The last compilation of each RGD by its parsed object, for programs that keep their definitions. */
const cache = new WeakMap<KubeObject, Cached>();

/** Compiles an RGD, or returns the cached result if everything that was looked up is unchanged. */
export function compileCached(definition: Definition, context: KindContext, reports: Collector): Graph | undefined {
  const { input } = definition;
  const known = cache.get(input.object);
  if (known !== undefined && stillHolds(known, context)) {
    reportAgain(known.reports, input, reports);
    for (const one of known.seen ?? []) context.onExpression?.(definition, ...one);
    return known.graph && (known.graph.input === input ? known.graph : { ...known.graph, input });
  }
  const asked: Asked = { kinds: [], suggestions: [] };
  const own = reports.part();
  const seen: Seen[] = [];
  const { onExpression } = context;
  const watch: OnExpression = (one, ...rest) => {
    seen.push(rest);
    return onExpression?.(one, ...rest);
  };
  const graph = compileRgd(
    definition,
    { ...recordingContext(context, asked), onExpression: onExpression && watch },
    own,
  );
  // With too many errors the compilation may be incomplete.
  if (!reports.limitReached) {
    const { strict, clusterScoped } = context.options;
    cache.set(input.object, {
      graph,
      reports: own.all,
      strict,
      semantics: semanticsOf(context.options),
      clusterScoped: clusterScoped.join(),
      asked,
      seen: onExpression && seen,
    });
  }
  return graph;
}

/** Returns the context with a record of its look-ups. */
function recordingContext(context: KindContext, asked: Asked): KindContext {
  return {
    ...context,
    kinds: {
      ...context.kinds,
      find(kind) {
        const found = context.kinds.find(kind);
        asked.kinds.push({ kind, found, broken: context.broken.has(groupKind(kind)) });
        return found;
      },
    },
    namesFor(unknown) {
      const info = context.namesFor(unknown);
      asked.suggestions.push({ unknown, found: info.join() });
      return info;
    },
  };
}

function stillHolds(
  { asked, strict, semantics, clusterScoped, seen }: Cached,
  { options, kinds, broken, namesFor, onExpression }: KindContext,
): boolean {
  return (
    (onExpression === undefined || seen !== undefined) &&
    strict === options.strict &&
    semantics === semanticsOf(options) &&
    clusterScoped === options.clusterScoped.join() &&
    asked.kinds.every(
      (one) => isSame(one.found, kinds.find(one.kind)) && one.broken === broken.has(groupKind(one.kind)),
    ) &&
    asked.suggestions.every(({ unknown, found }) => namesFor(unknown).join() === found)
  );
}

const isSame = (one: KindInfo | undefined, other: KindInfo | undefined): boolean =>
  one?.schema === other?.schema && one?.namespaced === other?.namespaced;
