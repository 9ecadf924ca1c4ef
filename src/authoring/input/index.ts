/** Reads the input of a command: texts in, rendering input out. */

export { type InputSettings, isGoldenTest, pathsBeside, type Reader, readAdditionalInputs, readInput } from './read.ts';
export { type FoundText, withoutTemplates } from './templates.ts';
export { type TextsAround, tracesIn } from './traces.ts';
