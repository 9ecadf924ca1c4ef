import { runeAt, runeCount } from '../bytes.ts';

/** The flags between % and the verb. */
export interface Flags {
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  width: number | undefined;
  precision: number | undefined;
  /** `%+v` and `%#v`: stored separately, because they differ inside values. */
  plusV: boolean;
  sharpV: boolean;
}

export const noFlags = (): Flags => ({
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  width: undefined,
  precision: undefined,
  plusV: false,
  sharpV: false,
});

/** Pads a text to the width, which counts code points. */
export function pad(text: string, flags: Flags): string {
  const missing = (flags.width ?? 0) - runeCount(text);
  if (missing <= 0) return text;
  if (flags.minus) return text + ' '.repeat(missing);
  return (flags.zero ? '0' : ' ').repeat(missing) + text;
}

/** Truncates a text to the precision in code points. */
export function truncate(text: string, { precision }: Flags): string {
  if (precision === undefined) return text;
  let at = 0;
  for (let count = 0; at < text.length && count < precision; count++) at += runeAt(text, at).width;
  return text.slice(0, at);
}
