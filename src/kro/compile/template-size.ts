import { isMap, type Value } from '../../core/model/value.ts';
import type { TemplateField } from './template-field.ts';

/** The cost of a part besides its own characters and its indentation: a dash or a colon, quotes, a line end. */
const PART = 16;

/** Returns the approximate literal characters of each object of a template, without the values of its expressions. */
export function literalSize(field: TemplateField, indent = 0): number {
  switch (field.kind) {
    case 'literal':
      return valueSize(field.value, indent);
    case 'map':
      return field.entries.reduce(
        (sum, [key, entry]) => sum + key.length + literalSize(entry, indent + 2),
        PART + indent,
      );
    case 'list':
      return field.items.reduce((sum, item) => sum + literalSize(item, indent + 2), PART + indent);
    case 'text':
      return field.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), PART + indent);
    case 'expression':
      return 0;
  }
}

function valueSize(value: Value, indent: number): number {
  const part = PART + indent;
  if (typeof value === 'string') return part + value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valueSize(item, indent + 2), part);
  if (!isMap(value)) return part;
  return Object.keys(value).reduce((sum, key) => sum + key.length + valueSize(value[key] as Value, indent + 2), part);
}
