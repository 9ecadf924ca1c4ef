import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(?:\/\*[^*]*\*\/\s*)?['"](\.{1,2}\/[^'"]+)['"]/g;

const imports = new Map<string, readonly string[]>();

/** Returns the modules of this repository that a file imports, types included: a test too many costs only time. */
function importsOf(file: string): readonly string[] {
  const known = imports.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const paths = [...text.matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path).replaceAll('\\', '/'));
  const found = paths.filter((path) => /\.(ts|mjs|js)$/.test(path) && existsSync(path));
  imports.set(file, found);
  return found;
}

/** Returns the files that a file loads, with how many imports each is away. */
function distancesFrom(file: string): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [next, distance] of distances)
    for (const imported of importsOf(next)) if (!distances.has(imported)) distances.set(imported, distance + 1);
  return distances;
}

/**
 * Returns the tests that load a source, for each of the sources: those that are the fewest imports away first, and the
 * smaller one of two that are equally far.
 */
export function testsByDistance(
  sources: readonly string[],
  tests: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const loaded = tests.map((test) => ({ test, size: statSync(test).size, distances: distancesFrom(test) }));
  return new Map(
    sources.map((source) => {
      const near = loaded.flatMap(({ test, size, distances }) => {
        const distance = distances.get(source);
        return distance === undefined ? [] : [{ test, size, distance }];
      });
      near.sort((one, other) => one.distance - other.distance || one.size - other.size);
      return [source, near.map(({ test }) => test)] as const;
    }),
  );
}
