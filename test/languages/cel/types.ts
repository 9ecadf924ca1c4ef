import { type CelType, INT, type ObjectType, STRING } from '../../../src/languages/cel/types.ts';

/** An object type with the given fields. */
export function objectOf(name: string, fields: Readonly<Record<string, CelType>>, open = false): ObjectType {
  return {
    kind: 'object',
    name,
    open,
    field: (field) => (Object.hasOwn(fields, field) ? fields[field] : open ? { kind: 'dyn' } : undefined),
    fieldNames: () => Object.keys(fields),
  };
}

export const box = objectOf('box', { size: INT, label: STRING });
