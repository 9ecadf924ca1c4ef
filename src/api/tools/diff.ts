import { type Diagnostic, hasErrors } from '../../diagnostics/index.ts';
import {
  type ChangeWarning,
  type Comparison,
  comparisonMarkdown,
  comparisonText,
  diffPackages,
  type ObjectChange,
  type Reviewed,
  toldOnce,
} from '../../diff/index.ts';
import { toDiagnostics } from '../../locate/index.ts';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../model/object.ts';
import { formatPath } from '../../model/path.ts';
import type { Value, ValueMap } from '../../model/value.ts';
import { fromPlain, toPlain } from '../plain.ts';
import type { JsonValue, RenderOptions } from '../types.ts';
import { readVersions, type VersionsInput } from './read.ts';

/** One version of an object that differs. */
export interface DiffSide {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** '' for none. Neither it nor `name` is there when they may be values of a Secret: then `hidden` is true. */
  readonly namespace?: string;
  readonly name?: string;
  readonly hidden?: boolean;
  /** Which node of which instance renders it: `Kind/name`, its namespace, the id. Not there for plain objects. */
  readonly instance?: string;
  readonly instanceNamespace?: string;
  readonly node?: string;
  /** The object; texts stand in the place of values of Secrets, which tell only whether they differ. */
  readonly object: JsonValue;
}

/** An object that differs. */
export interface ObjectDiff {
  /** `replaced`: its node renders another identity now, so that one object is deleted and the other created. */
  readonly change: 'added' | 'removed' | 'changed' | 'replaced';
  /** Not there for what is added. */
  readonly before?: DiffSide;
  /** Not there for what is removed. */
  readonly after?: DiffSide;
  /** The deepest fields that differ, for `changed` and `replaced`; a field without `before` is new, without `after` gone. */
  readonly fields: readonly { readonly path: string; readonly before?: JsonValue; readonly after?: JsonValue }[];
}

export interface DiffResult {
  /** Sorted by namespace, kind and name; empty when there is an error among the diagnostics. */
  readonly changes: readonly ObjectDiff[];
  /** What to look at before the change is applied. */
  readonly warnings: readonly ChangeWarning[];
  readonly counts: Readonly<Record<ObjectChange['change'] | 'unchanged', number>>;
  /** Those of both versions; a warning that both have stands there once. */
  readonly diagnostics: Diagnostic[];
}

const NO_CHANGE: Comparison = {
  changes: [],
  warnings: [],
  counts: { added: 0, removed: 0, changed: 0, replaced: 0, unchanged: 0 },
};

/**
 * Renders two versions of a package, and tells how the objects differ. They are the same object when group, kind,
 * namespace and name are.
 * @throws TypeError as `render` does
 */
export function diff(input: VersionsInput, options: RenderOptions = {}): DiffResult {
  const { before, after, options: checked, reports } = readVersions(input, options);
  const compared = reports.hasErrors ? { comparison: NO_CHANGE, reports: [] } : diffPackages(before, after, checked);
  const all = toldOnce([...reports, ...compared.reports]);
  return { ...diffValue(hasErrors(all) ? NO_CHANGE : compared.comparison), diagnostics: toDiagnostics(all) };
}

/** A comparison as plain values. */
export const diffValue = ({ changes, warnings, counts }: Comparison): Omit<DiffResult, 'diagnostics'> => ({
  changes: changes.map(plainChange),
  warnings,
  counts,
});

function plainChange({ change, before, after, shown, fields }: ObjectChange): ObjectDiff {
  return {
    change,
    ...(before !== undefined && { before: sideOf(before, shown.before) }),
    ...(after !== undefined && { after: sideOf(after, shown.after) }),
    fields: fields.map((one) => ({
      path: formatPath(one.path),
      ...(one.before !== undefined && { before: toPlain(one.before) }),
      ...(one.after !== undefined && { after: toPlain(one.after) }),
    })),
  };
}

function sideOf({ object, nameless, place }: Reviewed, shown: Value | undefined): DiffSide {
  const named = nameless ? { hidden: true } : { namespace: namespaceOf(object), name: nameOf(object) };
  const made = place && { instance: place.instance, instanceNamespace: place.namespace, node: place.node };
  return { ...groupVersionKind(object), ...named, ...made, object: toPlain(shown ?? null) };
}

/**
 * What `diff` told, as `render-rgd diff` prints it: `text` for people, `markdown` for a comment of a pull request, which
 * is below 60,000 characters.
 * @throws TypeError for another format
 */
export function formatDiff(
  { changes, warnings, counts }: Pick<DiffResult, 'changes' | 'warnings' | 'counts'>,
  format: 'text' | 'markdown' = 'text',
): string {
  if (format !== 'text' && format !== 'markdown') throw new TypeError(`no format of diff: ${String(format)}`);
  const comparison: Comparison = { changes: changes.map(changeOf), warnings, counts };
  return format === 'text' ? comparisonText(comparison) : comparisonMarkdown(comparison);
}

/** A change as it is written; who made an object is known by what is told of it. */
function changeOf({ change, before, after }: ObjectDiff): ObjectChange {
  const shown = {
    ...(before !== undefined && { before: fromPlain(before.object) }),
    ...(after !== undefined && { after: fromPlain(after.object) }),
  };
  return {
    change,
    ...(before !== undefined && { before: reviewedOf(before) }),
    ...(after !== undefined && { after: reviewedOf(after) }),
    shown,
    fields: [],
  };
}

function reviewedOf(side: DiffSide): Reviewed {
  const { group, version, kind, namespace = '', name = '', hidden = false, instance, instanceNamespace, node } = side;
  const metadata: ValueMap = namespace === '' ? { name } : { name, namespace };
  const object: KubeObject = { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata };
  const place = instance && { instance, namespace: instanceNamespace ?? '', node: node ?? '', key: '' };
  return { object, secrecy: false, nameless: hidden, named: [], ...(place && { place }) };
}
