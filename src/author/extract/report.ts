import { counted } from '../../core/diagnostics/index.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { conditionText } from './cel.ts';
import {
  type Condition,
  type Field,
  formatPlace,
  type Node,
  type Rows,
  sizeOf,
  visitPatterns,
  type WholeReason,
} from './model.ts';
import { ordered } from './schema.ts';

/** A field of the instances, for people. */
export interface FieldReport {
  readonly name: string;
  /** The type and the markers, in SimpleSchema, without the description. */
  readonly written: string;
  /** What the kind says about the value that it fills; '' if nothing is known. */
  readonly description: string;
  /** The number of different values. */
  readonly values: number;
  /** The fields of nodes that it fills. */
  readonly fills: readonly string[];
}

/** A condition by what it decides: a node, or a field of one. */
export interface ConditionReport {
  readonly decides: string;
  readonly by: string;
  /** The number of copies in which it holds; for one in a collection or a list, the number of items. */
  readonly holds: number;
  /** The number of values of what it decides. */
  readonly values: number;
}

/** A field of a node that is not generalised, and why. */
export interface WholeReport {
  readonly place: string;
  readonly why: WholeReason | 'kept';
}

/** What was found, and what it saves. */
export interface ExtractReport {
  readonly copies: number;
  readonly objects: number;
  readonly fields: readonly FieldReport[];
  readonly conditions: readonly ConditionReport[];
  readonly collections: number;
  /** The fields of nodes that are one value, although they have parts, and those that `keep` names. */
  readonly notGeneralised: readonly WholeReport[];
  /** The number of values that are equal in all copies. */
  readonly equal: number;
  readonly lines: { readonly before: number; readonly after: number };
  /** The comments of the copies that are in the RGD, and those of parts that became expressions. */
  readonly comments: { readonly kept: number; readonly dropped: number };
  /** The objects that are not part of an instance, and fields that are not compared, with their number. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly notCompared: Readonly<Record<string, number>>;
}

/** Returns the fields of the instances for a report. */
export function fieldReports(
  fields: ReadonlyMap<Rows, readonly Field[]>,
  root: Rows,
  lines: ReadonlyMap<Field, string>,
): FieldReport[] {
  return ordered(fields.get(root) ?? []).map((field) => ({
    name: field.name,
    written: lines.get(field) ?? '',
    description: field.description ?? '',
    values: new Set(field.cells.flatMap((cell) => (cell === undefined ? [] : [toJsonText(cell)]))).size,
    fills: [...new Set(field.uses.map(formatPlace))],
  }));
}

/** Returns the conditions of nodes and in them. */
export function conditionReports(nodes: readonly Node[]): ConditionReport[] {
  const found: ConditionReport[] = [];
  const add = (condition: Condition): void => {
    found.push({
      decides: formatPlace(condition.place),
      by: conditionText(condition),
      holds: condition.present.filter((one) => one === true).length,
      values: sizeOf(condition.part),
    });
  };
  for (const { condition, pattern } of nodes) {
    if (condition !== undefined) add(condition);
    visitPatterns(pattern, (_, inner) => {
      if (inner !== undefined) add(inner);
    });
  }
  return found;
}

/** Returns the fields of nodes that are not generalised: those whose parts are one value, and those that are kept. */
export function wholeReports(nodes: readonly Node[], keep: readonly string[]): WholeReport[] {
  const found: WholeReport[] = [];
  for (const { pattern: whole } of nodes) {
    visitPatterns(whole, (pattern, condition) => {
      if (condition !== undefined) return;
      if (pattern.type === 'hole' && pattern.whole !== undefined) {
        found.push({ place: formatPlace(pattern.place), why: pattern.whole });
      } else if (pattern.type === 'literal' && keep.includes(formatPlace(pattern.place))) {
        found.push({ place: formatPlace(pattern.place), why: 'kept' });
      }
    });
  }
  return found;
}

/** Counts the values that are equal in all copies. */
export function equalCount(nodes: readonly Node[]): number {
  let count = 0;
  for (const { pattern: whole } of nodes) {
    visitPatterns(whole, (pattern, condition) => {
      if (condition === undefined && pattern.type === 'literal') count += 1;
    });
  }
  return count;
}

const REASONS: Readonly<Record<WholeReport['why'], string>> = {
  types: 'its parts have values of different types',
  'optional-parts': 'many of its parts are absent in some copies',
  items: 'its items have no shape in common',
  lines: 'most of its lines differ',
  size: 'many of its parts differ',
  kept: 'it is to stay as it is',
};

const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function copiesText(copies: number, objects: number): string {
  const each = copies === 0 ? 0 : objects / copies;
  const of = Number.isInteger(each) ? `of ${counted(each, 'object')}` : `with ${counted(objects, 'object')}`;
  return `${copies === 1 ? '1 copy' : `${copies} copies`} ${of}`;
}

/** Returns two lines for each field: how it is written in the RGD, and what it fills. */
function fieldLines(fields: ExtractReport['fields']): string[] {
  const width = fields.reduce((widest, { name }) => Math.max(widest, name.length), 0);
  return fields.flatMap(({ name, written, values, fills }) => {
    const more = fills.length > 3 ? `, and ${fills.length - 3} more` : '';
    return [
      `  ${name.padEnd(width)}  ${written}`,
      `  ${''.padEnd(width)}  ${counted(values, 'value')}: ${fills.slice(0, 3).join(', ')}${more}`,
    ];
  });
}

/** Formats a report for people. */
export function extractText({
  copies,
  objects,
  fields,
  conditions,
  collections,
  notGeneralised,
  equal,
  lines,
  comments,
  leftOut,
  notCompared,
}: ExtractReport): string {
  const found = [
    counted(fields.length, 'field'),
    counted(conditions.length, 'condition'),
    counted(collections, 'collection'),
  ];
  const text = [
    `${copiesText(copies, objects)}: ${found.join(', ')}; every copy renders to its own objects again (${objects} of ${objects})`,
  ];
  if (fields.length > 0) text.push('', 'Fields:');
  for (const line of fieldLines(fields)) text.push(line);
  if (conditions.length > 0) text.push('', 'Conditions:');
  for (const { decides, by, holds } of conditions) text.push(`  ${decides}: ${by} (holds ${timesOf(holds)})`);
  if (notGeneralised.length > 0) text.push('', 'Not generalised:');
  for (const { place, why } of notGeneralised) text.push(`  ${place}: ${REASONS[why]}`);
  if (equal > 0) text.push('', `Equal in all copies, and so no fields: ${counted(equal, 'value')}`);
  if (comments.kept + comments.dropped > 0) {
    const dropped =
      comments.dropped === 0 ? '' : `; ${comments.dropped} of parts that became expressions are not there`;
    text.push('', `Comments of the copies in the RGD: ${comments.kept}${dropped}`);
  }
  const counts = (record: Readonly<Record<string, number>>): string =>
    Object.entries(record)
      .map(([what, count]) => `${what} (${count})`)
      .join(', ');
  if (Object.keys(leftOut).length > 0) text.push('', `Not part of an instance: ${counts(leftOut)}`);
  if (Object.keys(notCompared).length > 0)
    text.push('', `Not compared, because a server or render-rgd writes it: ${counts(notCompared)}`);
  const saved = Math.round((1 - lines.after / Math.max(1, lines.before)) * 100);
  const change = saved < 0 ? `${-saved} percent more` : `${saved} percent less`;
  text.push('', `Lines: ${lines.before} before, ${lines.after} after (${change})`);
  return visible(`${text.join('\n')}\n`);
}
