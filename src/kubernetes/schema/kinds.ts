import type { GroupVersionKind } from '../../core/model/object.ts';
import type { KindInfo } from './schema.ts';

/** Describes kinds by group, version and kind. Registries are searched one after the other. */
export interface KindRegistry {
  /** Returns `undefined` for an unknown kind or version. */
  find(kind: GroupVersionKind): KindInfo | undefined;
  /** Returns the known kinds for "did you mean" hints: `Kind.version.group`. May be slow. */
  names(): Iterable<string>;
}

/** Returns the kind of a name in a registry, `Kind.version.group`. */
export function readKindName(name: string): GroupVersionKind {
  const [kind = '', version = '', ...group] = name.split('.');
  return { kind, version, group: group.join('.') };
}

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
