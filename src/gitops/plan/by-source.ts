import { equal, type Value } from '../../core/model/value.ts';
import type { Source } from './application.ts';

/** Keeps what was computed of sources: many applications may have one source, in other namespaces and clusters. */
export class BySource<Result> {
  /** The last source of each path. */
  readonly #last = new Map<string, { source: Source; result: Result }>();

  getOrCompute(source: Source, compute: () => Result): Result {
    const last = this.#last.get(source.path);
    if (last !== undefined && equal(last.source as unknown as Value, source as unknown as Value)) return last.result;
    const result = compute();
    this.#last.set(source.path, { source, result });
    return result;
  }

  clear(): void {
    this.#last.clear();
  }
}
