/** A read-only map of names for scopes, such as a `ReadonlyMap`. */
export interface Names<T> {
  get(name: string): T | undefined;
  has(name: string): boolean;
  keys(): Iterable<string>;
  readonly size: number;
}

/**
 * Returns names layered over others without copying: each node has its own scopes, and a graph may have thousands of
 * nodes. `without` hides a name of `under`.
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

/** Maps the names of a list to their indexes. */
export const numbered = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, index) => [name, index]));
