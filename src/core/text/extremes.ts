/** Returns the greatest of any number of numbers, at least `least`. A spread call would overflow the stack. */
export function greatest(numbers: Iterable<number>, least = 0): number {
  let greatest = least;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest;
}

/** Returns the smallest of any number of numbers, at most `most`. */
export function smallest(numbers: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let smallest = most;
  for (const number of numbers) if (number < smallest) smallest = number;
  return smallest;
}
