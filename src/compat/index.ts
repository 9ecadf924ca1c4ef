import { type Report, reporterFor } from '../diagnostics/index.ts';
import { toJsonText } from '../emit/index.ts';
import { groupVersionKind, type InputObject, titleOf } from '../model/object.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import type { Path, Value } from '../model/value.ts';
import { flattenObjects } from '../parse/index.ts';
import { compilePackage } from '../pipeline.ts';
import { withoutEarlier } from '../rerender/index.ts';
import type { Graph, Graphs } from '../rgd/compile/index.ts';
import { groupKind } from '../rgd/definition/index.ts';
import { clipped, enumerated } from '../text/clip.ts';
import { brokenBy, refusedBy } from './broken.ts';
import { compareSchemas, type SchemaChange } from './changes.ts';

export { compareSchemas, type SchemaChange } from './changes.ts';

export interface CompatOptions extends RenderOptions {
  /** Whether all that may break an instance counts (kro 0.10, gate ConservativeCRDComparison). */
  conservative: boolean;
}

/**
 * Compares the schemas that two versions of RGDs give to instances. A breaking change is an error, at the field of the
 * new RGD, which names the instances that it breaks; any other change is an info. Instances are those of both versions,
 * and `others`. Pure: the same input and options give the same reports.
 */
export function comparePackages(
  before: RenderInput,
  after: RenderInput,
  others: RenderInput['objects'],
  options: CompatOptions,
): { reports: Report[] } {
  const reports: Report[] = [];
  const old = compilePackage(withoutEarlier(before), options, reports);
  const young = compilePackage(withoutEarlier(after), options, reports);
  if (old === undefined || young === undefined) return { reports };
  const known = distinctInstances([
    ...young.pack.candidates,
    ...old.pack.candidates,
    ...flattenObjects(others, reports),
  ]);
  for (const graph of old.graphs.values()) {
    const instances = known.filter(({ object }) => groupKind(groupVersionKind(object)) === groupKind(graph));
    compareGraphs(graph, young.graphs, instances, options.conservative, reports);
  }
  return { reports };
}

/** The same instance may stand in both versions: the newer one counts. */
function distinctInstances(instances: readonly InputObject[]): InputObject[] {
  const byName = new Map<string, InputObject>();
  for (const input of instances) {
    const key = toJsonText([input.object.apiVersion, input.object.kind, input.object.metadata ?? null]);
    if (!byName.has(key)) byName.set(key, input);
  }
  return [...byName.values()];
}

function compareGraphs(
  before: Graph,
  graphs: Graphs,
  instances: readonly InputObject[],
  conservative: boolean,
  reports: Report[],
): void {
  const after = graphs.get(groupKind(before));
  if (after === undefined) {
    const renamed = [...graphs.values()].find(({ name }) => name === before.name);
    tellRemoved(before, renamed, instances, reports);
    return;
  }
  if (before.version !== after.version) {
    tell(
      after,
      ['apiVersion'],
      `the version was '${before.version}' and is '${after.version}'`,
      instances,
      true,
      reports,
    );
  }
  if (before.namespaced !== after.namespaced) {
    const scope = (graph: Graph): string => (graph.namespaced ? 'Namespaced' : 'Cluster');
    tell(after, ['scope'], `the scope was ${scope(before)} and is ${scope(after)}`, instances, true, reports);
  }
  const refused = refusedBy(instances, before, after);
  for (const change of compareSchemas(before.schema, after.schema, conservative)) {
    const broken = change.breaking ? brokenBy(change, refused) : [];
    tell(after, change.path, describe(change), broken, change.breaking, reports);
  }
}

/** The RGD is gone, or defines another kind now. */
function tellRemoved(
  before: Graph,
  renamed: Graph | undefined,
  instances: readonly InputObject[],
  reports: Report[],
): void {
  const kind = groupKind(before);
  const message =
    renamed === undefined ? `no RGD defines ${kind} any more` : `the kind was ${kind} and is ${groupKind(renamed)}`;
  tell(renamed ?? before, ['kind'], message, instances, true, reports);
}

function tell(
  graph: Graph,
  path: Path,
  what: string,
  broken: readonly InputObject[],
  breaking: boolean,
  reports: Report[],
): void {
  const names = broken.map(
    ({ object, source }) => `${titleOf(object)}${source === undefined ? '' : ` (${source.file})`}`,
  );
  const consequence = names.length === 0 ? '' : `; it breaks ${enumerated(names, 10)}`;
  reporterFor(graph.input, reports).report({
    code: breaking ? 'breaking-change' : 'compatible-change',
    message: `${what}${consequence}`,
    path: ['spec', 'schema', ...path],
    ...(breaking ? {} : { severity: 'info' as const }),
  });
}

/** `maximum-decreased: from 20 to 10` */
function describe({ change, path, before, after }: SchemaChange): string {
  const shown = (value: Value): string => clipped(typeof value === 'string' ? value : toJsonText(value), 100);
  const was = before === undefined ? '' : ` from ${shown(before)}`;
  const is = after === undefined ? '' : ` to ${shown(after)}`;
  return `${path.join('.')}: ${change}${was}${is}`;
}
