import { type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import { isMap, mapItems, type Value, type ValueMap } from '../../core/model/value.ts';
import { isInt64, MAX_INT64 } from '../../core/text/go-numbers.ts';
import { fault, type Visit } from './visit.ts';

/** Returns the JSON type of a value in Kubernetes: whole numbers beyond int64 are numbers. */
export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isMap(value)) return 'object';
  if (typeof value === 'bigint') return isInt64(value) ? 'integer' : 'number';
  return typeof value;
}

export function typeFault(wanted: string, value: Value, visit: Visit): void {
  const message = phrase`${visit.words.subject(visit.path)}must be of type ${shown(wanted)}: "${shown(typeOf(value))}"`;
  fault(visit, 'type', message, visit.hints ? typeHint(wanted, value) : undefined);
}

/** Reports whether other formats, or YAML 1.1 without quotes, read a text as a boolean. */
export const isBooleanWord = (text: string): boolean => /^(true|false|yes|no|on|off|y|n|enabled|disabled)$/i.test(text);

function typeHint(wanted: string, value: Value): Message | undefined {
  if (wanted === 'string') {
    if (typeof value === 'boolean')
      return phrase`yes, no, on, off, true and false are booleans in YAML: put the text in quotes`;
    if (typeof value === 'bigint' || typeof value === 'number') return phrase`quote it: "${value}"`;
    return undefined;
  }
  if (wanted === 'integer' && typeof value === 'bigint') return phrase`the largest integer is ${shown(MAX_INT64)}`;
  if (wanted === 'array' && value !== null && !Array.isArray(value))
    return phrase`write a list, with - before each item`;
  if (wanted === 'object') return phrase`write it as key: value`;
  if (typeof value !== 'string') return undefined;
  if (value.includes('${')) return phrase`only a template holds expressions: write the value`;
  const literal = wanted === 'boolean' ? /^(true|false)$/ : wanted === 'integer' ? /^-?[0-9]+$/ : /^-?[0-9.]+$/;
  if (literal.test(value)) return phrase`write it without quotes`;
  return wanted === 'boolean' && isBooleanWord(value) ? phrase`write true or false, without quotes` : undefined;
}

/**
 * Returns the value with the numbers of a JSON decoder of Kubernetes: whole ones are integers if they fit int64. It is a
 * copy only if a number differs.
 */
export const asDecoded = (value: Value): Value => (isDecoded(value) ? value : decoded(value));

function isDecoded(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return decoded(value) === value;
  if (Array.isArray(value)) return value.every(isDecoded);
  for (const key in value) if (!isDecoded((value as ValueMap)[key] as Value)) return false;
  return true;
}

function decoded(value: Value): Value {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) && isInt64(BigInt(value)) ? BigInt(value) : value;
  }
  return mapItems(value, decoded);
}
