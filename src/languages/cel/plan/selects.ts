import { find, noSuchKey, readable } from '../access.ts';
import type { Select } from '../ast.ts';
import { rawFieldName } from '../field-names.ts';
import { fromStored } from '../stored.ts';
import type { CelType } from '../types.ts';
import { isRecord } from '../value/kind.ts';
import { type CelValue, Optional } from '../value/values.ts';
import { type Planner, planStored } from './planner.ts';
import { located, type Planned, type Run, unread } from './step.ts';
import { isDeclared, partType } from './stored.ts';

/** Returns the field of a container, `undefined` if there is none. */
type SelectField = (container: CelValue) => CelValue | undefined;

export function planSelect(p: Planner, expr: Select): Planned {
  const { run, stored } = planStored(p, expr.operand);
  const read = stored === undefined ? anyField(expr.field) : storedField(expr.field, stored.type);
  if (expr.test) {
    const type = stored && partType(stored.type, expr.field);
    const value = type === undefined ? readable : (data: CelValue): CelValue => fromStored(data, type);
    return { run: tester(run, read, value, expr.id), constant: false };
  }
  const select = expr.optional ? optionalReader(run, read, expr.id) : reader(run, read, expr, p.locals);
  if (stored === undefined) return { run: select, constant: false };
  const optional = stored.optional || expr.optional;
  return { run: select, constant: false, stored: { type: partType(stored.type, expr.field), optional } };
}

const anyField =
  (field: string): SelectField =>
  (container) =>
    find(container, field);

/** In an object of declared fields names are escaped, and null means that the field is not set. */
function storedField(field: string, type: CelType): SelectField {
  const declared = isDeclared(type);
  const key = declared ? rawFieldName(field) : field;
  return (container) => {
    if (!isRecord(container)) return find(fromStored(container, type), key);
    if (!Object.hasOwn(container, key)) return undefined;
    const value = container[key] as CelValue;
    return value === null && declared ? undefined : value;
  };
}

/** `a.b`; selecting from an optional returns an optional. */
function reader(operand: Run, read: SelectField, expr: Select, locals: Planner['locals']): Run {
  const { id, field } = expr;
  return (frame) => {
    const container = operand(frame);
    try {
      if (container instanceof Optional) return throughOptional(container, read);
      const found = read(container);
      if (found !== undefined) return found;
    } catch (error) {
      throw located(error, id);
    }
    throw unread(noSuchKey(rawFieldName(field), container), expr, locals);
  };
}

/** `a.?b` */
function optionalReader(operand: Run, read: SelectField, id: number): Run {
  return (frame) => {
    const container = operand(frame);
    try {
      return throughOptional(container instanceof Optional ? container : Optional.of(container), read);
    } catch (error) {
      throw located(error, id);
    }
  };
}

function throughOptional(container: Optional, read: SelectField): Optional {
  if (container.value === undefined) return container;
  const found = read(container.value);
  return found === undefined ? Optional.none : Optional.of(found);
}

/** `has(a.b)`, which reads the value of the field and fails if that fails. */
function tester(operand: Run, read: SelectField, value: (data: CelValue) => CelValue, id: number): Run {
  return (frame) => {
    const container = operand(frame);
    try {
      const inside = container instanceof Optional ? container.value : container;
      const found = inside === undefined ? undefined : read(inside);
      return found !== undefined && value(found) !== undefined;
    } catch (error) {
      throw located(error, id);
    }
  };
}
