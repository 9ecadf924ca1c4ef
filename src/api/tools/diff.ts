import {
  type ChangeWarning,
  type Comparison,
  comparisonMarkdown,
  comparisonText,
  diffPackages,
  type FieldChange,
  KIND_PATTERN,
  type ObjectChange,
  sideValue,
} from '../../authoring/diff/index.ts';
import type { Reviewed } from '../../authoring/review/index.ts';
import { type Diagnostic, hasErrors, joinReports, trusted } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { Value, ValueMap } from '../../core/model/value.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { formatIn, listIn, objectIn } from '../arguments.ts';
import { readVersions, type VersionsInput } from '../package.ts';
import { fromPlain, toPlain } from '../plain.ts';
import type { JsonValue, RenderOptions } from '../types.ts';

/** One version of a changed object. */
export interface DiffSide {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** '' for none. Absent, like `name`, if it may be a value of a Secret: then `hidden` is true. */
  readonly namespace?: string;
  readonly name?: string;
  readonly hidden?: boolean;
  /** The node and the instance that render it: `Kind/name`, its namespace, the id. Absent for plain objects. */
  readonly instance?: string;
  readonly instanceNamespace?: string;
  readonly node?: string;
  /** The object; values of Secrets are replaced by texts that only show whether they differ. */
  readonly object: JsonValue;
}

/** A changed field; without `before` it is added, without `after` it is removed. */
export interface FieldDiff {
  /**
   * The path, with items of lists by their merge keys, or else by their index:
   * `spec.containers[web].env[DB_URL].value`.
   */
  readonly path: string;
  /** The items are the same in another order; `before` and `after` contain their keys. */
  readonly order?: true;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** A changed object. */
export interface ObjectDiff {
  /** `replaced`: its node renders another identity, so that one object is deleted and the other created. */
  readonly change: 'added' | 'removed' | 'changed' | 'replaced';
  /** Absent for an added object. */
  readonly before?: DiffSide;
  /** Absent for a removed object. */
  readonly after?: DiffSide;
  /** The deepest fields that differ, for `changed` and `replaced`. */
  readonly fields: readonly FieldDiff[];
}

export interface DiffResult {
  /** Sorted by namespace, kind and name; empty if one of the diagnostics is an error. */
  readonly changes: readonly ObjectDiff[];
  /** Warnings to review before the change is applied. */
  readonly warnings: readonly ChangeWarning[];
  readonly counts: Readonly<Record<ObjectChange['change'] | 'unchanged', number>>;
  /** The diagnostics of both versions; a warning of both is listed once. */
  readonly diagnostics: Diagnostic[];
}

export interface DiffOptions extends RenderOptions {
  /**
   * Kinds whose objects lose data when they are deleted, besides the known ones: `Kind.group`, with `*` for any part.
   * @default []
   */
  readonly holdsData?: readonly string[] | undefined;
}

/** @throws TypeError for values that are not a list of kinds */
function kindsIn(given: readonly string[]): readonly string[] {
  const wrong = listIn(given, 'holdsData').find((one) => typeof one !== 'string' || !KIND_PATTERN.test(one));
  if (wrong !== undefined)
    throw new TypeError(`holdsData: ${String(wrong)} is not Kind.group, with * for any part of it`);
  return given;
}

const NO_CHANGE: Comparison = {
  changes: [],
  warnings: [],
  counts: { added: 0, removed: 0, changed: 0, replaced: 0, unchanged: 0 },
};

/**
 * Renders two versions of a package, and returns the differences of their objects. Objects are matched by group, kind,
 * namespace and name.
 * @throws TypeError as `render` does
 */
export function diff(input: VersionsInput, given: DiffOptions = {}): DiffResult {
  const { holdsData = [], ...options } = objectIn(given, 'options');
  const kinds = kindsIn(holdsData);
  const { before, after, options: checked, reports } = readVersions(input, options);
  const compared = reports.hasErrors
    ? { comparison: NO_CHANGE, reports: [] }
    : diffPackages(before, after, { ...checked, holdsData: kinds });
  const all = joinReports([reports.all, compared.reports], 'versions');
  return { ...diffValue(hasErrors(all) ? NO_CHANGE : compared.comparison), diagnostics: toDiagnostics(all) };
}

/** Returns a comparison as plain values. */
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
    fields: toPlain(fields) as unknown as FieldDiff[],
  };
}

const sideOf = (one: Reviewed, shown: Value | undefined): DiffSide =>
  toPlain({ ...sideValue(one), object: shown ?? null }) as unknown as DiffSide;

/**
 * Formats the result of `diff` as `render-rgd diff` prints it: as `text`, or as `markdown` for a comment of a pull
 * request, which is below 60,000 characters.
 * @throws TypeError for another format
 */
export function formatDiff(
  result: Pick<DiffResult, 'changes' | 'warnings' | 'counts'>,
  format: 'text' | 'markdown' = 'text',
): string {
  const { changes, warnings, counts } = objectIn(result, 'the result', 'changes, warnings and counts');
  listIn(changes, 'changes');
  listIn(warnings, 'warnings');
  objectIn(counts, 'counts');
  const formatted = formatIn(FORMATS, format, 'diff');
  return formatted({ changes: changes.map(changeOf), warnings, counts });
}

const FORMATS = { text: comparisonText, markdown: comparisonMarkdown };

/** Returns the printed form of a change; the origin of an object is known by its description. */
function changeOf({ change, before, after, fields }: ObjectDiff): ObjectChange {
  const shown = {
    ...(before !== undefined && { before: fromPlain(before.object) }),
    ...(after !== undefined && { after: fromPlain(after.object) }),
  };
  return {
    change,
    ...(before !== undefined && { before: reviewedOf(before) }),
    ...(after !== undefined && { after: reviewedOf(after) }),
    shown,
    fields: fromPlain(fields as unknown as JsonValue) as unknown as FieldChange[],
  };
}

function reviewedOf(side: DiffSide): Reviewed {
  const { group, version, kind, namespace = '', name = '', hidden = false, instance, instanceNamespace, node } = side;
  const metadata: ValueMap = namespace === '' ? { name } : { name, namespace };
  const object: KubeObject = { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata };
  const place = instance && {
    instance: trusted.redacted(instance),
    namespace: trusted.redacted(instanceNamespace ?? ''),
    node: trusted.definition(node ?? ''),
    key: '',
  };
  return { object, secrecy: false, nameless: hidden, named: [], ...(place && { place }) };
}
