const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export const byteLength = (text: string): number => utf8(text).length;
