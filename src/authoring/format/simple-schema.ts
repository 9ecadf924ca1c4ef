import { markersOf } from '../../kro/simpleschema/index.ts';

/** Lists, maps and the name of a type, with spaces between them. */
const TYPE = /^\s*(?:(?:\[\]|map\[string\])\s*)*[A-Za-z_]\w*\s*$/;

/** Returns a field of a schema with canonical spaces: `string | default="x" description="y"`. */
export function formatField(field: string): string {
  const bar = field.indexOf('|');
  const written = bar < 0 ? field : field.slice(0, bar);
  if (!TYPE.test(written)) return field;
  const type = written.replace(/\s+/g, '');
  if (bar < 0) return type;
  const markers = markersOf(field).map(({ name, offset, end }) => `${name}=${field.slice(offset, end)}`);
  return markers.length === 0 ? field : `${type} | ${markers.join(' ')}`;
}
