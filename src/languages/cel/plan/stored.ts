/** Reads the data of objects: step by step in stored form, and converted to a value at the end of a chain. */
import { fromStored, isPlain } from '../stored.ts';
import { type CelType, DYN, type ObjectType } from '../types.ts';
import { isRecord } from '../value/kind.ts';
import { type CelValue, Optional } from '../value/values.ts';
import { applied, located, type Planned, type Run } from './step.ts';

/** Returns the node with values instead of data. */
export function settled(planned: Planned, id: number): Planned {
  const { stored, run } = planned;
  if (stored === undefined) return planned;
  if (isPlain(stored.type)) return { run, constant: planned.constant };
  const { type, optional } = stored;
  const convert = optional ? inOptional(type) : (data: CelValue): CelValue => fromStored(data, type);
  return { run: applied(run, convert, (error) => located(error, id)), constant: planned.constant };
}

const inOptional =
  (type: CelType) =>
  (value: CelValue): CelValue =>
    value instanceof Optional && value.value !== undefined ? Optional.of(fromStored(value.value, type)) : value;

/** Checks that data that is read by index has the shape of its type. */
export const shaped =
  (run: Run, type: CelType): Run =>
  (frame) => {
    const data = run(frame);
    const inside = data instanceof Optional ? data.value : data;
    if (inside !== undefined && !isOfShape(inside, type)) fromStored(inside, type);
    return data;
  };

const isOfShape = (data: CelValue, { kind }: CelType): boolean =>
  kind === 'list' ? Array.isArray(data) : kind === 'dyn' || isRecord(data);

/** Returns the type of a field, of an element or of an entry in data of a type; undeclared ones are dyn. */
export function partType(type: CelType, field: string | undefined): CelType {
  switch (type.kind) {
    case 'object':
      return (field === undefined ? undefined : type.field(field)) ?? DYN;
    case 'map':
      return type.value;
    case 'list':
      return type.element;
    default:
      return DYN;
  }
}

/** null in an object of declared fields means that the field is not set (kro: pkg/cel/unstructured). */
export const isDeclared = (type: CelType): type is ObjectType => type.kind === 'object' && type.bare !== true;
