import { structuredPatch } from 'diff';
import type { KubeObject } from '../../core/model/object.ts';
import type { Value } from '../../core/model/value.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import type { FieldChange, ObjectChange } from './changes.ts';
import { lastKey } from './items.ts';

/** Unchanged lines around a changed line of a text. */
const CONTEXT = 3;
/** A text with more changed lines than this is printed as a whole. */
const MOST_EDITS = 2000;

/** A changed field: its path, and lines prefixed with ' ', '-' or '+'. */
export interface Hunk {
  /** '' for a whole object. */
  title: string;
  lines: readonly string[];
}

/** Returns the changes of an object: field by field, or all of it if it is added or removed. */
export function hunksOf({ shown, fields, change }: ObjectChange): Hunk[] {
  if (change === 'added') return [hunkOfObject('+', shown.after)];
  if (change === 'removed') return [hunkOfObject('-', shown.before)];
  return fields.flatMap(hunksOfField);
}

const hunkOfObject = (sign: string, object: Value | undefined): Hunk => ({
  title: '',
  lines: object === undefined ? [] : prefixed(sign, toYaml([object as KubeObject])),
});

function hunksOfField(field: FieldChange): Hunk[] {
  const { path, before, after, order } = field;
  if (order) {
    const line = (sign: string, keys: Value | undefined): string =>
      `${sign}${Array.isArray(keys) ? keys.join(', ') : ''}`;
    return [{ title: `${path}, order`, lines: [line('-', before), line('+', after)] }];
  }
  if (typeof before === 'string' && typeof after === 'string' && (isLong(before) || isLong(after))) {
    return hunksOfText(path, before, after);
  }
  return [{ title: path, lines: [...prefixed('-', textOf(path, before)), ...prefixed('+', textOf(path, after))] }];
}

const isLong = (text: string): boolean => text.includes('\n');

/** Returns the changed lines of a text, including a missing final newline. */
function hunksOfText(path: string, before: string, after: string): Hunk[] {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', before, after, '', '', options);
  if (patch === undefined) {
    return [{ title: path, lines: [...prefixed('-', `${before}\n`), ...prefixed('+', `${after}\n`)] }];
  }
  const endAlike = before.endsWith('\n') === after.endsWith('\n');
  return patch.hunks.map(({ newStart, lines }) => ({
    title: `${path}, line ${newStart}`,
    lines: endAlike ? lines.filter((line) => !line.startsWith('\\')) : lines,
  }));
}

function textOf(path: string, value: Value | undefined): string {
  if (value === undefined) return '';
  const key = lastKey(path);
  const shown: Value = key === undefined ? value : { [key]: value };
  return typeof shown === 'object' && shown !== null && !Array.isArray(shown)
    ? toYaml([shown as unknown as KubeObject])
    : toYaml([{ value: shown } as unknown as KubeObject]).replace(/^value:[ \n]?/, '');
}

const prefixed = (sign: string, text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
