import type { Value } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { SchemaChange } from './changes.ts';

/** Describes a change without its field: `the minimum rose from 1 to 3 (minimum-increased)`. */
export function sentenceOf(change: SchemaChange): string {
  return `${whatChanged(change)} (${change.change})`;
}

const FIXED: Readonly<Record<string, string>> = {
  'description-changed': 'the description changed',
  'property-removed': 'the field was removed',
  'property-added': 'the field was added',
  'required-property-added': 'a required field without a default was added',
  'required-added': 'the field became required',
  'required-removed': 'the field is no longer required',
  'enum-removed': 'any value is allowed now',
  'nullable-removed': 'null is no longer allowed',
  'unknown-fields-pruned': 'unknown fields are no longer kept',
};

const WORDS: Readonly<Record<string, string>> = {
  'min-length': 'minimum length',
  'max-length': 'maximum length',
  'min-items': 'minimum number of items',
  'max-items': 'maximum number of items',
};

function whatChanged({ change, before, after }: SchemaChange): string {
  const fixed = FIXED[change];
  if (fixed !== undefined) return fixed;
  const [was, is] = [shown(before), shown(after)];
  if (change === 'required-default-removed') return `the required field lost its default ${was}`;
  if (change === 'enum-added') return `only these values are allowed now: ${is}`;
  if (change === 'enum-restricted') return `the value ${was} is no longer allowed`;
  if (change === 'enum-expanded') return `the value ${is} is allowed now`;
  const [, what = change, verb] = /^(.*)-(added|removed|increased|decreased|changed)$/.exec(change) ?? [];
  const name = what === 'rule' ? 'validation rule' : (WORDS[what] ?? what.replaceAll('-', ' '));
  if (verb === 'increased') return `the ${name} rose from ${was} to ${is}`;
  if (verb === 'decreased') return `the ${name} fell from ${was} to ${is}`;
  if (verb === 'added' || before === undefined) return `the ${name} ${is} was added`;
  if (verb === 'removed' || after === undefined) return `the ${name} ${was} was removed`;
  return `the ${name} changed from ${was} to ${is}`;
}

const shown = (value: Value | undefined): string =>
  value === undefined ? 'nothing' : clipped(typeof value === 'string' ? value : toJsonText(value), 100);
