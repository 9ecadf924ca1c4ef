import { find, isRecord, noSuchKey } from '../access.ts';
import type { Select } from '../ast.ts';
import type { CelType } from '../types.ts';
import { type CelValue, Optional } from '../values.ts';
import { type Coerce, coercion } from './coerce.ts';
import { rawFieldName } from './field-names.ts';
import { type Planner, planExpr, typeIn } from './planner.ts';
import { located, type Planned, type Run } from './step.ts';

/** How one field is read. */
interface Field {
  readonly key: string;
  /** null in a declared object means that the field is not set (kro: pkg/cel/unstructured). */
  readonly nullIsAbsent: boolean;
  readonly convert: Coerce | undefined;
}

export function planSelect(p: Planner, expr: Select): Planned {
  const operand = planExpr(p, expr.operand);
  const from = withoutOptional(typeIn(p, expr.operand));
  const isObject = from.kind === 'object';
  const field: Field = {
    key: isObject ? rawFieldName(expr.field) : expr.field,
    nullIsAbsent: isObject,
    convert: expr.test ? undefined : coercion(withoutOptional(typeIn(p, expr))),
  };
  const make = expr.test ? tester : expr.optional ? optionalReader : reader;
  return { run: make(operand.run, field, expr.id), constant: false };
}

const withoutOptional = (type: CelType): CelType => (type.kind === 'optional' ? type.value : type);

function read(container: CelValue, { key, nullIsAbsent, convert }: Field): CelValue | undefined {
  const found = find(container, key);
  if (found === undefined || (found === null && nullIsAbsent)) return undefined;
  return convert === undefined ? found : convert(found);
}

/** `a.b`; selecting from an optional gives an optional. */
function reader(operand: Run, field: Field, id: number): Run {
  const { key, nullIsAbsent, convert } = field;
  return (frame) => {
    const container = operand(frame);
    if (convert === undefined && isRecord(container) && Object.hasOwn(container, key)) {
      const value = container[key] as CelValue;
      if (value !== null || !nullIsAbsent) return value;
    }
    try {
      if (container instanceof Optional) return throughOptional(container, field);
      const found = read(container, field);
      if (found !== undefined) return found;
    } catch (error) {
      throw located(error, id);
    }
    throw located(noSuchKey(key), id);
  };
}

/** `a.?b` */
function optionalReader(operand: Run, field: Field, id: number): Run {
  return (frame) => {
    const container = operand(frame);
    try {
      return throughOptional(container instanceof Optional ? container : Optional.of(container), field);
    } catch (error) {
      throw located(error, id);
    }
  };
}

function throughOptional(container: Optional, field: Field): Optional {
  if (container.value === undefined) return container;
  const found = read(container.value, field);
  return found === undefined ? Optional.none : Optional.of(found);
}

/** `has(a.b)` */
function tester(operand: Run, field: Field, id: number): Run {
  return (frame) => {
    const container = operand(frame);
    try {
      const inside = container instanceof Optional ? container.value : container;
      return inside !== undefined && read(inside, field) !== undefined;
    } catch (error) {
      throw located(error, id);
    }
  };
}
