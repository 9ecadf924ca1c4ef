/** Reads the input of a command: texts in, rendering input out. */

export {
  type FoundText,
  type InputSettings,
  isGoldenTest,
  pathsBeside,
  type Reader,
  readAdditionalInputs,
  readInput,
  withoutTemplates,
} from './read.ts';
export { type TextsAround, tracesIn } from './traces.ts';
