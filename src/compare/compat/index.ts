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
import { groupKind, groupKindOf, type InputObject, nameOf, titleOf } from '../../core/model/object.ts';
import type { KroVersion, RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { Path } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import { type CoverageCollector, createCollector } from '../../describe/coverage/index.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { type KroSession, kro, kroWith } from '../../kro/front-end.ts';
import { withFrontEnd } from '../../kubernetes/front-end/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { compilePackage } from '../../render/pipeline.ts';
import { withoutEarlier } from '../../render/rerender/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import { faultsOf } from './admitted.ts';
import { type Checks, FIELD_CHANGES, fixOf, isBreaking, type SchemaChange, sentenceOf } from './changes.ts';
import { judgeUpdates } from './gate.ts';
import { compareIdentity, IDENTITY_CHANGES } from './identity.ts';
import { compareInstances, type InstanceChanges } from './instances.ts';
import { DEFINITION_CHANGES, SCHEMA, type Update, updateOf } from './update.ts';
import type { Verdict } from './verdict.ts';

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
export { withReleaseFindings } from './release.ts';
export { compareRenderers, type PrintedDiagnostic, type PrintedRelease } from './renderer.ts';
export { excessOf } from './requirement.ts';
export { type Update, updateOf } from './update.ts';
export { compareSemantics } from './upgrade.ts';
export type { Verdict } from './verdict.ts';
export { compatJson, verdictMarkdown, verdictText } from './verdict-output.ts';

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
): { reports: readonly Report[]; instances: () => InstanceChanges; verdicts: () => Verdict[] } {
  const nothing = (): InstanceChanges => ({ reports: [], given: [], pending: [] });
  const reports = new Collector();
  const { from = options.kro } = options;
  // What is compiled here renders instances too, and counts what they cover.
  const ofOlder = createCollector();
  const ofNewer = createCollector();
  const compiled = (input: RenderInput, coverage: CoverageCollector, asked: RenderOptions) =>
    compilePackage(withoutEarlier(input), asked, withFrontEnd(kroWith(coverage.onExpression, true), FRONT_ENDS));
  const older = compiled(before, ofOlder, { ...options, kro: from, comparesReleases: true });
  const newer = compiled(after, ofNewer, options);
  reports.addAll(older.reports);
  if (from === options.kro) reports.addAll(newer.reports);
  const [old, current]: (KroSession | undefined)[] = [older.compiled?.of(kro), newer.compiled?.of(kro)];
  if (old === undefined || current === undefined)
    return { reports: reports.all, instances: nothing, verdicts: () => [] };
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
  const was = { input: before, graphs: old.graphs, kro: from, rgds: old.pack.rgds, coverage: ofOlder };
  const is = { input: after, graphs: current.graphs, kro: options.kro, rgds: current.pack.rgds, coverage: ofNewer };
  const checks = options.conservative ? 'conservative' : options.kro;
  const verdicts = (): Verdict[] =>
    judgeUpdates(was, is, known, { ...options, checks, isUnknown: options.isUnknown ?? (() => false) });
  if (others.length === 0) return { reports: reports.all, instances: nothing, verdicts };
  const defined = new Set([...old.pack.rgds, ...current.pack.rgds].map(({ object }) => definedKind(object)));
  const instances = known.filter(({ object }) => defined.has(groupKindOf(object)));
  return { reports: reports.all, instances: () => compareInstances(was, is, instances, options), verdicts };
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

function compareGraphs(
  before: Graph,
  graphs: Graphs,
  instances: readonly InputObject[],
  { conservative, kro, exceptions = [] }: CompatOptions,
  reports: Collector,
): void {
  const { renamed, after, changes } = compareIdentity(before, graphs);
  const reportOne = (one: Change): void => reportChange(renamed ?? before, one, exceptions, reports);
  for (const { rule, path, what, fix } of changes) {
    reportOne({
      rule,
      at: [],
      path,
      what: `${what} (${rule})`,
      code: 'breaking-change',
      severity: 'error',
      instances: instances.map((input) => ({ input, fix })),
    });
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
    if (faultsOf(before, input.object).length > 0) return [];
    const paths = faultsOf(after, input.object).map(({ path }) => path);
    return paths.length === 0 ? [] : [{ input, paths }];
  });
}

function areOnOneWay(schemaPath: Path, path: Path): boolean {
  const isAny = (step: string | number, actual: string | number | undefined): boolean =>
    (step === 'items' && typeof actual === 'number') || (step === 'values' && typeof actual === 'string');
  return schemaPath.every((step, index) => step === path[index] || isAny(step, path[index]));
}

/** The names of all changes for `--allow`: those of an RGD, and those of a field of its schema. */
export const CHANGE_NAMES: readonly string[] = [...IDENTITY_CHANGES, ...DEFINITION_CHANGES, ...FIELD_CHANGES].sort();

/** Returns the error of the name of an accepted change; undefined for a known one and for `*`. */
export function faultInName(name: string): string | undefined {
  if (name === '*' || CHANGE_NAMES.includes(name)) return undefined;
  const hint = didYouMean(name, CHANGE_NAMES, 1);
  return `no change is called '${name}'${hint === undefined ? '' : `; ${hint}`}`;
}
