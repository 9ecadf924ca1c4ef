import type { Schema } from '../../../kubernetes/schema/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { boundsOf } from '../../sample/index.ts';

/** Describes a value by its schema: description, default, bounds. */
export function schemaText(schema: Schema): string {
  const lines = [
    schema.description ?? '',
    schema.default === undefined ? '' : `Default: \`${toJsonText(schema.default)}\``,
    ...boundsOf(schema).map((bound) => `- ${bound}`),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** A block of code. */
export const code = (text: string, language = 'cel'): string => `\`\`\`${language}\n${text}\n\`\`\``;
