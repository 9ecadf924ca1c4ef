import { leadsTo } from '../../core/model/read.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';

/** Returns the values that nothing reads, the outermost ones: neither the value, nor a part of it, nor all around it. */
export function* unreadIn(values: Value | undefined, reads: readonly Path[], above: Path = []): Iterable<Path> {
  if (!isMap(values)) return;
  const known = new Map<Path[number] | undefined, Path[]>();
  for (const read of reads) {
    const step = read[above.length];
    const alike = known.get(step);
    if (alike === undefined) known.set(step, [read]);
    else alike.push(read);
  }
  if (known.has(undefined)) return;
  for (const [key, value] of Object.entries(values)) {
    const inside = known.get(key);
    if (inside === undefined) yield [...above, key];
    else yield* unreadIn(value, inside, [...above, key]);
  }
}

/** Returns reads relative to a value: an empty path for those of all around it. */
export const readsBelow = (value: Path, reads: readonly Path[]): Path[] =>
  reads.flatMap((read) => (leadsTo(value, read) ? [read.slice(value.length)] : leadsTo(read, value) ? [[]] : []));
