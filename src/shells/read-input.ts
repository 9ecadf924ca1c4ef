import type { Collector } from '../diagnostics/index.ts';
import type { Document } from '../model/object.ts';
import type { RenderInput } from '../model/render.ts';
import type { Settings } from '../options/index.ts';
import { readStreams } from '../parse/index.ts';
import { firstOfFile } from '../resourceset/index.ts';
import { isOpenapiDocument } from '../schema/index.ts';
import { type FoundText, type ReadOptions, readFiles } from './files.ts';
import { withoutTemplates } from './templates.ts';

/** The objects of a package, and what an invocation reads besides. */
export function readInput(
  texts: readonly FoundText[],
  settings: Settings,
  options: ReadOptions,
  reports: Collector,
): RenderInput {
  const reading = createReading(settings, options, reports);
  const objects = texts.flatMap((one) => {
    const read = reading.texts([one]);
    return one.found === undefined && one.file !== '-' ? firstOfFile(read, reports) : read;
  });
  const beside = readAll(settings, reading, reports);
  return reading.end({ ...beside, objects });
}

/** What an invocation reads besides the package itself. */
export function readBeside(settings: Settings, options: ReadOptions, reports: Collector): Omit<RenderInput, 'objects'> {
  const reading = createReading(settings, options, reports);
  return reading.end(readAll(settings, reading, reports));
}

interface Reading {
  texts(found: readonly FoundText[]): Document[];
  paths(paths: readonly string[]): Document[];
  /** Which templates matter is known only when the RGDs are. */
  end<Input extends Partial<RenderInput>>(input: Input): Input;
}

function createReading({ strict, all }: Settings, options: ReadOptions, reports: Collector): Reading {
  const seen: FoundText[] = [];
  const texts = (found: readonly FoundText[]): Document[] => {
    seen.push(...found);
    return readStreams(found, reports, strict);
  };
  return {
    texts,
    paths: (paths) => texts(readFiles(paths, { ...options, missing: 'warning' }, reports)),
    end: (input) => withoutTemplates(seen, input, reports, all),
  };
}

function readAll(settings: Settings, reading: Reading, reports: Collector): Omit<RenderInput, 'objects'> {
  const beside = { definitions: reading.paths(settings.definitions), observed: reading.paths(settings.observed) };
  const sets = settings.inputsFrom === '' ? [] : reading.paths([settings.inputsFrom]);
  const given = sets[0] === undefined ? beside : { ...beside, inputSets: { value: sets[0].object } };
  if (settings.inputsFrom !== '' && sets[0] === undefined && !reports.hasErrors) {
    reports.add({ code: 'inputs-file', message: `${settings.inputsFrom} holds nothing`, path: [] });
  }
  return withOpenapi(given, settings, reading, reports);
}

function withOpenapi(
  beside: Omit<RenderInput, 'objects'>,
  settings: Settings,
  reading: Reading,
  reports: Collector,
): Omit<RenderInput, 'objects'> {
  if (settings.openapi === '') return beside;
  const [document] = reading.paths([settings.openapi]);
  if (document !== undefined && isOpenapiDocument(document.object)) return { ...beside, openapi: document.object };
  if (!reports.hasErrors) {
    reports.add({ code: 'unreadable-file', message: `${settings.openapi} holds no OpenAPI document`, path: [] });
  }
  return beside;
}
