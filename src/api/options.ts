import { type Problem, phrase } from '../core/diagnostics/index.ts';
import { type RenderOptions as CoreOptions, defaultRenderOptions } from '../core/model/render.ts';
import { didYouMean } from '../core/text/nearest.ts';
import { libraryOptions, type OptionSet, settingFromValue } from '../render/options/index.ts';
import type { RenderOptions } from './types.ts';

export interface LibraryOptions extends CoreOptions {
  all: boolean;
}

interface Read {
  options: LibraryOptions;
  problems: Problem[];
}

/** Checks options against the options table. Unknown names and invalid values are reported. */
export const readOptions = (given: RenderOptions): Read => readOver({ ...defaultRenderOptions, all: false }, given, []);

/**
 * Does the same for options of one call, which override those of `compile`. How definitions are read depends on
 * `compile` only.
 */
export const readOptionsOver = (compiled: LibraryOptions, given: RenderOptions): Read =>
  readOver(compiled, given, OF_DEFINITIONS);

const OF_DEFINITIONS: readonly string[] = ['strict', 'kro', 'clusterScoped'] satisfies (keyof RenderOptions)[];

function readOver(base: LibraryOptions, given: RenderOptions, decided: readonly string[]): Read {
  const known: OptionSet = libraryOptions;
  const names = Object.keys(known).filter((name) => !decided.includes(name));
  const problems: Problem[] = [];
  const options: Record<string, unknown> = { ...base };
  const report = (name: string, message: string, hint?: string): void => {
    problems.push({
      code: 'library-option',
      message: phrase`${message}`,
      path: [name],
      ...(hint === undefined ? {} : { hint: phrase`${hint}` }),
    });
  };
  for (const [name, value] of Object.entries(asObject(given))) {
    if (value === undefined) continue;
    const option = names.includes(name) ? known[name] : undefined;
    if (option === undefined) {
      if (decided.includes(name)) report(name, `${name}: definitions were compiled without it`, 'give it to compile');
      else report(name, `unknown option '${name}'`, hintFor(name, names));
      continue;
    }
    const parsed = settingFromValue(option, value);
    if ('fault' in parsed) report(name, `${name}: ${parsed.fault}`, parsed.hint);
    else options[name] = parsed.value;
  }
  return { options: options as unknown as LibraryOptions, problems };
}

/** @throws TypeError */
export function asObject(given: unknown): object {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw new TypeError('options must be an object');
}

/** The command and the function read these from files; the input of the library contains them. */
const OF_INPUT = ['definitions', 'observed', 'openapi', 'inputsFrom', 'defaults'];

const hintFor = (name: string, known: readonly string[]): string | undefined =>
  OF_INPUT.includes(name) ? `'${name}' stands in the input, beside 'objects'` : didYouMean(name, known, 1);
