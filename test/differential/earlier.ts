import type { ValueMap } from '../../src/core/model/value.ts';
import type { GeneratedPackage } from './packages.ts';

/** Returns the package without the earlier versions of its instances; undefined if there are none. */
export function withoutEarlier(input: GeneratedPackage): GeneratedPackage | undefined {
  const { objects, observed } = input;
  const placeOf = ({ apiVersion, kind, metadata }: ValueMap): string => {
    const { namespace = 'default', name } = metadata as ValueMap;
    return [apiVersion, kind, namespace, name].join(' ');
  };
  const applied = new Set(objects.map(placeOf));
  const kept = observed.filter((object) => !applied.has(placeOf(object)));
  return kept.length === observed.length ? undefined : { ...input, observed: kept };
}
