import type { CelType } from '../types.ts';

/** Variables of comprehensions and binds, innermost first. */
export interface Scope {
  readonly outer: Scope | undefined;
  readonly types: ReadonlyMap<string, CelType>;
}

export const enter = (outer: Scope | undefined, types: Iterable<readonly [string, CelType]>): Scope => ({
  outer,
  types: new Map(types),
});

export function lookUp(scope: Scope | undefined, name: string): CelType | undefined {
  for (let current = scope; current !== undefined; current = current.outer) {
    const type = current.types.get(name);
    if (type !== undefined) return type;
  }
  return undefined;
}
