import type { Settings } from '../render/options/index.ts';
import type { Io } from './output.ts';

/** SGR parameters (ECMA-48), as every terminal knows them. */
const CODES = { red: 31, green: 32, yellow: 33, bold: 1 } as const;

type Variables = Readonly<Record<string, string | undefined>>;

interface Painting {
  io: Pick<Io, 'colors'>;
  settings: Pick<Settings, 'color'>;
}

/** Reports whether a stream is coloured. */
export const hasColors = ({ io, settings: { color } }: Painting, stream: 'stdout' | 'stderr'): boolean =>
  color === 'auto' ? io.colors(stream) : color === 'always';

/** Returns a function that colours texts if standard output supports it. */
export function painter(painting: Painting): (colour: keyof typeof CODES, text: string) => string {
  if (!hasColors(painting, 'stdout')) return (_, text) => text;
  return (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;
}

/**
 * Reports whether a stream is coloured by default: FORCE_COLOR first, as in Node, then NO_COLOR (https://no-color.org),
 * then whether it is a terminal with colours.
 */
export function wantsColors(variables: Variables, isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR } = variables;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return knowsSequences(variables, isTerminal) && !NO_COLOR;
}

/** Reports whether a stream is a terminal that supports escape sequences: that of an editor often prints them. */
export const knowsSequences = ({ TERM }: Variables, isTerminal: boolean): boolean => isTerminal && TERM !== 'dumb';
