import { type CelType, formatType } from '../../languages/cel/index.ts';

/**
 * Returns the name of a type in messages: a struct is an object, because its own name is the path of a field in kro's
 * notation.
 */
export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'object':
      return type.name.startsWith('__type_') ? 'object' : type.name;
    case 'list':
      return `list(${typeText(type.element)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'optional':
      return `optional_type(${typeText(type.value)})`;
    default:
      return formatType(type);
  }
}
