import { mapText, type Text } from '../../core/diagnostics/index.ts';

/** The advance of a character of a monospaced font at 12 pixels. */
const ADVANCE = 7.3;
/** Letters that take two columns: East Asian wide ones and pictographs. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** Returns the width of a line in pixels. */
export function widthOf(line: string): number {
  let columns = 0;
  for (const char of line) columns += WIDE.test(char) ? 2 : 1;
  return columns * ADVANCE;
}

/** Truncates a line to so many characters. */
export function fitted(line: Text, most: number): Text {
  const chars = [...line];
  return chars.length <= most ? line : mapText(line, () => [...chars.slice(0, most - 1), '…'].join(''));
}

export interface Box {
  /** The centre. */
  x: number;
  y: number;
  width: number;
  height: number;
}
