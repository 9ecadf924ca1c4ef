import type { Io } from './io.ts';

/** SGR parameters (ECMA-48), as every terminal knows them. */
const CODES = { red: 31, green: 32, yellow: 33, bold: 1 } as const;

/** Puts texts into colours where standard output shows them, and leaves them alone elsewhere. */
export function painter(io: Io): (colour: keyof typeof CODES, text: string) => string {
  if (!io.colors()) return (_, text) => text;
  return (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;
}
