import {
  Collector,
  composeText,
  hasErrors,
  isError,
  joinReports,
  phrase,
  type Report,
  shown,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { kindsOf } from '../../kubernetes/schema/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { compilePolicies, isPolicy, Undecided, type UserOptions, userOf } from '../policies/index.ts';
import { type Reviewed, renderVersion, type Version } from '../review/index.ts';
import { type ObjectChange, titleOfReviewed } from './changes.ts';
import { type Comparison, compareVersions } from './compare.ts';
import { instanceWarnings } from './transitions.ts';

export interface DiffOptions extends RenderOptions, UserOptions {
  all: boolean;
  /** Further kinds that lose data when their objects are deleted, as `Kind.group`. */
  holdsData?: readonly string[];
}

/**
 * Renders two versions of a package, and compares them. An older version that does not render is a warning, and all
 * objects of the newer one are added; with `strict` it is an error. `ofBefore` are the reports of reading the older
 * one. Pure. After an error the comparison is meaningless.
 */
export function diffPackages(
  before: RenderInput,
  after: RenderInput,
  options: DiffOptions,
  frontEnds = FRONT_ENDS,
  ofBefore: readonly Report[] = [],
): { comparison: Comparison; reports: readonly Report[] } {
  const render = (input: RenderInput): Version => renderVersion(input, options, undefined, frontEnds);
  const old = hasErrors(ofBefore) ? undefined : render(before);
  const newer = render(after);
  const found = [...ofBefore, ...(old?.reports ?? [])];
  const isBroken = hasErrors(found);
  const objects = isBroken || old === undefined ? [] : old.objects;
  const comparison = compareVersions(objects, newer.objects, options.holdsData);
  const denials = denialsBy(aroundOf(after, newer), completeOf(after), options);
  const denied = comparison.changes.flatMap((change) => denials?.of(change) ?? []);
  const instances = isBroken ? [] : instanceWarnings(old?.expansion, newer.expansion);
  const older = isBroken && !options.strict ? [...found.map(asWarning), BROKEN] : found;
  const refusals = denied.map((message) => ({ kind: 'denied', message }) as const);
  return {
    comparison: { ...comparison, warnings: [...comparison.warnings, ...instances, ...refusals] },
    reports: joinReports([older, [...newer.reports, ...(denials?.reports() ?? [])]], 'versions'),
  };
}

/** Returns what the newer version has for policies: its own objects, and those beside it. */
const aroundOf = (after: RenderInput, { objects, entries }: Version): InputObject[] => [
  ...completeOf(after),
  ...objectsIn(after.definitions ?? []),
  ...entries.map(({ input }) => input),
  ...objects.map(inputOfReviewed),
];

export const inputOfReviewed = ({ object, secrecy }: Reviewed): InputObject => ({
  object,
  ...(isSecret(secrecy) && { secret: 'values' }),
});

const completeOf = ({ policies = [], observed = [] }: RenderInput): InputObject[] =>
  objectsIn([...policies, ...observed]);

const BROKEN: Report = {
  code: 'older-version-broken',
  message: composeText`the older version cannot be rendered, so all objects of the newer version are shown as added`,
  path: [],
  severity: 'warning',
};

const asWarning = (report: Report): Report => (isError(report) ? { ...report, severity: 'warning' } : report);

/** What admission policies say of changes. */
export interface Denials {
  /**
   * Returns one text for each denial and warning: an added object is created, a changed one updated, a removed one
   * deleted.
   */
  of(change: Pick<ObjectChange, 'change' | 'before' | 'after'>): Text[];
  /** Returns what is wrong with the policies, and what they did not decide of the changes so far. */
  reports(): readonly Report[];
}

/**
 * `around` has the policies, and their parameters and namespaces; of the kinds of `complete` there are no others.
 * Returns `undefined` without policies.
 */
export function denialsBy(
  around: readonly InputObject[],
  complete: readonly InputObject[],
  options: Limits & UserOptions & { namespace: string },
): Denials | undefined {
  const policies = around.filter(isPolicy);
  if (policies.length === 0) return undefined;
  const crds = around.filter(({ object }) => roleOf(object) === 'crd');
  const reports = new Collector();
  const undecided = new Undecided();
  const { decide } = compilePolicies(
    {
      policies,
      known: around,
      complete,
      crds: crds.map(({ object }) => object),
      kinds: kindsOf(crds, undefined, new Collector()),
      user: userOf(options),
      limits: options,
      namespace: options.namespace,
    },
    around.length,
    reports,
  );
  const textsOf = (older: Reviewed | undefined, newer: Reviewed | undefined): Text[] => {
    const one = newer ?? older;
    if (one === undefined) return [];
    const verb = older === undefined ? 'creation' : newer === undefined ? 'deletion' : 'update';
    const title = titleOfReviewed(one);
    const operation = { ...(newer && { object: newer.object }), ...(older && { oldObject: older.object }) };
    const texts = decide(operation).flatMap((decision) => {
      if ('undecided' in decision) undecided.add(decision, phrase`${shown(title)}`, one.object);
      if ('undecided' in decision || decision.action === 'Audit') return [];
      const isHidden = decision.usesSecret || [older, newer].some((version) => version && isSecret(version.secrecy));
      const { message, plain } = decision.denial;
      const words = decision.action === 'Deny' ? 'is denied by' : 'gets a warning of';
      const policy = trusted.definition(decision.policy.name);
      return [
        composeText`${title}: the ${verb} ${words} the policy '${policy}': ${trusted.redacted(isHidden ? plain : message)}`,
      ];
    });
    // Several bindings of a policy deny alike.
    return [...new Set(texts)];
  };
  return {
    of: ({ change, before, after }) =>
      change === 'changed' ? textsOf(before, after) : [...textsOf(before, undefined), ...textsOf(undefined, after)],
    reports: () => {
      const all = new Collector();
      for (const report of reports.all) all.add(asWarning(report));
      undecided.report(all);
      return all.all;
    },
  };
}
