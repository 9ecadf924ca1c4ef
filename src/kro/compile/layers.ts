/** What names stand for, as far as a scope asks. A `ReadonlyMap` is one. */
export interface Names<T> {
  get(name: string): T | undefined;
  has(name: string): boolean;
  keys(): Iterable<string>;
  readonly size: number;
}

/**
 * Names laid over others, which are not copied: each node has scopes of its own, and a graph may have thousands of
 * nodes. `without` is a name of `under` that is not seen.
 */
export function layered<T>(over: ReadonlyMap<string, T>, under: Names<T>, without?: string): Names<T> {
  const below = (name: string): boolean => name !== without && under.has(name);
  return {
    get: (name) => over.get(name) ?? (name === without ? undefined : under.get(name)),
    has: (name) => over.has(name) || below(name),
    *keys() {
      yield* over.keys();
      for (const name of under.keys()) if (name !== without && !over.has(name)) yield name;
    },
    size: over.size + under.size,
  };
}

/** The names as they are in a list, each with its place. */
export const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, index) => [name, index]));
