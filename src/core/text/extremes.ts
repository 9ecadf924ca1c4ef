/** The greatest of any number of numbers, at least `least`. Arguments lie on the stack, and are not that many. */
export function greatest(numbers: Iterable<number>, least = 0): number {
  let greatest = least;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest;
}

/** The smallest of any number of numbers, at most `most`. */
export function smallest(numbers: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let smallest = most;
  for (const number of numbers) if (number < smallest) smallest = number;
  return smallest;
}
