import { structuredPatch } from 'diff';
import { toYaml } from '../emit/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { ObjectChange } from './changes.ts';

/** Lines around a change that are shown with it. */
const CONTEXT = 3;
/** A version with more changed lines than this is shown as a whole. */
const MOST_EDITS = 2000;

/** One run of lines, each with ' ', '-' or '+' before it. */
export type Hunk = readonly string[];

/** The lines of the YAML of an object that differ. */
export function hunksOf({ shown }: ObjectChange): Hunk[] {
  const before = textOf(shown.before);
  const after = textOf(shown.after);
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = before === '' || after === '' ? undefined : structuredPatch('', '', before, after, '', '', options);
  if (patch === undefined) return [[...prefixed('-', before), ...prefixed('+', after)]];
  return patch.hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')));
}

const textOf = (value: ObjectChange['shown']['before']): string =>
  value === undefined ? '' : toYaml([value as KubeObject]);

const prefixed = (sign: string, text: string): string[] =>
  text === ''
    ? []
    : text
        .slice(0, -1)
        .split('\n')
        .map((line) => sign + line);
