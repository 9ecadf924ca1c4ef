/** Counts how many of ascending numbers, read by their index, are at most `bound`. */
export function countUpTo(bound: number, length: number, at: (index: number) => number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
