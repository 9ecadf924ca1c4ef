import { crds, type RenderInput } from '../../src/api/index.ts';
import { readSources } from '../../src/api/sources.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { inputOf, optionsOf } from './package.ts';
import type { Package } from './protocol.ts';

interface Names {
  readonly group: string;
  readonly kind: string;
}

/** Returns the kinds that the RGDs of a package define; none if they do not compile. */
export function definedKinds(pack: Package): Names[] {
  return crds(inputOf(pack), optionsOf(pack)).objects.map(({ spec }) => {
    const { group, names } = spec as unknown as { group: string; names: { kind: string } };
    return { group, kind: names.kind };
  });
}

/** Returns the instances of these kinds, as `KIND/NAMESPACE/NAME`. */
export function instancesIn(pack: Package, kinds: readonly Names[]): string[] {
  const { objects }: RenderInput = inputOf(pack);
  const documents = readSources(objects, 'objects', false, new Collector());
  const found = documents.flatMap(({ object }) => addressIn(object as JsonValue, kinds));
  return [...new Set(found)];
}

function addressIn(object: JsonValue, kinds: readonly Names[]): string[] {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return [];
  const { apiVersion, kind, metadata } = object as { apiVersion?: unknown; kind?: unknown; metadata?: unknown };
  const isOurs = kinds.some((one) => one.kind === kind && String(apiVersion).startsWith(`${one.group}/`));
  const { name, namespace } = (metadata ?? {}) as { name?: unknown; namespace?: unknown };
  if (!isOurs || typeof name !== 'string') return [];
  return [typeof namespace === 'string' ? `${kind}/${namespace}/${name}` : `${kind}/${name}`];
}
