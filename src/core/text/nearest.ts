/** The comparison of two names is quadratic; longer names are not typing errors of three letters. */
const MAX_LENGTH = 200;
const MAX_LIMIT = 3;
/** The maximum number of compared names, those of similar length, because there may be thousands of errors. */
const MAX_COMPARED = 200;

/**
 * Returns the candidates that `name` was probably intended to be, closest first, at most `max`. A candidate counts if
 * at most three letters, and at most a third of them, change: insert, delete, replace, swap two neighbours. Case is
 * ignored.
 */
export function nearest(name: string, candidates: Iterable<string>, max = 3): string[] {
  if (name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const found: { candidate: string; distance: number }[] = [];
  const seen = new Set<string>();
  let looked = 0;
  for (const candidate of candidates) {
    const limit = Math.min(MAX_LIMIT, Math.floor((Math.min(name.length, candidate.length) + 1) / 3));
    if (Math.abs(candidate.length - name.length) > limit || candidate === name || seen.has(candidate)) continue;
    looked += 1;
    if (looked > MAX_COMPARED) break;
    seen.add(candidate);
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, max).map(({ candidate }) => candidate);
}

const BOOLEANS: readonly (readonly [RegExp, string])[] = [
  [/^(y|yes|on)$/i, 'true'],
  [/^(n|no|off)$/i, 'false'],
];

/** Returns the hint for a name that YAML 1.1 reads as a boolean as an unquoted key. */
function booleanKeyHint(name: string, candidates: readonly string[]): string | undefined {
  const [, read] = BOOLEANS.find(([pattern]) => pattern.test(name)) ?? [];
  // CEL escapes a field whose name is a reserved word like this.
  if (read === undefined || !candidates.some((one) => one === read || one === `__${read}__`)) return undefined;
  return `YAML reads the key ${name} as a boolean, so it is called '${read}' there: put it in quotes where it is declared, "${name}"`;
}

export function didYouMean(name: string, given: Iterable<string>, max?: number): string | undefined {
  const candidates = [...given];
  const boolean = booleanKeyHint(name, candidates);
  if (boolean !== undefined) return boolean;
  const close = nearest(name, candidates, max);
  return close.length === 0 ? undefined : `did you mean ${close.map((intended) => `'${intended}'`).join(' or ')}?`;
}

/** Returns the optimal string alignment distance, or any value above `limit` if it is greater. */
function editDistance(a: string, b: string, limit: number): number {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  return distanceOf(a.slice(start, endA), b.slice(start, endB), limit);
}

/** Above any limit. */
const FAR = 1000;
/** Three rows of the table, reused by every call, of which there may be a million. */
const rows = [0, 1, 2].map(() => new Int16Array(MAX_LENGTH + 2 * MAX_LIMIT + 2)) as [
  Int16Array,
  Int16Array,
  Int16Array,
];

/** Computes only the columns within `limit` of the diagonal: all others are above it. */
function distanceOf(a: string, b: string, limit: number): number {
  const width = b.length;
  let [beforePrevious, previous, current] = rows;
  // Index 0 of a row is left of column 0, so column c has index c + 1.
  previous.fill(FAR, 0, limit + 3);
  for (let column = 0; column <= limit; column += 1) previous[column + 1] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const first = Math.max(0, row - limit);
    const last = Math.min(width, row + limit);
    current[first] = FAR;
    let smallest = FAR;
    for (let column = first; column <= last; column += 1) {
      let distance = (previous[column + 1] as number) + 1;
      if (column > 0) {
        const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
        const inserted = (current[column] as number) + 1;
        const replaced = (previous[column] as number) + (same ? 0 : 1);
        distance = Math.min(distance, inserted, replaced);
        const swapped =
          row > 1 &&
          column > 1 &&
          a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
          a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
        if (swapped) distance = Math.min(distance, (beforePrevious[column - 1] as number) + 1);
      }
      current[column + 1] = distance;
      smallest = Math.min(smallest, distance);
    }
    current[last + 2] = FAR;
    // The minimum of a row never decreases, so later rows are above the limit too.
    if (smallest > limit) return smallest;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return previous[width + 1] as number;
}
