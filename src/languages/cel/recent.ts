/**
 * A cache of the most recently used values, up to a total size. Two of them with the same capacity and the same uses
 * contain the same keys, so that a budget can predict what the engine has cached, whatever else ran before.
 */
export class Recent<V> {
  readonly #entries = new Map<string, { value: V; size: number }>();
  #total = 0;

  constructor(private readonly capacity: number) {}

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a missing key; the newest one stays whatever its size is. */
  add(key: string, value: V, size: number): void {
    this.#entries.set(key, { value, size });
    this.#total += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#total <= this.capacity || oldest === key) return;
      this.#entries.delete(oldest);
      this.#total -= entry.size;
    }
  }
}
