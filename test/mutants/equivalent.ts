import { readFileSync } from 'node:fs';
import type { Mutant } from './mutators.ts';

/** A mutant that no test can see. A second reader agrees with the reason before it is listed. */
export interface Equivalent {
  file: string;
  /** The line of the source, without the spaces around it. */
  text: string;
  before: string;
  after: string;
  reason: string;
}

const PATH = 'test/mutants/equivalent.json';

export const equivalents: readonly Equivalent[] = JSON.parse(readFileSync(PATH, 'utf8')) as Equivalent[];

const lines = new Map<string, readonly string[]>();

/** Returns the line of a mutant, without the spaces around it. */
export function lineOf({ file, line }: Pick<Mutant, 'file' | 'line'>): string {
  const known = lines.get(file) ?? readFileSync(file, 'utf8').split('\n');
  lines.set(file, known);
  return known[line - 1]?.trim() ?? '';
}

/** Returns the entry of a mutant that is listed. */
export function equivalentOf(mutant: Mutant): Equivalent | undefined {
  return equivalents.find(
    (one) =>
      one.file === mutant.file &&
      one.before === mutant.before &&
      one.after === mutant.after &&
      one.text === lineOf(mutant),
  );
}
