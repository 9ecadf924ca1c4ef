import {
  Collector,
  composeText,
  nothingFound,
  phrase,
  phraseIf,
  type Report,
  reporterFor,
  type Severity,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { ALLOW_BREAKING_CHANGES } from '../../core/model/keys.ts';
import { annotationOf, groupKind, groupKindOf, type InputObject, titleOf } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, getAt, type Path, type Value } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { type KroSession, kro } from '../../kro/front-end.ts';
import { compilePackage } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import { compareSchemas, FIELD_CHANGES, fixOf, sentenceOf } from './changes.ts';
import { compareInstances } from './instances.ts';

export interface CompatException {
  /** The name of the change, such as `property-removed`; `*` for any. */
  rule: string;
  /** The field and all below it; '' for any. */
  path: string;
  reason: string;
}

/** Parses `RULE=REASON` or `RULE:PATH=REASON`; returns undefined for any other text. */
export function parseException(text: string): CompatException | undefined {
  const [, rule, path = '', reason] = /^([a-z-]+|\*)(?::([^=]+))?=(\s*\S.*)$/s.exec(text) ?? [];
  return rule === undefined || reason === undefined ? undefined : { rule, path, reason: reason.trim() };
}

export { compareSchemas } from './changes.ts';
export { instanceTable, isDanger } from './instances.ts';
export { compareSemantics } from './upgrade.ts';

interface CompatOptions extends RenderOptions {
  exceptions?: readonly CompatException[];
  /** Whether everything that may break an instance is breaking (kro 0.10, gate ConservativeCRDComparison). */
  conservative: boolean;
  /** Further kinds that lose data when their objects are deleted, as `Kind.group`. */
  holdsData?: readonly string[];
}

/**
 * Compares the schemas of RGDs. A breaking change is an error at the field of the new RGD, which names the instances
 * that it breaks, or a warning if the RGD allows it; any other is an info. With `others`, `instances` renders all
 * instances by both versions and compares them. Pure.
 */
export function comparePackages(
  before: RenderInput,
  after: RenderInput,
  others: RenderInput['objects'],
  options: CompatOptions,
): { reports: readonly Report[]; instances: () => readonly Report[] } {
  const reports = new Collector();
  const compiled = (input: RenderInput): KroSession | undefined => {
    const output = compilePackage(withoutEarlier(input), options);
    reports.addAll(output.reports);
    return output.compiled?.of(kro);
  };
  const old = compiled(before);
  const current = compiled(after);
  if (old === undefined || current === undefined) return { reports: reports.all, instances: () => [] };
  const given = flattenObjects(others, reports);
  const known = distinctInstances([...current.pack.candidates, ...old.pack.candidates, ...given]);
  const kinds = new Set([...old.graphs.keys(), ...current.graphs.keys()]);
  if (kinds.size === 0 && !reports.hasErrors) reports.add(nothingFound(composeText`neither version has an RGD`));
  else if (others.length > 0 && !known.some(({ object }) => kinds.has(groupKindOf(object)))) {
    const message = composeText`no object of either version and of --instances is an instance of these RGDs`;
    reports.add(nothingFound(message));
  }
  for (const graph of old.graphs.values()) {
    const instances = known.filter(({ object }) => groupKindOf(object) === groupKind(graph));
    compareGraphs(graph, current.graphs, instances, options, reports);
  }
  if (others.length === 0) return { reports: reports.all, instances: () => [] };
  const [older, newer] = [
    { input: before, graphs: old.graphs },
    { input: after, graphs: current.graphs },
  ] as const;
  return { reports: reports.all, instances: () => compareInstances(older, newer, known, options) };
}

/** Removes duplicate instances: the newer version wins. */
function distinctInstances(instances: readonly InputObject[]): InputObject[] {
  const byName = groupBy(instances, ({ object: { apiVersion, kind, metadata } }) =>
    toJsonText([apiVersion, kind, metadata ?? null]),
  );
  return [...byName.values()].map(([first]) => first as InputObject);
}

/** A change of an RGD, and the instances that it breaks, each with the edit that fixes it if one exists. */
interface Change {
  /** The name of the change for exceptions. */
  rule: string;
  at: Path;
  path: Path;
  what: string;
  instances: readonly { input: InputObject; fix: string | undefined }[];
  severity: Severity;
}

const SCHEMA: Path = ['spec', 'schema'];

/** A part of the identity of a kind, whose change breaks every instance; with the edit of each, if it is sufficient. */
interface Identity {
  what: string;
  path: Path;
  of: (graph: Graph) => string;
  /** Default: the part in quotes. */
  words?: (graph: Graph) => string;
  more?: (before: Graph, after: Graph) => string;
  fix?: (after: Graph) => string;
}

const pluralOf = ({ crd }: Graph): string => String(getAt(crd, ['spec', 'names', 'plural']) ?? '');
const crdName = (graph: Graph): string => `${pluralOf(graph)}.${graph.group}`;
const scopeOf = ({ namespaced }: Graph): string => (namespaced ? 'Namespaced' : 'Cluster');
const setApiVersion = ({ group, version }: Graph): string => `set apiVersion to ${group}/${version}`;

/** kro accepts none of these changes (0.9.4: pkg/graph/crd/compat, pkg/client/crd.go). */
const KIND: readonly Identity[] = [
  {
    what: 'kind',
    path: [...SCHEMA, 'kind'],
    of: ({ kind }) => kind,
    words: groupKind,
    fix: ({ kind }) => `set kind to ${kind}`,
  },
  { what: 'group', path: [...SCHEMA, 'group'], of: ({ group }) => group, fix: setApiVersion },
];
const IDENTITY: readonly Identity[] = [
  {
    what: 'name',
    path: ['metadata', 'name'],
    of: ({ name }) => name,
    // The CRD belongs to the RGD that created it (kro 0.9.4: pkg/client/crd.go).
    more: () => ', and the CRD belongs to the former',
  },
  { what: 'version', path: [...SCHEMA, 'apiVersion'], of: ({ version }) => version, fix: setApiVersion },
  {
    what: 'plural',
    path: [...SCHEMA, 'plural'],
    of: pluralOf,
    more: (before, after) => `: the CRD ${crdName(after)} would define the kind of ${crdName(before)} again`,
  },
  {
    what: 'scope',
    path: [...SCHEMA, 'scope'],
    of: scopeOf,
    words: scopeOf,
    fix: ({ namespaced }) => `${namespaced ? 'add' : 'remove'} metadata.namespace`,
  },
];

function compareGraphs(
  before: Graph,
  graphs: Graphs,
  instances: readonly InputObject[],
  { conservative, exceptions = [] }: CompatOptions,
  reports: Collector,
): void {
  const renamed = graphs.get(groupKind(before)) ?? successorOf(before, graphs);
  const reportOne = (one: Change): void => reportChange(renamed ?? before, one, exceptions, reports);
  const breakAll = (rule: string, path: Path, what: string, fix?: string): void => {
    const broken = instances.map((input) => ({ input, fix }));
    reportOne({ rule, at: [], path, what: `${what} (${rule})`, severity: 'error', instances: broken });
  };
  if (renamed === undefined)
    breakAll('kind-removed', [...SCHEMA, 'kind'], `no RGD defines ${groupKind(before)} any more`);
  const after = graphs.get(groupKind(before));
  for (const { what, path, of, words, more, fix } of after ? IDENTITY : KIND) {
    if (renamed === undefined || of(before) === of(renamed)) continue;
    const [was, is] = [before, renamed].map((graph) => words?.(graph) ?? `'${of(graph)}'`);
    const text = `the ${what} changed from ${was} to ${is}${more?.(before, renamed) ?? ''}`;
    breakAll(`${what}-changed`, path, text, fix?.(renamed));
  }
  if (after === undefined) return;
  const isAllowed = annotationOf(after.input.object, ALLOW_BREAKING_CHANGES) === 'true';
  const refused = refusedBy(instances, before, after);
  for (const change of compareSchemas(before.schema, after.schema, conservative)) {
    const severity = !change.breaking ? 'info' : isAllowed ? 'warning' : 'error';
    const broken = refused.flatMap(({ input, paths }) => {
      const own = paths.filter((path) => change.breaking && areOnOneWay(change.path, path));
      const fixes = own.map((path) => fixOf(change, input.object, path, after.schema));
      const fix = fixes.includes(undefined) ? undefined : [...new Set(fixes)].join(', ');
      return own.length === 0 ? [] : [{ input, fix }];
    });
    reportOne({
      rule: change.change,
      at: change.path,
      path: [...SCHEMA, ...change.path],
      what: `${sentenceOf(change)}${severity === 'warning' ? `, which ${ALLOW_BREAKING_CHANGES} allows` : ''}`,
      instances: broken,
      severity,
    });
  }
  if (!equal(columnsOf(before), columnsOf(after))) {
    const about = { rule: 'printer-columns-changed', at: [], path: [...SCHEMA, 'additionalPrinterColumns'] };
    const what = 'other columns are printed (printer-columns-changed)';
    reportOne({ ...about, what, instances: [], severity: 'info' });
  }
}

/** Returns the RGD with the same name, which now defines another kind. */
const successorOf = (before: Graph, graphs: Graphs): Graph | undefined =>
  [...graphs.values()].find(({ name }) => name === before.name) ??
  [...graphs.values()].find(({ kind }) => kind === before.kind);

const columnsOf = ({ crd }: Graph): Value => getAt(crd, ['spec', 'versions', 0, 'additionalPrinterColumns']) ?? [];

/** Reports a change; one that an exception accepts is a warning with its reason. */
function reportChange(
  graph: Graph,
  { rule, at, path, what, instances, severity }: Change,
  exceptions: readonly CompatException[],
  reports: Collector,
): void {
  const field = at.join('.');
  const isFor = (one: CompatException): boolean =>
    (one.rule === '*' || one.rule === rule) && (one.path === '' || `${field}.`.startsWith(`${one.path}.`));
  const accepted = severity === 'error' ? exceptions.find(isFor) : undefined;
  const names = instances.map(
    ({ input: { object, source } }) => `${titleOf(object)}${source === undefined ? '' : ` (${source.file})`}`,
  );
  const consequence = names.length === 0 ? '' : `; it breaks ${enumerated(names, 10)}`;
  const hint = phraseIf(fixesText(instances));
  reporterFor(graph.input, reports).report({
    code: severity === 'info' ? 'compatible-change' : 'breaking-change',
    message: phrase`${what}${accepted === undefined ? '' : `, accepted: ${accepted.reason}`}${consequence}`,
    path,
    severity: accepted === undefined ? severity : 'warning',
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Lists each edit with the instances that it fixes. */
function fixesText(instances: Change['instances']): string | undefined {
  const byFix = groupBy(instances, ({ fix }) => fix);
  const titlesOf = (fixed: Change['instances']): string[] => fixed.map(({ input }) => titleOf(input.object));
  return [...byFix].map(([fix, fixed]) => `in ${enumerated(titlesOf(fixed), 10)} ${fix}`).join('; ') || undefined;
}

/** Returns the instances that the old schema accepts and the new one rejects, each with the rejected fields. */
function refusedBy(instances: readonly InputObject[], before: Graph, after: Graph) {
  return instances.flatMap((input) => {
    const problemsIn = ({ admission }: Graph) => admission.admit(input.object, undefined, false).problems;
    const paths = problemsIn(before).length > 0 ? [] : problemsIn(after).map(({ path }) => path);
    return paths.length === 0 ? [] : [{ input, paths }];
  });
}

function areOnOneWay(schemaPath: Path, path: Path): boolean {
  const isAny = (step: string | number, actual: string | number | undefined): boolean =>
    (step === 'items' && typeof actual === 'number') || (step === 'values' && typeof actual === 'string');
  return schemaPath.every((step, index) => step === path[index] || isAny(step, path[index]));
}

/** The names of all changes for `--allow`: those of an RGD, and those of a field of its schema. */
export const CHANGE_NAMES: readonly string[] = [
  ...[...KIND, ...IDENTITY].map(({ what }) => `${what}-changed`),
  'kind-removed',
  'printer-columns-changed',
  ...FIELD_CHANGES,
].sort();

/** Returns the error of the name of an accepted change; undefined for a known one and for `*`. */
export function faultInName(name: string): string | undefined {
  if (name === '*' || CHANGE_NAMES.includes(name)) return undefined;
  const hint = didYouMean(name, CHANGE_NAMES, 1);
  return `no change is called '${name}'${hint === undefined ? '' : `; ${hint}`}`;
}
