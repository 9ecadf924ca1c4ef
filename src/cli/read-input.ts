import {
  type FoundText,
  type InputSettings,
  type Reader,
  readAdditionalInputs as readAdditionalInputsWith,
  readInput as readWith,
} from '../authoring/input/index.ts';
import type { Collector } from '../core/diagnostics/index.ts';
import type { RenderInput } from '../core/model/render.ts';
import { type ReadOptions, readFiles } from './files.ts';

/** Returns the objects of a package, and the other inputs of a command. */
export const readInput = (
  texts: readonly FoundText[],
  settings: InputSettings,
  options: ReadOptions,
  reports: Collector,
): RenderInput => readWith(texts, settings, readerWith(options), reports);

/** Returns the inputs of a command besides the package itself. */
export const readAdditionalInputs = (
  settings: InputSettings,
  options: ReadOptions,
  reports: Collector,
): Omit<RenderInput, 'objects'> => readAdditionalInputsWith(settings, readerWith(options), reports);

const readerWith = (options: ReadOptions): Reader => ({
  read: (paths, reports) => readFiles(paths, { ...options, missing: 'warning' }, reports),
  ...(options.parse && { parse: options.parse }),
});
