import { adler32 } from '../../core/digest/adler32.ts';

/** Returns the id in templates: the Adler-32 of a text. */
export const inputId = (text: string): string => String(adler32(new TextEncoder().encode(text)));
