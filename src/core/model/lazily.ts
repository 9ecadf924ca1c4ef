/** Returns a function that returns the result of `make`, which runs at the first call. */
export function lazily<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** Returns the value of a key in a cache, or what `compute` returns, which is added. */
export function getOrCompute<K, V>(
  cache: { get(key: K): V | undefined; has(key: K): boolean; set(key: K, value: V): unknown },
  key: K,
  compute: () => V,
): V {
  const known = cache.get(key);
  if (known !== undefined || cache.has(key)) return known as V;
  const computed = compute();
  cache.set(key, computed);
  return computed;
}

/** Returns a function that computes the result of each key once. */
export function onceFor<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => getOrCompute(known, key, () => compute(key));
}
