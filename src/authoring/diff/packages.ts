import {
  Collector,
  composeText,
  hasErrors,
  isError,
  joinReports,
  type Report,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { kindsOf } from '../../kubernetes/schema/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { compilePolicies, isPolicy, type Operation } from '../policies/index.ts';
import { type Reviewed, renderVersion, type Version } from '../review/index.ts';
import type { ObjectChange } from './changes.ts';
import { type Comparison, compareVersions } from './compare.ts';
import { titleOfReviewed } from './title.ts';
import { instanceWarnings } from './transitions.ts';

export interface DiffOptions extends RenderOptions {
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
  const denials = denialsBy(aroundOf(after, newer), { limits: options, namespace: options.namespace });
  const denied = comparison.changes.flatMap((change) => denials?.(change) ?? []);
  const instances = isBroken ? [] : instanceWarnings(old?.expansion, newer.expansion);
  const older = isBroken && !options.strict ? [...found.map(asWarning), BROKEN] : found;
  return {
    comparison: {
      ...comparison,
      warnings: [
        ...comparison.warnings,
        ...instances,
        ...denied.map((message) => ({ kind: 'denied' as const, message })),
      ],
    },
    reports: joinReports([older, newer.reports], 'versions'),
  };
}

/** Returns what the newer version has for policies: its own objects, and those beside it. */
const aroundOf = (
  { policies = [], definitions = [], observed = [] }: RenderInput,
  { objects, entries }: Version,
): InputObject[] => [
  ...objectsIn([...policies, ...definitions, ...observed]),
  ...entries.map(({ input }) => input),
  ...objects.map(({ object }) => ({ object })),
];

const BROKEN: Report = {
  code: 'older-version-broken',
  message: composeText`the older version cannot be rendered, so all objects of the newer version are shown as added`,
  path: [],
  severity: 'warning',
};

const asWarning = (report: Report): Report => (isError(report) ? { ...report, severity: 'warning' } : report);

/**
 * Returns a function that returns what admission policies say of a change, one text for each denial: an added object is
 * created, a changed one updated, a removed one deleted. `around` has the policies, their parameters and namespaces.
 */
export function denialsBy(
  around: readonly InputObject[],
  { limits, namespace }: { limits: Limits; namespace: string },
): ((change: Pick<ObjectChange, 'change' | 'before' | 'after'>) => Text[]) | undefined {
  const policies = around.filter(isPolicy);
  if (policies.length === 0) return undefined;
  const crds = around.filter(({ object }) => roleOf(object) === 'crd');
  const { decide } = compilePolicies(
    {
      policies,
      known: around,
      complete: [],
      crds: crds.map(({ object }) => object),
      kinds: kindsOf(crds, undefined, new Collector()),
      limits,
      namespace,
    },
    around.length,
    new Collector(),
  );
  const textsOf = (
    one: Reviewed,
    others: readonly Reviewed[],
    operation: Operation,
    verb: 'the creation' | 'the deletion' | 'the update',
  ): Text[] =>
    decide(operation).flatMap((decision) => {
      if (!('denial' in decision) || decision.action === 'Audit') return [];
      const isHidden = decision.usesSecret || [one, ...others].some(({ secrecy }) => isSecret(secrecy));
      const { message, plain } = decision.denial;
      const words = decision.action === 'Deny' ? 'is denied by' : 'gets a warning of';
      const title = titleOfReviewed(one);
      return [
        composeText`${title}: ${verb} ${words} the policy '${trusted.definition(decision.policy.name)}': ${trusted.redacted(isHidden ? plain : message)}`,
      ];
    });
  const objectOf = (one: Reviewed | undefined): KubeObject | undefined => one?.object;
  return ({ change, before, after }) => {
    const [object, oldObject] = [objectOf(after), objectOf(before)];
    if (change === 'changed' && object && oldObject && before && after)
      return textsOf(after, [before], { object, oldObject }, 'the update');
    return [
      ...(before && oldObject ? textsOf(before, [], { oldObject }, 'the deletion') : []),
      ...(after && object ? textsOf(after, [], { object }, 'the creation') : []),
    ];
  };
}
