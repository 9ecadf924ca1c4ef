import {
  Collector,
  composeText,
  fullTitle,
  hiddenTitleOf,
  isError,
  isPending,
  phrase,
  type Report,
  reporterFor,
  shownTitleOf,
  type Text,
  told,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { Entry, Outcome } from '../../core/ledger/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupKindOf, type InputObject } from '../../core/model/object.ts';
import type { KroVersion, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { enumerated } from '../../core/text/clip.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { pendingEntry } from '../../render/evidence/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import {
  compareVersions,
  DANGER_CODES,
  fieldChanges,
  headline,
  instanceOfReviewed,
  type ObjectChange,
  warningsOf,
} from '../diff/index.ts';
import { MARKED, renderVersion } from '../review/index.ts';

/** One version of RGDs: what is rendered with it, and by which release of kro. */
interface InstanceVersion {
  input: RenderInput;
  graphs: Graphs;
  kro: KroVersion;
}

/** What a newer version does to instances, the outcome of each, and the values that nobody could compare. */
export interface InstanceChanges {
  reports: readonly Report[];
  given: readonly Entry[];
  pending: readonly Entry[];
}

type InstanceOptions = RenderOptions & { holdsData?: readonly string[] };

/**
 * Reports instances that a newer version of RGDs rejects, defaults that now apply, and how their objects change.
 * Dangers come first.
 */
export function compareInstances(
  before: InstanceVersion,
  after: InstanceVersion,
  instances: readonly InputObject[],
  options: InstanceOptions,
): InstanceChanges {
  const reports = new Collector();
  const admissions = instances.map((input) => ({ input, outcome: admissionOf(input, before, after, reports) }));
  const accepted = admissions.flatMap(({ input, outcome }) => (outcome === undefined ? [input] : []));
  const rejected = admissions.flatMap(({ input, outcome }) => (outcome === undefined ? [] : [entryOf(input, outcome)]));
  const { changes, found, given, pending } = changesOf(before, after, accepted, options);
  reports.addAll(found);
  const byTitle = new Map<string, InputObject>(accepted.map((input) => [shownTitleOf(input), input]));
  for (const change of changes) {
    const shownObject = change.before ?? change.after;
    const source = byTitle.get(shownObject?.place?.instance ?? '')?.source;
    const object = shownObject && instanceOfReviewed(shownObject);
    const about = { path: [], ...(object && { object }), ...(source && { source }) };
    for (const { kind, message } of warningsOf(change, options.holdsData ?? [])) {
      reports.add({ code: DANGER_CODES[kind], message, ...about, severity: 'warning' });
    }
    const severity = change.change === 'removed' || change.change === 'replaced' ? 'warning' : 'info';
    reports.add({ code: 'instance-change', message: sentenceOf(change), ...about, severity });
  }
  return { reports: [...reports].sort((a, b) => dangerOf(a) - dangerOf(b)), given: [...rejected, ...given], pending };
}

/**
 * Returns what becomes of an instance that a version does not accept; undefined if both do. Reports what the newer one
 * rejects, the defaults that it adds, and that an instance is not compared because of the older one.
 */
function admissionOf(
  input: InputObject,
  before: InstanceVersion,
  after: InstanceVersion,
  reports: Collector,
): Outcome | undefined {
  const kind = groupKindOf(input.object);
  const [old, newer] = [before.graphs.get(kind), after.graphs.get(kind)];
  // The RGD has an error of its own, or the version has none.
  if (old === undefined || newer === undefined) return { is: 'unseen', why: 'not-reached' };
  const [was, is] = [old, newer].map(({ admission }) => admission.admit(input.object)) as [Admitted, Admitted];
  const [cause] = was.problems;
  if (cause !== undefined) {
    const message = phrase`its objects are not compared, because the older version rejects it: ${{ reason: cause.message }}`;
    reporterFor(input, reports).report({ code: 'instance-change', message, path: cause.path, severity: 'warning' });
    return { is: 'unseen', why: 'not-reached' };
  }
  const own = new Collector();
  const reporter = reporterFor(input, own);
  for (const problem of is.problems) {
    const message = phrase`the newer version rejects the instance: ${{ reason: problem.message }}`;
    reporter.report({ code: 'instance-change', message, path: problem.path });
  }
  for (const { path, after: value } of is.problems.length > 0 ? [] : fieldChanges(was.object, is.object, undefined)) {
    const message = phrase`the default of ${{ field: path }} applies: ${{ value: toJsonText(value ?? null) }}`;
    reporter.report({ code: 'instance-change', message, path: ['spec'], severity: 'info' });
  }
  // The title has the namespace, as those of its objects have.
  for (const one of own) reports.add({ ...one, object: fullTitle(input.object, hiddenTitleOf(input.secret)) });
  return is.problems.length === 0 ? undefined : { is: 'failed' };
}

/**
 * Renders instances by both versions and compares their objects. What is wrong with both versions does not come from the
 * change: such an instance is not compared, and that is said. A node that only the newer version leaves pending is
 * reported as pending, and not as an object that is removed.
 */
function changesOf(
  before: InstanceVersion,
  after: InstanceVersion,
  instances: readonly InputObject[],
  options: InstanceOptions,
): Omit<InstanceChanges, 'reports'> & { changes: readonly ObjectChange[]; found: readonly Report[] } {
  const [first, second] = [renderedBy(before, instances, options), renderedBy(after, instances, options)];
  const failing = new Set([...first.reports, ...second.reports].filter(isError).map(({ object }) => object));
  const reports = new Collector();
  const known = new Set(first.reports.map(keyOf));
  for (const report of second.reports) {
    if (report.code === 'node-skipped' || known.has(keyOf(report))) continue;
    if (isError(report) || isPending(report)) reports.add(report);
  }
  const isFailing = (input: InputObject): boolean => failing.has(shownTitleOf(input));
  for (const input of instances.filter(isFailing)) {
    const [cause] = first.reports.filter((one) => isError(one) && one.object === shownTitleOf(input));
    if (cause === undefined) continue;
    const message = composeText`its objects are not compared, because the older version cannot render it: ${cause.message}`;
    const { path, source } = cause;
    reports.add({ code: 'instance-change', message, path, severity: 'warning', object: cause.object, source });
  }
  const others = instances.filter((input) => !isFailing(input));
  const [old, newer] =
    failing.size === 0 ? [first, second] : [renderedBy(before, others, options), renderedBy(after, others, options)];
  const causes = [...old.reports, ...newer.reports].filter(isError);
  if (causes.length > 0) {
    // What is wrong is in no instance: nothing can be compared.
    for (const cause of causes) if (!known.has(keyOf(cause))) reports.add(cause);
    const [cause] = causes;
    if (cause !== undefined && [...reports].every((one) => !isError(one))) reports.add(notCompared(cause));
    const given = instances.map((input) => entryOf(input, { is: 'unseen', why: 'not-reached' }));
    return { changes: [], found: [...reports], given, pending: [] };
  }
  reports.addAll(pendingInBoth(old.reports, newer.reports));
  const values = newer.reports.filter((one) => isPending(one) && one.code !== 'pending-reader');
  const failedBefore = new Set(first.reports.filter(isError).map(({ object }) => object));
  const outcomeOf = (input: InputObject): Outcome => {
    if (!isFailing(input)) return { is: 'compared' };
    return failedBefore.has(shownTitleOf(input)) ? { is: 'unseen', why: 'not-reached' } : { is: 'failed' };
  };
  const given = instances.map((input) => entryOf(input, outcomeOf(input)));
  const pending = new Set(newer.reports.filter(isPending).map(placeOf));
  const { changes } = compareVersions(old.objects, newer.objects, options.holdsData);
  const isOfPending = ({ change, before: removed }: ObjectChange): boolean =>
    change === 'removed' && pending.has(`${removed?.place?.instance}\0${removed?.place?.node}`);
  return {
    changes: changes.filter((one) => !isOfPending(one)),
    found: [...reports],
    given,
    pending: values.map(pendingEntry),
  };
}

function entryOf(input: InputObject, outcome: Outcome): Entry {
  const title = shownTitleOf(input);
  const kind = trusted.definition(groupKindOf(input.object));
  return { unit: 'object', file: input.source?.file, title, kind, outcome };
}

/** Reports the nodes with values that both versions leave pending, once for all instances. */
function pendingInBoth(old: readonly Report[], newer: readonly Report[]): Report[] {
  const known = new Set(old.filter(isPending).map(placeOf));
  const both = newer.filter((report) => isPending(report) && report.node !== undefined && known.has(placeOf(report)));
  return [...groupBy(both, ({ node }) => node)].map(([node, reports]): Report => {
    const [first] = reports;
    const count = new Set(reports.map(({ object }) => object)).size;
    const of = count === 1 ? composeText`` : composeText` of ${count} instances`;
    const message = told`node ${{ node: trusted.definition(node ?? '') }}${of} is pending in both versions: it is compared as far as it is known`;
    const about = { path: [], ...(count === 1 && first?.object !== undefined && { object: first.object }) };
    return { code: 'instance-change', ...message, severity: 'info', ...about };
  });
}

function notCompared({ message, path, object, source }: Report): Report {
  const text = composeText`no objects are compared, because a version cannot be rendered: ${message}`;
  return { code: 'instance-change', message: text, path, severity: 'warning', ...(object && { object }), source };
}

/**
 * Renders only these instances of the kinds of a version: those of its own input may be other versions of them. RGDs with
 * an error, and instances of them, are left out.
 */
function renderedBy(
  { input, graphs, kro }: InstanceVersion,
  instances: readonly InputObject[],
  options: RenderOptions,
) {
  const own = objectsIn(input.objects);
  const definitions = objectsIn(input.definitions ?? []);
  const isBroken = ({ object }: InputObject): boolean => isRgd(object) && !graphs.has(definedKind(object));
  const broken = new Set([...own, ...definitions].filter(isBroken).map(({ object }) => definedKind(object)));
  const isLeft = (one: InputObject): boolean =>
    !isBroken(one) && !graphs.has(groupKindOf(one.object)) && !broken.has(groupKindOf(one.object));
  const all = {
    ...input,
    definitions: definitions.filter((one) => !isBroken(one)),
    objects: [...own.filter(isLeft), ...instances],
  };
  return renderVersion(all, { ...options, kro, comparesReleases: true, ...MARKED, all: false });
}

const keyOf = (report: Report): string => `${report.code}\0${placeOf(report)}`;
const placeOf = ({ object, node }: Report): string => `${object}\0${node}`;

type Admitted = ReturnType<Graph['admission']['admit']>;

/** `changed Deployment web/blog (Website web/blog, node server): spec.replicas, spec.paused` */
function sentenceOf(change: ObjectChange): Text {
  const fields = change.change === 'changed' ? change.fields.map(({ path }) => path) : [];
  return composeText`${headline(change)}${fields.length === 0 ? '' : composeText`: ${trusted.redacted(enumerated(fields, 5))}`}`;
}

export const isDanger = ({ code }: Report): boolean => code.startsWith('danger-');

function dangerOf(report: Report): number {
  if ((report.severity ?? 'error') === 'error') return 0;
  return isDanger(report) ? 1 : report.severity === 'warning' ? 2 : 3;
}

export function instanceTable(reports: readonly Report[]): string {
  const rows = reports.map((report) => [
    isDanger(report) ? 'danger' : (report.severity ?? 'error'),
    report.object ?? '',
    visibleOnOneLine(report.message),
  ]);
  const widths = [0, 1].map((at) => rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0));
  return rows.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('');
}
