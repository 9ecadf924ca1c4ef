import type { GroupVersionKind } from '../../core/model/object.ts';
import type { KindInfo } from './schema.ts';

/** Answers what a group, version and kind look like. Registries are asked one after the other. */
export interface KindRegistry {
  /** `undefined` when nothing describes the kind in that version. */
  find(kind: GroupVersionKind): KindInfo | undefined;
  /** The kinds known, for "did you mean" hints: `Kind.version.group`. May be slow. */
  names(): Iterable<string>;
}

/** The first registry that knows the kind answers. */
export function firstOf(registries: readonly KindRegistry[]): KindRegistry {
  return {
    find(kind) {
      for (const registry of registries) {
        const found = registry.find(kind);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    *names() {
      for (const registry of registries) yield* registry.names();
    },
  };
}
