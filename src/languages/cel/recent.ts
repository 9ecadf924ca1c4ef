/**
 * Holds what was used last, up to a total size. Two of them with the same capacity that see the same uses hold the same
 * keys, which is how a budget can tell, whatever else ran before, what the engine still has at hand.
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

  /** Adds a key that is not there; the newest one stays whatever its size. */
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
