import { type Code, type Collector, composeText, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { Document } from '../../core/model/object.ts';
import type { RenderInput } from '../../core/model/render.ts';
import { firstOfFile } from '../../flux/index.ts';
import { isOpenapiDocument } from '../../kubernetes/schema/index.ts';
import type { Settings } from '../../render/options/index.ts';
import { readStreams } from '../../yaml/parse/index.ts';
import { type FoundText, withoutTemplates } from './templates.ts';

/** The settings that affect reading. */
export type InputSettings = Pick<
  Settings,
  'definitions' | 'observed' | 'openapi' | 'inputsFrom' | 'defaults' | 'strict' | 'all'
>;

/** Returns the paths that the settings name beside the package. */
export const pathsBeside = (
  settings: Pick<Settings, 'definitions' | 'observed' | 'openapi' | 'inputsFrom' | 'defaults'>,
) => {
  const { definitions, observed, openapi, inputsFrom, defaults } = settings;
  return [...definitions, ...observed, openapi, inputsFrom, defaults].filter((path) => path !== '');
};

/** The source of texts. */
export interface Reader {
  /** Returns the texts at some paths; a path without files is a warning. */
  read(paths: readonly string[], reports: Collector): readonly FoundText[];
  /** Parses texts; defaults to `readStreams`. */
  parse?: (found: readonly FoundText[], reports: Collector, strict: boolean) => Document[];
}

/** Returns the objects of a package, and the other inputs of a command. */
export function readInput(
  texts: readonly FoundText[],
  settings: InputSettings,
  reader: Reader,
  reports: Collector,
): RenderInput {
  const { parse, beside, end } = createReading(settings, reader, reports);
  const objects = texts.flatMap((one) => {
    const read = parse([one]);
    return one.found === undefined && one.file !== '-' ? firstOfFile(read, reports) : read;
  });
  return end({ ...beside(), objects });
}

/** Returns the inputs of a command besides the package itself. */
export function readAdditionalInputs(
  settings: InputSettings,
  reader: Reader,
  reports: Collector,
): Omit<RenderInput, 'objects'> {
  const { beside, end } = createReading(settings, reader, reports);
  return end(beside());
}

/** The relevant templates are only known after the RGDs: `end` removes them. */
function createReading(settings: InputSettings, { read, parse = readStreams }: Reader, reports: Collector) {
  const seen: FoundText[] = [];
  const parseAll = (found: readonly FoundText[]): Document[] => {
    for (const one of found) seen.push(one);
    return parse(found, reports, settings.strict);
  };
  return {
    parse: parseAll,
    beside: () => readBeside(settings, (paths) => parseAll(read(paths, reports)), reports),
    end: <Input extends Partial<RenderInput>>(input: Input) => withoutTemplates(seen, input, reports, settings.all),
  };
}

function readBeside(
  settings: InputSettings,
  read: (paths: readonly string[]) => Document[],
  reports: Collector,
): Omit<RenderInput, 'objects'> {
  const beside = { definitions: read(settings.definitions), observed: read(settings.observed) };
  const sets = settings.inputsFrom === '' ? [] : read([settings.inputsFrom]);
  if (sets.length > 1) {
    const message = composeText`${trusted.file(settings.inputsFrom)} holds ${sets.length} documents, and the input sets are one list`;
    const [, { source } = {}] = sets;
    const hint = composeText`write all input sets into one list, without ---`;
    reports.add({ code: 'inputs-file', message, path: [], hint, ...(source && { source }) });
  }
  const defaults = settings.defaults === '' ? {} : { defaults: read([settings.defaults]) };
  const given = { ...beside, ...defaults, ...(sets[0] && { inputSets: { value: sets[0].object } }) };
  const lacks = (code: Code, path: string, what: Text): void => {
    if (!reports.hasErrors) reports.add({ code, message: composeText`${trusted.file(path)} holds ${what}`, path: [] });
  };
  if (settings.inputsFrom !== '' && sets[0] === undefined)
    lacks('inputs-file', settings.inputsFrom, composeText`nothing`);
  if (settings.openapi === '') return given;
  const [document] = read([settings.openapi]);
  if (document !== undefined && isOpenapiDocument(document.object)) return { ...given, openapi: document.object };
  lacks('unreadable-file', settings.openapi, composeText`no OpenAPI document`);
  return given;
}

const EXPECTED = ['expected.yaml', 'expected-diagnostics.yaml'];

/**
 * Reports whether a folder is a golden test, whose files are input for `test` only: it has a test.yaml and an expected
 * file. A test.yaml that is a Kubernetes object does not count.
 */
export function isGoldenTest(names: readonly string[], readTest: () => string): boolean {
  if (!names.includes('test.yaml') || !EXPECTED.some((name) => names.includes(name))) return false;
  return !/^["']?(apiVersion|kind)["']?\s*:|^\s*\{/m.test(readTest());
}
