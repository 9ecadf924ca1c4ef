import { readDocuments } from '../../check/documents/index.ts';
import type { UserOptions } from '../../check/policies/index.ts';
import { withFiles } from '../../check/validate/index.ts';
import {
  composeText,
  counted,
  fullTitle,
  hasErrors,
  isError,
  joinReports,
  type Report,
  shownTitleOf,
  type Text,
  told,
  trusted,
} from '../../core/diagnostics/index.ts';
import { type Counted, type Entry, type Evidence, Ledger, NO_EVIDENCE, type Outcome } from '../../core/ledger/index.ts';
import { type Document, groupKindOf, type InputObject, isKubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { enumerated } from '../../core/text/clip.ts';
import { isForCluster } from '../../kubernetes/select/index.ts';
import { pendingEntry } from '../../render/evidence/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type ComparedVersion, renderCompared, type Unit, unitKey } from '../review/index.ts';
import { type Comparison, compareVersions, gapsIn } from './compare.ts';
import { denialsBy } from './denials.ts';
import { instanceWarnings } from './warnings.ts';

export interface DiffOptions extends RenderOptions, UserOptions {
  all: boolean;
  /** Further kinds that lose data when their objects are deleted, as `Kind.group`. */
  holdsData?: readonly string[];
}

/** The differences of two versions, and what was looked at for them. */
interface PackageComparison {
  comparison: Comparison;
  evidence: Evidence;
  reports: readonly Report[];
}

/** What a comparison knows besides the two versions. */
export interface DiffContext {
  /** What was reported when the older version was read. */
  ofBefore?: readonly Report[];
  /** The outcomes of the files of the newer version, and of those of the older one that nobody read. */
  files?: readonly Entry[];
  /** What was reported when the newer version was read; the caller prints it. */
  reports?: readonly Report[];
  /** Returns the key of a file, which is the same in both versions; by default its name. */
  names?: Names;
}

interface Names {
  before: (file: string) => string;
  after: (file: string) => string;
}

const SAME_NAMES: Names = { before: (file) => file, after: (file) => file };

/**
 * Renders two versions of a package, and compares them. What has an error in the newer version is not compared, and the
 * rest is. What has one only in the older version is added, with a warning; with `strict` it is an error. Pure.
 */
export function diffPackages(
  before: RenderInput,
  after: RenderInput,
  options: DiffOptions,
  { ofBefore = [], files = [], reports = [], names = SAME_NAMES }: DiffContext = {},
  frontEnds = FRONT_ENDS,
): PackageComparison {
  const render = (input: RenderInput): ComparedVersion => renderCompared(input, options, undefined, frontEnds);
  const old = render(before);
  const newer = render(after);
  const unparsed = reports.flatMap((one) => (isError(one) && one.source ? [one.source.file] : []));
  const unread = files.flatMap(({ file, outcome }) => (outcome.is === 'failed' && file ? [file] : []));
  const failedFiles = new Set([...unparsed, ...unread].map(names.after));
  const isUnknown = unknownTest(newer, failedFiles, names);
  const units = old.units.filter((one) => !isUnknown(one.input));
  const pending = pendingTest(old, newer);
  const objectsOf = (all: readonly Unit[], isIn: (one: Reviewed) => boolean): Reviewed[] =>
    all.flatMap(({ objects }) => objects).filter((one) => !isIn(one));
  const objects = objectsOf(newer.units, pending.inOlder);
  const comparison = compareVersions(objectsOf(units, pending.inNewer), objects, options.holdsData);
  const denials = denialsBy(aroundOf(after, newer, objects), completeOf(after), options);
  const denied = comparison.changes.flatMap((change) => denials?.of(change) ?? []);
  const found = [...ofBefore, ...old.reports];
  const isBroken = hasErrors(found);
  const instances = isBroken ? [] : instanceWarnings(old.version.expansion, newer.version.expansion);
  const rendered = new Set(newer.units.map(({ input }) => unitKey(input)));
  const broken = old.failed.filter((input) => rendered.has(unitKey(input)));
  const failing = new Set(newer.failed.map(unitKey));
  // What fails in both versions has its errors in the newer one.
  const isBoth = old.failed.length > 0 && old.failed.every((input) => failing.has(unitKey(input)));
  const isAdded = !isBoth || hasErrors(ofBefore);
  const lowered = isAdded ? [...found.map(asWarning), brokenReport(broken)] : found.map(asWarning);
  const older = isBroken && !options.strict ? lowered : found;
  const refusals = denied.map(
    ({ title, says }) => ({ kind: 'denied', message: composeText`${title}: ${says}` }) as const,
  );
  const failedDocuments = withFiles(NO_EVIDENCE, { met: files, templates: after.templates ?? [], reports });
  const compared = comparedEvidence(units, newer, options);
  const documents = [...unreadDocuments(after, before, names), ...failedDocuments.documents];
  const evidence: Evidence = {
    ...compared,
    files: failedDocuments.files,
    documents,
    policies: lenient(denials?.decisions() ?? NO_EVIDENCE.policies),
  };
  const unseen = evidence.given.filter(({ outcome }) => outcome.is === 'unseen').map(({ title }) => title);
  const refused = options.strict && unseen.length > 0 ? [notCompared(unseen)] : [];
  const warnings = [...comparison.warnings, ...instances, ...refusals];
  return {
    comparison: { ...comparison, warnings, gaps: gapsIn(evidence) },
    evidence,
    reports: joinReports([older, [...newer.reports, ...(denials?.reports() ?? []), ...refused]], 'versions'),
  };
}

/**
 * Returns a test for objects of the older version of which nobody knows what the newer version renders: they have an
 * error there, or their file cannot be read. If a file cannot be read, its definitions are unknown too.
 */
function unknownTest(
  { failed, units }: ComparedVersion,
  failedFiles: ReadonlySet<string>,
  names: Names,
): (input: InputObject) => boolean {
  const failing = new Set(failed.map(unitKey));
  const unrendered = new Set(
    failedFiles.size === 0 ? [] : units.flatMap((one) => (isRendered(one) ? [] : unitKey(one.input))),
  );
  return (input) => {
    const key = unitKey(input);
    const { file } = input.source ?? {};
    return failing.has(key) || unrendered.has(key) || (file !== undefined && failedFiles.has(names.before(file)));
  };
}

/** Tests for objects of nodes that only one version renders, because the other one leaves the whole node pending. */
interface PendingTests {
  inOlder: (one: Reviewed) => boolean;
  inNewer: (one: Reviewed) => boolean;
}

function pendingTest(old: ComparedVersion, newer: ComparedVersion): PendingTests {
  const testIn = ({ pending }: ComparedVersion): ((one: Reviewed) => boolean) => {
    const nodes = new Set(pending.map(({ object, namespace = '', node }) => JSON.stringify([object, namespace, node])));
    if (nodes.size === 0) return () => false;
    return ({ place }) =>
      place !== undefined && nodes.has(JSON.stringify([place.instance, place.namespace, place.node]));
  };
  const [inOlder, inNewer] = [testIn(old), testIn(newer)];
  // A node that both versions render, with the expressions of its pending values, is compared.
  const placesOf = ({ units }: ComparedVersion): Set<string | undefined> =>
    new Set(units.flatMap(({ objects }) => objects.map(({ place }) => place?.key)));
  const [older, later] = [placesOf(old), placesOf(newer)];
  return {
    inOlder: (one) => inOlder(one) && !older.has(one.place?.key),
    inNewer: (one) => inNewer(one) && !later.has(one.place?.key),
  };
}

/** Returns the outcome of each object of a package, and of each value that only a cluster has. */
function comparedEvidence(old: readonly Unit[], newer: ComparedVersion, { all }: { all: boolean }): Evidence {
  const ledger = new Ledger<string>();
  const record = (input: InputObject, outcome: Outcome): void => {
    const { object, secret, source } = input;
    if (ledger.has(unitKey(input))) return;
    ledger.record(unitKey(input), {
      unit: 'object',
      file: source?.file,
      title: fullTitle(object, secret === 'name'),
      kind: trusted.definition(groupKindOf(object)),
      outcome,
    });
  };
  const before = new Map(old.map((unit) => [unitKey(unit.input), unit]));
  const after = new Map(newer.units.map((unit) => [unitKey(unit.input), unit]));
  for (const input of newer.failed) record(input, { is: 'failed' });
  for (const unit of [...newer.units, ...old]) {
    const key = unitKey(unit.input);
    record(unit.input, outcomeOfUnit(unit, before.get(key), after.get(key), all));
  }
  const values = newer.pending.filter(({ code }) => code !== 'pending-reader').map(pendingEntry);
  return { ...NO_EVIDENCE, given: ledger.entries, rendered: { all: values.length, named: values } };
}

/** Returns the documents of either version that nobody can read, such as encrypted ones, and that differ. */
export function unreadDocuments(after: RenderInput, before: RenderInput, names: Names): Entry[] {
  const unseenIn = (documents: readonly Document[]): UnreadDocument[] =>
    documents.flatMap((document) => {
      const [entry] = isKubeObject(document.object) ? [] : readDocuments([document]).others;
      return entry?.outcome.is === 'unseen' ? [{ entry, document }] : [];
    });
  const newer = unseenIn(after.objects);
  const older = unseenIn(before.objects);
  const isIn = (
    { document }: UnreadDocument,
    key: string | undefined,
    others: readonly UnreadDocument[],
    keyOf: (file: string) => string,
  ): boolean =>
    others.some(
      (other) => keyOf(other.document.source?.file ?? '') === key && equal(other.document.object, document.object),
    );
  const fileOf = ({ document }: UnreadDocument): string => document.source?.file ?? '';
  return [
    ...newer.filter((one) => !isIn(one, names.after(fileOf(one)), older, names.before)),
    ...older.filter((one) => !isIn(one, names.before(fileOf(one)), newer, names.after)),
  ].map(({ entry }) => entry);
}

interface UnreadDocument {
  entry: Entry;
  document: Document;
}

/** Reports whether something is rendered from an object, or it is left to a controller. */
const isRendered = ({ input, objects }: Unit): boolean => objects.some(({ object }) => object !== input.object);

function outcomeOfUnit(unit: Unit, before: Unit | undefined, after: Unit | undefined, all: boolean): Outcome {
  if (unit.objects.length > 0 || isTaken(unit)) return { is: 'compared' };
  const { input } = unit;
  if (!isForCluster({ role: unit.role, input })) return { is: 'irrelevant', why: 'runner-file' };
  if (all) return { is: 'compared' };
  const isSame = before !== undefined && after !== undefined && equal(before.input.object, after.input.object);
  return isSame ? { is: 'unaffected' } : { is: 'unseen', why: 'not-rendered' };
}

/** Reports whether a front end reads the object, so that it shows in what is rendered. */
const isTaken = ({ role }: Unit): boolean => role === 'rgd' || role === 'instance';

/** A comparison shows denials as warnings. */
const lenient = ({ all, named }: Counted): Counted => ({
  all,
  named: named.filter(({ outcome }) => outcome.is !== 'failed'),
});

const notCompared = (titles: readonly Text[]): Report => ({
  code: 'not-compared',
  ...told`${counted(titles.length, 'changed object')} not compared, because nothing renders them: ${{ objects: enumerated(titles, 5) }}`,
  path: [],
  hint: composeText`--all compares them too`,
});

/** Returns what the newer version has for policies: its own objects, and those beside it. */
const aroundOf = (after: RenderInput, { units }: ComparedVersion, objects: readonly Reviewed[]): InputObject[] => [
  ...completeOf(after),
  ...objectsIn(after.definitions ?? []),
  ...units.map(({ input }) => input),
  ...objects.map(inputOfReviewed),
];

export const inputOfReviewed = ({ object, secrecy, nameless }: Reviewed): InputObject => ({
  object,
  ...(isSecret(secrecy) && { secret: nameless ? 'name' : 'values' }),
});

const completeOf = ({ policies = [], observed = [] }: RenderInput): InputObject[] =>
  objectsIn([...policies, ...observed]);

/** Says that what failed in the older version is shown as added. */
function brokenReport(failed: readonly InputObject[]): Report {
  const names =
    failed.length === 0 ? composeText`a part of the older version` : enumerated(failed.map(shownTitleOf), 5);
  return {
    code: 'older-version-broken',
    ...told`${{ objects: names }} cannot be rendered in the older version, so the objects of the newer version are shown as added`,
    path: [],
    severity: 'warning',
  };
}

const asWarning = (report: Report): Report => (isError(report) ? { ...report, severity: 'warning' } : report);
