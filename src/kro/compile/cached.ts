import { type Collector, type Report, reportAgain } from '../../core/diagnostics/index.ts';
import type { GroupVersionKind, KubeObject } from '../../core/model/object.ts';
import type { KindInfo } from '../../kubernetes/schema/index.ts';
import { type Definition, groupKind } from '../definition/index.ts';
import type { Graph } from './graph.ts';
import type { KindContext, OnExpression } from './kinds-of-nodes.ts';
import { compileRgd } from './rgd.ts';

/** What compiling an RGD asked for besides the RGD itself, and what it was reported. */
interface Asked {
  kinds: { kind: GroupVersionKind; found: KindInfo | undefined; broken: boolean }[];
  suggestions: { unknown: string; found: string }[];
}

/** What became of an RGD when it was compiled last. */
interface Cached {
  graph: Graph | undefined;
  reports: readonly Report[];
  strict: boolean;
  clusterScoped: string;
  asked: Asked;
  /** The expressions that somebody watched, whose programs are the planned ones; undefined when nobody did. */
  seen: readonly Seen[] | undefined;
}

type Seen = Parameters<OnExpression> extends [unknown, ...infer Rest] ? Rest : never;

/**
 * The last compilation of each RGD that somebody still holds, by the parsed object, which nobody writes to. A program
 * that keeps its definitions compiles each once; the command line reads every RGD anew, and meets none again.
 */
const cache = new WeakMap<KubeObject, Cached>();

/**
 * Compiles an RGD, or answers what it became before, when everything that was looked up then is still the same. What
 * is reported points into the text that the RGD was read from now.
 */
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
  const graph = compileRgd(definition, { ...listening(context, asked), onExpression: onExpression && watch }, own);
  // With too many errors the compilation may have been cut short.
  if (!reports.limitReached) {
    const { strict, clusterScoped } = context.options;
    cache.set(input.object, {
      graph,
      reports: own.all,
      strict,
      clusterScoped: clusterScoped.join(),
      asked,
      seen: onExpression && seen,
    });
  }
  return graph;
}

/** The same context, noting what is asked of it. */
function listening(context: KindContext, asked: Asked): KindContext {
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
    suggestions: {
      namesFor(unknown) {
        const info = context.suggestions.namesFor(unknown);
        asked.suggestions.push({ unknown, found: info.join() });
        return info;
      },
    },
  };
}

function stillHolds(
  { asked, strict, clusterScoped, seen }: Cached,
  { options, kinds, broken, suggestions, onExpression }: KindContext,
): boolean {
  return (
    (onExpression === undefined || seen !== undefined) &&
    strict === options.strict &&
    clusterScoped === options.clusterScoped.join() &&
    asked.kinds.every(
      (one) => isSame(one.found, kinds.find(one.kind)) && one.broken === broken.has(groupKind(one.kind)),
    ) &&
    asked.suggestions.every(({ unknown, found }) => suggestions.namesFor(unknown).join() === found)
  );
}

const isSame = (one: KindInfo | undefined, other: KindInfo | undefined): boolean =>
  one?.schema === other?.schema && one?.namespaced === other?.namespaced;
