import { setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { compileRegex, matchesWhile } from '../../languages/cel/index.ts';
import { matchFor } from './pattern.ts';

/**
 * Returns a value that a schema accepts, except for CEL rules: its default, its first choice, or the least valid one.
 */
export function sampleValue(schema: Schema): Value {
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  switch (schema.type) {
    case 'boolean':
      return false;
    case 'integer':
      return sampleInteger(schema);
    case 'number':
      return Number(sampleInteger(schema));
    case 'array':
      return sampleList(schema);
    case 'object':
      return sampleMap(schema);
    case 'string':
      return sampleText(schema);
    default:
      return schema['x-kubernetes-int-or-string'] === true ? 1n : {};
  }
}

function sampleInteger({ minimum, maximum }: Schema): bigint {
  const least = minimum === undefined ? undefined : BigInt(Math.ceil(Number(minimum)));
  const most = maximum === undefined ? undefined : BigInt(Math.floor(Number(maximum)));
  if (least !== undefined && least > 1n) return least;
  return most !== undefined && most < 1n ? most : 1n;
}

/** The maximum number of items, entries or letters: a sample that needs more reports that it is not valid yet. */
const MOST_ITEMS = 100;
const MOST_LETTERS = 1000;

/** Returns one item if allowed, to show its form. */
function sampleList({ items, minItems, maxItems, uniqueItems, ...rest }: Schema): Value[] {
  const wanted = Math.min(Number(minItems ?? 1n), MOST_ITEMS);
  const length = Math.min(Math.max(wanted, 1), Number(maxItems ?? 1000n));
  const isSet = uniqueItems === true || rest['x-kubernetes-list-type'] !== undefined;
  return Array.from({ length }, (_, index) => {
    const item = sampleValue(items ?? {});
    return isSet && index > 0 ? varied(item, index, items ?? {}) : item;
  });
}

/** Returns another value of the same kind. */
function varied(value: Value, index: number, schema: Schema): Value {
  if (typeof value === 'bigint') return value + BigInt(index);
  if (typeof value === 'string') return schema.enum?.[index] ?? `${value}-${index + 1}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const whole: ValueMap = {};
  for (const key of Object.keys(value)) {
    setKey(whole, key, varied(value[key] as Value, index, schema.properties?.[key] ?? {}));
  }
  return whole;
}

/** Returns the required fields; of a map with any keys, one entry if it must have some. */
function sampleMap({ properties, required, additionalProperties, minProperties }: Schema): ValueMap {
  const map: ValueMap = {};
  for (const name of required ?? []) setKey(map, name, sampleValue(properties?.[name] ?? {}));
  if (typeof additionalProperties === 'object') {
    for (let index = 0; index < Math.min(Number(minProperties ?? 0n), MOST_ITEMS); index += 1) {
      setKey(map, `key${index + 1}`, sampleValue(additionalProperties));
    }
  }
  return map;
}

function sampleText({ pattern, minLength, maxLength }: Schema): string {
  const least = Math.min(Number(minLength ?? 0n), MOST_LETTERS);
  const most = Number(maxLength ?? 1000n);
  if (pattern !== undefined) {
    const fits = (text: string): boolean =>
      [...text].length >= least && [...text].length <= most && matchesCheaply(pattern, text);
    const match = ['example', 'a', '1', '', ...matchFor(pattern, least)].find(fits);
    if (match !== undefined) return match;
  }
  return 'example'.slice(0, most).padEnd(least, 'x');
}

/** The maximum steps for a sample. */
const SAMPLE_STEPS = 20_000;

function matchesCheaply(pattern: string, text: string): boolean {
  let left = SAMPLE_STEPS;
  const spend = (steps: number): boolean => {
    left -= steps;
    return left >= 0;
  };
  return matchesWhile(compileRegex(pattern), text, spend) ?? false;
}
