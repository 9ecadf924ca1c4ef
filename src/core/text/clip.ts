/** Truncates a text to `most` UTF-16 units with a mark, as a new string: a slice would retain all of it. */
export function clipped<T extends string>(text: T, most: number): T {
  if (text.length <= most) return text;
  // Do not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  const start = ` ${text.slice(0, end)}… (${text.length - end} more characters)`;
  return start.slice(1) as T;
}

/** Formats a path through a graph; of a long one, both ends. */
export function shownPath(names: readonly string[], most = 20): string {
  const shown = names.map((name) => clipped(name, 100));
  if (names.length > most) shown.splice(most / 2, names.length - most, `... (${names.length - most} more)`);
  return shown.join(' -> ');
}

/** Lists the first names and the number of the others: `a, b, c and 9 more`. */
export function enumerated<T extends string>(names: readonly T[], most = 20): T {
  const shown = names.slice(0, most).map((name) => clipped(name, 100));
  const left = names.length - shown.length;
  return (left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ')) as T;
}
