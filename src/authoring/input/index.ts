/** Reads the input of a command: texts in, rendering input out. */

export type { FoundText } from './found-text.ts';
export { isGoldenTest } from './golden-test.ts';
export { type InputSettings, type Reader, readAdditionalInputs, readInput } from './read.ts';
export { withoutTemplates } from './templates.ts';
export { type TextsAround, tracesIn } from './traces.ts';
