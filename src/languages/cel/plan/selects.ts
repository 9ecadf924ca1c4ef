import { find, noSuchKey, readable } from '../access.ts';
import type { Select } from '../ast.ts';
import { rawFieldName } from '../field-names.ts';
import { fromStored } from '../stored.ts';
import type { CelType } from '../types.ts';
import { isRecord } from '../value/kind.ts';
import { type CelValue, Optional } from '../value/values.ts';
import { type Planner, planStored } from './planner.ts';
import { applied, type Planned, unread } from './step.ts';
import { isDeclared, partType } from './stored.ts';

/** Returns the field of a container, `undefined` if there is none. */
type SelectField = (container: CelValue) => CelValue | undefined;

export function planSelect(p: Planner, expr: Select): Planned {
  const { run, stored } = planStored(p, expr.operand);
  const { field } = expr;
  const read = stored === undefined ? (container: CelValue) => find(container, field) : storedField(field, stored.type);
  const type = stored && partType(stored.type, field);
  const select = applied(run, expr.test ? tester(read, type) : reader(read, expr), (error) =>
    unread(error, expr, p.locals),
  );
  if (type === undefined || expr.test) return { run: select, constant: false };
  return { run: select, constant: false, stored: { type, optional: stored?.optional === true || expr.optional } };
}

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

/** `a.b` and `a.?b`; selecting from an optional returns an optional. */
function reader(read: SelectField, { field, optional }: Select): (container: CelValue) => CelValue {
  return (container) => {
    if (container instanceof Optional && container.value === undefined) return container;
    const found = read(container instanceof Optional ? (container.value as CelValue) : container);
    if (optional || container instanceof Optional) return found === undefined ? Optional.none : Optional.of(found);
    if (found === undefined) throw noSuchKey(rawFieldName(field), container);
    return found;
  };
}

/** `has(a.b)`, which reads the value of the field and fails if that fails. */
function tester(read: SelectField, type: CelType | undefined): (container: CelValue) => boolean {
  return (container) => {
    const inside = container instanceof Optional ? container.value : container;
    const found = inside === undefined ? undefined : read(inside);
    return found !== undefined && (type === undefined ? readable(found) : fromStored(found, type)) !== undefined;
  };
}
