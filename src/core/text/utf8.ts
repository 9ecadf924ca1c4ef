const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export const byteLength = (text: string): number => (/[^\0-\x7f]/.test(text) ? utf8(text).length : text.length);
