import { phrase, quote, shown } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import { clipped, enumerated } from '../../core/text/clip.ts';
import { compileRegex } from '../../languages/cel/index.ts';
import type { Schema } from '../schema/index.ts';
import { isInt64, typeFault } from './type.ts';
import { breaks, type Check, fault, matchesIn, type Visit } from './visit.ts';

export const booleanCheck: Check = (value, visit) => {
  if (typeof value !== 'boolean') typeFault('boolean', value, visit);
  return value;
};

export function stringCheck(schema: Schema): Check {
  const { pattern, minLength, maxLength } = schema;
  const regex = pattern === undefined ? undefined : compileRegex(pattern);
  const inEnum = enumCheck(schema);
  return (value, visit) => {
    if (typeof value !== 'string') {
      typeFault('string', value, visit);
      return value;
    }
    if (minLength !== undefined || maxLength !== undefined) checkLength(value, minLength, maxLength, visit);
    if (regex !== undefined && !matchesIn(visit, regex, value)) {
      breaks(visit, `should match '${pattern}'`);
    }
    inEnum(value, visit);
    return value;
  };
}

/** Lengths count code points. */
function checkLength(value: string, min: bigint | undefined, max: bigint | undefined, visit: Visit): void {
  const length = [...value].length;
  if (min !== undefined && length < min) {
    breaks(visit, `should be at least ${min} chars long`);
  }
  if (max !== undefined && length > max) {
    breaks(visit, `should be at most ${max} chars long`);
  }
}

/** Accepts whole numbers written with a fraction or an exponent (3.0, 1e3) as integers if doubles are exact there. */
export function integerCheck(schema: Schema): Check {
  const inBounds = boundsCheck(schema);
  const inEnum = enumCheck(schema);
  return (value, visit) => {
    const integer = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof integer !== 'bigint' || !isInt64(integer)) {
      typeFault('integer', value, visit);
      return value;
    }
    inBounds(integer, visit);
    inEnum(integer, visit);
    return integer;
  };
}

/** Accepts integers for numbers, and converts them to doubles, which expressions see. */
export function numberCheck(schema: Schema): Check {
  const inBounds = boundsCheck(schema);
  return (value, visit) => {
    if ((typeof value !== 'number' && typeof value !== 'bigint') || !Number.isFinite(Number(value))) {
      typeFault('number', value, visit);
      return value;
    }
    inBounds(value, visit);
    // A number that no double represents is stored as written.
    return typeof value === 'bigint' && !Number.isSafeInteger(Number(value)) ? value : Number(value);
  };
}

function boundsCheck({ minimum, maximum }: Schema): (value: bigint | number, visit: Visit) => void {
  return (value, visit) => {
    if (minimum !== undefined && value < boundFor(value, minimum)) {
      breaks(visit, `should be greater than or equal to ${minimum}`);
    }
    if (maximum !== undefined && value > boundFor(value, maximum)) {
      breaks(visit, `should be less than or equal to ${maximum}`);
    }
  };
}

/** Truncates the bound of a whole number, as an API server does (kube-openapi, validate/values.go). */
const boundFor = (value: bigint | number, bound: bigint | number): bigint | number =>
  typeof value === 'bigint' && typeof bound === 'number' ? Math.trunc(bound) : bound;

function enumCheck({ enum: values }: Schema): (value: Value, visit: Visit) => void {
  if (values === undefined) return () => {};
  const supported = enumerated(values.map((value) => `"${String(value)}"`));
  const allowed = new Set(values);
  return (value, visit) => {
    if (allowed.has(value)) return;
    const written = typeof value === 'string' ? JSON.stringify(clipped(value, 100)) : String(value);
    const refused = quote(`Unsupported value: ${written}: supported values: `, 'the value has to be one of ');
    fault(visit, 'instance-value', phrase`${refused}${shown(supported)}`);
  };
}
