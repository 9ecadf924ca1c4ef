/** The hints for words, from a table that has the words of each hint, separated by spaces. */
export const hintsByWord = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([hint, words]) => words.split(' ').map((word) => [word, hint] as const)));
