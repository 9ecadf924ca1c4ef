import type { Mutant } from './mutators.ts';
import { rowOf } from './sample.ts';

export interface Outcome {
  mutant: Mutant;
  fate: 'killed' | 'survived' | 'equivalent';
  /** How many test files run the code that changes. */
  files: number;
}

/** What is left in percent, with one digit. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)} %`;

/** Returns the rows of the report: each folder, and all of them. */
export function rowsOf(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  const folders = [...new Set(outcomes.map(({ mutant }) => rowOf(mutant.file)))].sort();
  const row = (name: string, some: readonly Outcome[]): readonly string[] => {
    const count = (wanted: Outcome['fate']): number => some.filter(({ fate }) => fate === wanted).length;
    const counted = some.length - count('equivalent');
    return [
      name,
      String(some.length),
      String(count('equivalent')),
      String(count('killed')),
      String(count('survived')),
      percent(count('survived'), counted),
    ];
  };
  return [
    ['folder', 'mutants', 'equivalent', 'killed', 'survived', 'rate'],
    ...folders.map((name) =>
      row(
        name,
        outcomes.filter(({ mutant }) => rowOf(mutant.file) === name),
      ),
    ),
    row('all', outcomes),
  ];
}

/** Returns a survivor in one line. */
export function survivorText({ mutant, files }: Outcome): string {
  const { file, line, mutator, before, after } = mutant;
  const short = (text: string): string => {
    const one = text.replace(/\s+/g, ' ');
    return one.length > 90 ? `${one.slice(0, 87)}...` : one;
  };
  const seen = files === 0 ? 'no test runs it' : `${files} test files run it`;
  return `SURVIVED ${file}:${line} ${mutator} (${seen}): ${short(before)} -> ${short(after) || '(nothing)'}`;
}
