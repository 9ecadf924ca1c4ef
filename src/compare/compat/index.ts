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
import { annotationOf, groupKind, groupKindOf, type InputObject, nameOf, titleOf } from '../../core/model/object.ts';
import type { KroVersion, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, getAt, type Path, type Value } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { type KroSession, kro } from '../../kro/front-end.ts';
import { isAlwaysRewritten } from '../../kro/simpleschema/index.ts';
import { compilePackage } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import {
  type Checks,
  compareSchemas,
  FIELD_CHANGES,
  fixOf,
  isBreaking,
  type SchemaChange,
  sentenceOf,
} from './changes.ts';
import { compareInstances, type InstanceChanges } from './instances.ts';

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

export { compareSchemas, isBreaking, type SchemaChange } from './changes.ts';
export { type InstanceChanges, instanceTable, isDanger } from './instances.ts';
export { compareReleases, releaseNamed } from './kubernetes.ts';
export { compareSemantics } from './upgrade.ts';

/** Returns the names and the kinds of the RGDs of an input, to recognize versions of one package. */
export const rgdNamesIn = (objects: RenderInput['objects']): string[] =>
  objectsIn(objects)
    .filter(({ object }) => isRgd(object))
    .flatMap(({ object }) => [`name ${nameOf(object)}`, `kind ${definedKind(object)}`]);

interface CompatOptions extends RenderOptions {
  exceptions?: readonly CompatException[];
  /** Whether kro compares everything (kro 0.10, feature gate ConservativeCRDComparison). */
  conservative: boolean;
  /** Further kinds that lose data when their objects are deleted, as `Kind.group`. */
  holdsData?: readonly string[];
  /** Reports whether nobody knows what the newer version has of an older RGD: its file cannot be read. */
  isUnknown?: (rgd: InputObject) => boolean;
  /** The release of kro of the older version, if it is another one: `compareSemantics` reports the newer one then. */
  from?: KroVersion;
}

/**
 * Compares the schemas of RGDs. A breaking change is an error at the field of the new RGD, which names the instances
 * that it breaks, or a warning if the RGD allows it; what kro does not compare is a warning, or an error if it breaks an
 * instance without being refused; any other is an info. With `others`, `instances` renders all
 * instances by both versions and compares them. Pure.
 */
export function comparePackages(
  before: RenderInput,
  after: RenderInput,
  others: RenderInput['objects'],
  options: CompatOptions,
): { reports: readonly Report[]; instances: () => InstanceChanges } {
  const nothing = (): InstanceChanges => ({ reports: [], given: [], pending: [] });
  const reports = new Collector();
  const { from = options.kro } = options;
  const older = compilePackage(withoutEarlier(before), { ...options, kro: from, comparesReleases: true });
  const newer = compilePackage(withoutEarlier(after), options);
  reports.addAll(older.reports);
  if (from === options.kro) reports.addAll(newer.reports);
  const [old, current]: (KroSession | undefined)[] = [older.compiled?.of(kro), newer.compiled?.of(kro)];
  if (old === undefined || current === undefined) return { reports: reports.all, instances: nothing };
  const given = flattenObjects(others, reports);
  const known = distinctInstances([...current.pack.candidates, ...old.pack.candidates, ...given]);
  const kinds = new Set([...old.graphs.keys(), ...current.graphs.keys()]);
  if (kinds.size === 0 && !reports.hasErrors) reports.add(nothingFound(composeText`neither version has an RGD`));
  else if (others.length > 0 && !known.some(({ object }) => kinds.has(groupKindOf(object)))) {
    const message = composeText`no object of either version and of --instances is an instance of these RGDs`;
    reports.add(nothingFound(message));
  }
  // An RGD that does not compile has errors of its own, and it still defines its kind.
  const broken = new Set(
    current.pack.rgds.map(({ object }) => definedKind(object)).filter((kind) => !current.graphs.has(kind)),
  );
  const instancesOf = groupBy(known, ({ object }) => groupKindOf(object));
  for (const graph of old.graphs.values()) {
    if (broken.has(groupKind(graph)) || options.isUnknown?.(graph.input) === true) continue;
    compareGraphs(graph, current.graphs, instancesOf.get(groupKind(graph)) ?? [], options, reports);
  }
  if (others.length === 0) return { reports: reports.all, instances: nothing };
  const was = { input: before, graphs: old.graphs, kro: from };
  const is = { input: after, graphs: current.graphs, kro: options.kro };
  const defined = new Set([...old.pack.rgds, ...current.pack.rgds].map(({ object }) => definedKind(object)));
  const instances = known.filter(({ object }) => defined.has(groupKindOf(object)));
  return { reports: reports.all, instances: () => compareInstances(was, is, instances, options) };
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
  code: 'breaking-change' | 'compatible-change' | 'unchecked-change';
  instances: readonly { input: InputObject; fix: string | undefined }[];
  severity: Severity;
  /** How the instances that it breaks are introduced. */
  breaks?: string;
  /** What to do, besides the edits of instances. */
  hint?: string;
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
  { conservative, kro, exceptions = [] }: CompatOptions,
  reports: Collector,
): void {
  const renamed = graphs.get(groupKind(before)) ?? successorOf(before, graphs);
  const reportOne = (one: Change): void => reportChange(renamed ?? before, one, exceptions, reports);
  const breakAll = (rule: string, path: Path, what: string, fix?: string): void => {
    const broken = instances.map((input) => ({ input, fix }));
    reportOne({
      rule,
      at: [],
      path,
      what: `${what} (${rule})`,
      code: 'breaking-change',
      severity: 'error',
      instances: broken,
    });
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
  const refused = refusedBy(instances, before, after);
  const update = updateOf(before, after, conservative ? 'conservative' : kro);
  for (const change of update.changes) {
    const broken = refused.flatMap(({ input, paths }) => {
      const own = paths.filter((path) => change.narrows && areOnOneWay(change.path, path));
      const fixes = own.map((path) => fixOf(change, input.object, path, after.schema));
      const fix = fixes.includes(undefined) ? undefined : [...new Set(fixes)].join(', ');
      return own.length === 0 ? [] : [{ input, fix }];
    });
    const what = sentenceOf(change);
    reportOne({ ...verdictOf(change, what, update, broken.length > 0), instances: broken });
  }
  for (const { change, path, what, isCompared } of update.others) {
    const verdict = verdictOf({ change, path: [], narrows: false, isCompared }, what, update, false);
    reportOne({ ...verdict, path, instances: [] });
  }
}

/** What kro does with the update of an RGD that defines the same kind. */
export interface Update {
  checks: Checks;
  changes: readonly SchemaChange[];
  /** Changes of the CRD outside of its schema. */
  others: readonly DefinitionChange[];
  /** Whether the RGD has the annotation that lets breaking changes pass. */
  isAllowed: boolean;
  /** Whether kro finds a change of a default each time, without one. */
  isAlwaysWritten: boolean;
  /** Whether one of the changes is one that kro compares: otherwise it does not write the CRD. */
  isWritten: boolean;
}

/** Returns all changes of the CRD, and what kro makes of them (0.9.4: pkg/client/crd.go, Ensure). */
export function updateOf(before: Graph, after: Graph, checks: Checks): Update {
  const changes = compareSchemas(before.schema, after.schema, checks);
  const others = DEFINITION.filter(({ of }) => !equal(of(before), of(after)));
  const isAlwaysWritten = isAlwaysRewritten(after.schema);
  return {
    checks,
    changes,
    others,
    isAlwaysWritten,
    isAllowed: annotationOf(after.input.object, ALLOW_BREAKING_CHANGES) === 'true',
    isWritten: isAlwaysWritten || [...changes, ...others].some(({ isCompared }) => isCompared),
  };
}

const CHECKS_OF: Readonly<Record<Checks, string>> = {
  '0.9': 'kro 0.9 does not compare',
  '0.10': 'kro 0.10 compares only with the feature gate ConservativeCRDComparison',
  conservative: 'kro does not compare',
};

/** Returns what kro makes of one change of a schema. */
function verdictOf(
  change: SchemaChange,
  sentence: string,
  { checks, isAllowed, isWritten }: Update,
  breaksInstances: boolean,
): Omit<Change, 'instances'> {
  const about = { rule: change.change, at: change.path, path: [...SCHEMA, ...change.path] };
  if (change.isCompared) {
    const severity = !isBreaking(change) ? 'info' : isAllowed ? 'warning' : 'error';
    const allowed = severity === 'warning' ? `, which ${ALLOW_BREAKING_CHANGES} allows` : '';
    return { ...about, code: codeOf(severity), what: `${sentence}${allowed}`, severity };
  }
  if (change.change === 'description-changed')
    return { ...about, code: 'compatible-change', what: sentence, severity: 'info' };
  if (!isWritten) {
    const then = change.narrows ? ', and it is in force then without being refused' : '';
    return {
      ...about,
      code: 'unchecked-change',
      what: `${sentence}, which ${CHECKS_OF[checks]}: the CRD keeps its schema until another change is written${then}`,
      severity: 'warning',
      breaks: 'it breaks then',
      hint: 'to have it written, change something in the same update that kro compares, such as a description or a default',
    };
  }
  if (!change.narrows) return { ...about, code: 'compatible-change', what: sentence, severity: 'info' };
  return {
    ...about,
    code: 'unchecked-change',
    what: `${sentence}, which ${CHECKS_OF[checks]}: it is written in the same update, and not refused`,
    severity: breaksInstances && !isAllowed ? 'error' : 'warning',
  };
}

const codeOf = (severity: Severity): Change['code'] => (severity === 'info' ? 'compatible-change' : 'breaking-change');

/** A change of a part of the CRD outside of its schema. */
interface DefinitionChange {
  change: string;
  /** Its place in the RGD. */
  path: Path;
  what: string;
  isCompared: boolean;
}

/** Parts of a CRD outside of its schema that may change: kro writes all, and compares not all of them. */
const DEFINITION: readonly (DefinitionChange & { of: (graph: Graph) => Value })[] = [
  {
    change: 'printer-columns-changed',
    path: [...SCHEMA, 'additionalPrinterColumns'],
    what: 'other columns are printed (printer-columns-changed)',
    isCompared: true,
    of: ({ crd }) => getAt(crd, ['spec', 'versions', 0, 'additionalPrinterColumns']) ?? [],
  },
  {
    change: 'short-names-changed',
    path: [...SCHEMA, 'shortNames'],
    what: 'the kind has other short names (short-names-changed)',
    isCompared: true,
    of: ({ crd }) => getAt(crd, ['spec', 'names', 'shortNames']) ?? [],
  },
  {
    change: 'categories-changed',
    path: [...SCHEMA, 'categories'],
    what: 'the kind has other categories (categories-changed)',
    isCompared: true,
    of: ({ crd }) => getAt(crd, ['spec', 'names', 'categories']) ?? [],
  },
  {
    change: 'crd-metadata-changed',
    path: [...SCHEMA, 'metadata'],
    what: 'the CRD has other labels or annotations (crd-metadata-changed)',
    isCompared: false,
    of: ({ crd }) => [getAt(crd, ['metadata', 'labels']) ?? {}, getAt(crd, ['metadata', 'annotations']) ?? {}],
  },
];

/** Returns the RGD with the same name, which now defines another kind. */
const successorOf = (before: Graph, graphs: Graphs): Graph | undefined =>
  [...graphs.values()].find(({ name }) => name === before.name) ??
  [...graphs.values()].find(({ kind }) => kind === before.kind);

/** Reports a change; one that an exception accepts is a warning with its reason. */
function reportChange(
  graph: Graph,
  { rule, at, path, what, code, instances, severity, breaks = 'it breaks', hint: advice }: Change,
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
  const consequence = names.length === 0 ? '' : `; ${breaks} ${enumerated(names, 10)}`;
  const hint = phraseIf([fixesText(instances), advice].filter((one) => one !== undefined).join('; ') || undefined);
  reporterFor(graph.input, reports).report({
    code,
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
  ...DEFINITION.map(({ change }) => change),
  ...FIELD_CHANGES,
].sort();

/** Returns the error of the name of an accepted change; undefined for a known one and for `*`. */
export function faultInName(name: string): string | undefined {
  if (name === '*' || CHANGE_NAMES.includes(name)) return undefined;
  const hint = didYouMean(name, CHANGE_NAMES, 1);
  return `no change is called '${name}'${hint === undefined ? '' : `; ${hint}`}`;
}
