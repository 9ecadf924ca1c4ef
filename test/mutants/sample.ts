import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Mutant, mutantsOf } from './mutators.ts';

/** Returns every mutant of the sources of a folder, or of a file. */
export function mutantsIn(path: string): readonly Mutant[] {
  const files = path.endsWith('.ts') ? [path] : filesIn(path).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
}

/** Returns the files of a folder and the folders in it, sorted. */
export function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/')).sort();
}

/** Draws `count` of the items without repetition. The same seed draws the same ones. */
export function draw<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  const random = mulberry(seed);
  const left = [...items];
  const drawn: T[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}

/** A random generator with 32 bits of state, which is enough to draw a sample. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the tests of the folder that belongs to a source: `test/kro/expand` for `src/kro/expand/view.ts`. */
export function nearestTests(file: string, tests: readonly string[]): readonly string[] {
  let folder = dirname(file).replace(/^src/, 'test');
  while (!existsSync(folder)) folder = dirname(folder);
  return tests.filter((test) => test.startsWith(`${folder}/`));
}

/** Returns the row of the report that a source belongs to. */
export function rowOf(file: string): string {
  const [, top = '', next = ''] = file.split('/');
  return ['gitops', 'kubernetes'].includes(top) && !next.endsWith('.ts') ? `${top}/${next}` : top;
}
