import { runeAt, runeCount } from '../bytes.ts';
import type { Flags } from './flags.ts';

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
