import { type Collector, type Report, reportAgain } from '../../diagnostics/index.ts';
import type { GroupVersionKind, KubeObject } from '../../model/object.ts';
import type { KindInfo } from '../../schema/index.ts';
import { type Definition, groupKind } from '../definition/index.ts';
import type { Graph } from './graph.ts';
import type { KindContext } from './kinds-of-nodes.ts';
import { compileRgd } from './rgd.ts';

/** What compiling an RGD asked for besides the RGD itself, and what it was told. */
interface Asked {
  kinds: { kind: GroupVersionKind; told: KindInfo | undefined; broken: boolean }[];
  suggestions: { unknown: string; told: string }[];
}

/** What became of an RGD when it was compiled last. */
interface Kept {
  graph: Graph | undefined;
  reports: readonly Report[];
  strict: boolean;
  clusterScoped: string;
  asked: Asked;
}

/**
 * The last compilation of each RGD that somebody still holds, by the parsed object, which nobody writes to. A program
 * that keeps its definitions compiles each once; the command line reads every RGD anew, and meets none again.
 */
const kept = new WeakMap<KubeObject, Kept>();

/**
 * Compiles an RGD, or answers what it became before, when everything that was looked up then is still the same. What
 * is reported points into the text that the RGD was read from now.
 */
export function compileOrKeep(definition: Definition, context: KindContext, reports: Collector): Graph | undefined {
  const { input } = definition;
  const known = kept.get(input.object);
  if (known !== undefined && stillHolds(known, context)) {
    reportAgain(known.reports, input, reports);
    return known.graph && (known.graph.input === input ? known.graph : { ...known.graph, input });
  }
  const asked: Asked = { kinds: [], suggestions: [] };
  const own = reports.part();
  const graph = compileRgd(definition, listening(context, asked), own);
  // With too many errors the compilation may have been cut short.
  if (!reports.hasEnough) {
    const { strict, clusterScoped } = context.options;
    kept.set(input.object, { graph, reports: own.all, strict, clusterScoped: clusterScoped.join(), asked });
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
        const told = context.kinds.find(kind);
        asked.kinds.push({ kind, told, broken: context.broken.has(groupKind(kind)) });
        return told;
      },
    },
    suggestions: {
      namesFor(unknown) {
        const told = context.suggestions.namesFor(unknown);
        asked.suggestions.push({ unknown, told: told.join() });
        return told;
      },
    },
  };
}

function stillHolds(
  { asked, strict, clusterScoped }: Kept,
  { options, kinds, broken, suggestions }: KindContext,
): boolean {
  return (
    strict === options.strict &&
    clusterScoped === options.clusterScoped.join() &&
    asked.kinds.every(
      (one) => isSame(one.told, kinds.find(one.kind)) && one.broken === broken.has(groupKind(one.kind)),
    ) &&
    asked.suggestions.every(({ unknown, told }) => suggestions.namesFor(unknown).join() === told)
  );
}

const isSame = (one: KindInfo | undefined, other: KindInfo | undefined): boolean =>
  one?.schema === other?.schema && one?.namespaced === other?.namespaced;
