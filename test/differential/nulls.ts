import type { Draw } from './draw.ts';
import type { Json, JsonMap } from './types.ts';

/** Optional fields of an RGD, by object: a null counts as absent. A map, because drawn names include `constructor`. */
const optional: ReadonlyMap<string, readonly string[]> = new Map([
  ['schema', ['group', 'scope', 'types', 'status', 'additionalPrinterColumns', 'metadata', 'shortNames', 'categories']],
  ['resources', ['includeWhen', 'readyWhen', 'forEach', 'externalRef', 'template']],
  ['metadata', ['name', 'namespace', 'selector', 'labels', 'annotations']],
  ['spec', ['resources']],
]);

/** Returns the object with a null in one field that exists or could exist. */
export function withNull(draw: Draw, whole: JsonMap): JsonMap {
  const copy = structuredClone(whole);
  const places: (() => void)[] = [];
  const visit = (value: Json, name: string): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        places.push(() => {
          value[index] = null;
        });
        visit(item, name);
      });
    } else if (typeof value === 'object' && value !== null) {
      for (const key of new Set([...Object.keys(value), ...(optional.get(name) ?? [])])) {
        places.push(() => {
          Object.defineProperty(value, key, { value: null, enumerable: true, configurable: true, writable: true });
        });
        const member = Object.getOwnPropertyDescriptor(value, key)?.value;
        if (member !== undefined) visit(member, key);
      }
    }
  };
  visit(copy.spec ?? null, 'spec');
  visit(copy.metadata ?? null, 'labels');
  if (places.length > 0) draw.pick(places)();
  return copy;
}
