import { composeText, hasErrors, isError, joinReports, type Report } from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { renderVersion, type Version } from '../review/index.ts';
import { type Comparison, compareVersions } from './compare.ts';
import { denialsBy } from './denials.ts';
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
