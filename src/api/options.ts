import type { Collector } from '../core/diagnostics/index.ts';
import type { RenderOptions as CoreOptions } from '../core/model/render.ts';
import { ownValue, setKey } from '../core/model/value.ts';
import { didYouMean } from '../core/text/nearest.ts';
import { defaultRenderOptions, libraryOptions, type OptionSet, settingFromValue } from '../render/options/index.ts';
import { objectIn, reportArgument } from './arguments.ts';
import type { RenderOptions } from './types.ts';

export interface LibraryOptions extends CoreOptions {
  all: boolean;
}

const OF_DEFINITIONS: readonly string[] = [
  'strict',
  'kro',
  'kubernetes',
  'clusterScoped',
] satisfies (keyof RenderOptions)[];

/**
 * Returns the options for the core. Those of a call override those of `compile`, except how definitions are read.
 * @throws TypeError for other values than objects
 */
export function readOptions(given: RenderOptions, reports: Collector, compiled?: LibraryOptions): LibraryOptions {
  const known: OptionSet = libraryOptions;
  const decided = compiled === undefined ? [] : OF_DEFINITIONS;
  const names = Object.keys(known).filter((name) => !decided.includes(name));
  const options: Record<string, unknown> = { ...(compiled ?? { ...defaultRenderOptions, all: false }) };
  const report = (name: string, message: string, hint?: string): void =>
    reportArgument('options', [name], message, hint, reports);
  for (const [name, value] of Object.entries(objectIn(given, 'options'))) {
    if (value === undefined) continue;
    const option = names.includes(name) ? ownValue(known, name) : undefined;
    if (option === undefined) {
      if (decided.includes(name)) report(name, `${name}: definitions were compiled without it`, 'give it to compile');
      else report(name, `unknown option '${name}'`, hintFor(name, names));
      continue;
    }
    const parsed = settingFromValue(option, value);
    if ('fault' in parsed) report(name, `${name}: ${parsed.fault}`, parsed.hint);
    else setKey(options, name, parsed.value);
  }
  return options as unknown as LibraryOptions;
}

/** The command and the function read these from files; the input of the library contains them. */
const OF_INPUT = ['definitions', 'observed', 'openapi', 'inputsFrom', 'defaults'];

const hintFor = (name: string, known: readonly string[]): string | undefined =>
  OF_INPUT.includes(name) ? `'${name}' stands in the input, beside 'objects'` : didYouMean(name, known, 1);
