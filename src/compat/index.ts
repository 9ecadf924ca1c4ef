import { Collector, type Report, reporterFor, type Severity } from '../diagnostics/index.ts';
import { toJsonText } from '../emit/index.ts';
import { annotationOf, groupVersionKind, type InputObject, titleOf } from '../model/object.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { equal, getAt, type Path, type Value } from '../model/value.ts';
import { flattenObjects } from '../parse/index.ts';
import { type Compiled, compilePackage } from '../pipeline.ts';
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
 * new RGD, which names the instances that it breaks, or a warning where the RGD allows it; any other change is an info. Instances are those of both versions,
 * and `others`. Pure: the same input and options give the same reports.
 */
export function comparePackages(
  before: RenderInput,
  after: RenderInput,
  others: RenderInput['objects'],
  options: CompatOptions,
): { reports: readonly Report[] } {
  const reports = new Collector();
  const compiled = (input: RenderInput): Compiled | undefined => {
    const output = compilePackage(withoutEarlier(input), options);
    reports.addAll(output.reports);
    return output.compiled;
  };
  const old = compiled(before);
  const young = compiled(after);
  if (old === undefined || young === undefined) return { reports: reports.all };
  const known = distinctInstances([
    ...young.pack.candidates,
    ...old.pack.candidates,
    ...flattenObjects(others, reports),
  ]);
  for (const graph of old.graphs.values()) {
    const instances = known.filter(({ object }) => groupKind(groupVersionKind(object)) === groupKind(graph));
    compareGraphs(graph, young.graphs, instances, options.conservative, reports);
  }
  return { reports: reports.all };
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
  reports: Collector,
): void {
  const after = graphs.get(groupKind(before));
  if (after === undefined) {
    const renamed = [...graphs.values()].find(({ name }) => name === before.name);
    tellRemoved(before, renamed, instances, reports);
    return;
  }
  const refuse = (path: Path, what: string): void => tell(after, { path, what, instances, severity: 'error' }, reports);
  if (before.name !== after.name) {
    // The CRD belongs to the RGD that made it (kro 0.9.4: pkg/client/crd.go).
    refuse(
      ['metadata', 'name'],
      `the name was '${before.name}' and is '${after.name}', and the CRD belongs to the former`,
    );
  }
  if (before.version !== after.version) {
    refuse([...SCHEMA, 'apiVersion'], `the version was '${before.version}' and is '${after.version}'`);
  }
  if (before.namespaced !== after.namespaced) {
    const scope = (graph: Graph): string => (graph.namespaced ? 'Namespaced' : 'Cluster');
    refuse([...SCHEMA, 'scope'], `the scope was ${scope(before)} and is ${scope(after)}`);
  }
  const isAllowed = annotationOf(after.input.object, ALLOWED) === 'true';
  const refused = refusedBy(instances, before, after);
  for (const change of compareSchemas(before.schema, after.schema, conservative)) {
    const broken = change.breaking ? brokenBy(change, refused) : [];
    const severity = !change.breaking ? 'info' : isAllowed ? 'warning' : 'error';
    const what = `${describe(change)}${severity === 'warning' ? `, which ${ALLOWED} allows` : ''}`;
    tell(after, { path: [...SCHEMA, ...change.path], what, instances: broken, severity }, reports);
  }
  if (!equal(columnsOf(before), columnsOf(after))) {
    const what = 'other columns are printed';
    tell(after, { path: [...SCHEMA, 'additionalPrinterColumns'], what, instances: [], severity: 'info' }, reports);
  }
}

const SCHEMA: Path = ['spec', 'schema'];

/** With it on an RGD, kro takes a schema that breaks instances (kro 0.9.4: api/v1alpha1); what is immutable stays so. */
const ALLOWED = 'kro.run/allow-breaking-changes';

const columnsOf = ({ crd }: Graph): Value => getAt(crd, ['spec', 'versions', 0, 'additionalPrinterColumns']) ?? [];

/** The RGD is gone, or defines another kind now. */
function tellRemoved(
  before: Graph,
  renamed: Graph | undefined,
  instances: readonly InputObject[],
  reports: Collector,
): void {
  const kind = groupKind(before);
  const what =
    renamed === undefined ? `no RGD defines ${kind} any more` : `the kind was ${kind} and is ${groupKind(renamed)}`;
  tell(renamed ?? before, { path: [...SCHEMA, 'kind'], what, instances, severity: 'error' }, reports);
}

interface Told {
  path: Path;
  what: string;
  /** The instances that it breaks. */
  instances: readonly InputObject[];
  severity: Severity;
}

function tell(graph: Graph, { path, what, instances, severity }: Told, reports: Collector): void {
  const names = instances.map(
    ({ object, source }) => `${titleOf(object)}${source === undefined ? '' : ` (${source.file})`}`,
  );
  const consequence = names.length === 0 ? '' : `; it breaks ${enumerated(names, 10)}`;
  reporterFor(graph.input, reports).report({
    code: severity === 'info' ? 'compatible-change' : 'breaking-change',
    message: `${what}${consequence}`,
    path,
    severity,
  });
}

/** `maximum-decreased: from 20 to 10` */
function describe({ change, path, before, after }: SchemaChange): string {
  const shown = (value: Value): string => clipped(typeof value === 'string' ? value : toJsonText(value), 100);
  const was = before === undefined ? '' : ` from ${shown(before)}`;
  const is = after === undefined ? '' : ` to ${shown(after)}`;
  return `${path.join('.')}: ${change}${was}${is}`;
}
