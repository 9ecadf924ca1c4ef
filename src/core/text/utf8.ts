const encoder = new TextEncoder();

/** Returns a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Returns the number of bytes of a text in UTF-8. */
export const byteLength = (text: string): number => utf8(text).length;
