/**
 * The candidates that `name` was probably meant to be, closest first, at most `max`. A candidate counts when up to
 * three letters, and no more than a third of them, would have to change: insert, delete, replace, swap two neighbours.
 * Upper and lower case are one.
 */
export function nearest(name: string, candidates: Iterable<string>, max = 3): string[] {
  const wanted = name.toLowerCase();
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === name) continue;
    const limit = Math.min(3, Math.floor((Math.min(name.length, candidate.length) + 1) / 3));
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, max).map(({ candidate }) => candidate);
}

/** The hint that names what was probably meant; `undefined` when nothing is close. */
export function didYouMean(name: string, candidates: Iterable<string>, max?: number): string | undefined {
  const close = nearest(name, candidates, max);
  return close.length === 0 ? undefined : `did you mean ${close.map((meant) => `'${meant}'`).join(' or ')}?`;
}

/** The optimal string alignment distance, or anything above `limit` as soon as it is sure to be above. */
function editDistance(a: string, b: string, limit: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let distance = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) distance = Math.min(distance, at(beforePrevious, column - 2) + 1);
      current.push(distance);
      smallest = Math.min(smallest, distance);
    }
    // The smallest value grows by one a row at most, so a swap that skips this row is above the limit too.
    if (smallest > limit) return smallest;
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
