import type { Schema } from '../../../kubernetes/schema/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { boundsOf } from '../../sample/index.ts';

/** Describes a value by its schema: description, default, bounds. */
export function schemaText(schema: Schema): string {
  return paragraphs([
    schema.description,
    schema.default === undefined ? '' : `Default: \`${toJsonText(schema.default)}\``,
    ...boundsOf(schema).map((bound) => `- ${bound}`),
  ]);
}

/** Joins texts that are not empty. */
export const paragraphs = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join('\n\n');

/** A block of code. */
export const code = (text: string, language = 'cel'): string => `\`\`\`${language}\n${text}\n\`\`\``;
