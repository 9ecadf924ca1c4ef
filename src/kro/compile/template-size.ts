import { isMap, type Value } from '../../core/model/value.ts';
import type { TemplateField } from './template-field.ts';

/** What a part counts beside its own characters and its indent: a line has a dash or a colon, quotes, an end. */
const PART = 16;

/** About the characters that a template writes for each object besides the values of its expressions. */
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
