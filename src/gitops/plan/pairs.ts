/** What pairs are made of: something with a place. */
interface Placed {
  place: string;
}

/** Pairs items of one key by their place; one that is unique in both versions may move. */
export function pairGroup<T extends Placed>(
  before: readonly T[],
  after: readonly T[],
): { old: T | undefined; newer: T | undefined }[] {
  const left = [...after];
  const pairs = before.map((one): { old: T | undefined; newer: T | undefined } => {
    const at = left.findIndex(({ place }) => place === one.place);
    return { old: one, newer: at < 0 ? undefined : left.splice(at, 1)[0] };
  });
  const [gone, second] = pairs.filter((pair) => pair.newer === undefined);
  if (gone !== undefined && second === undefined && left.length === 1) gone.newer = left.pop();
  return [...pairs, ...left.map((one) => ({ old: undefined, newer: one }))];
}
