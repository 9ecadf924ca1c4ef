import type { Problem } from '../diagnostics/index.ts';
import { defaultRenderOptions, type RenderOptions } from '../model/render.ts';
import { optionsOf, settingFromValue } from '../options/index.ts';
import { didYouMean } from '../text/nearest.ts';

/** The options as a program gives them: undefined is the same as left out. */
export type GivenOptions = { readonly [name in keyof LibraryOptions]?: LibraryOptions[name] | undefined };

export interface LibraryOptions extends RenderOptions {
  all: boolean;
}

/** Checks options by the one table. Names that it does not have and values that do not fit are problems. */
export function readOptions(given: GivenOptions): { options: LibraryOptions; problems: Problem[] } {
  const known = optionsOf('library');
  const problems: Problem[] = [];
  const options: Record<string, unknown> = { ...defaultRenderOptions, all: false };
  const report = (name: string, message: string, hint?: string): void => {
    problems.push({ code: 'library-option', message, path: [name], ...(hint === undefined ? {} : { hint }) });
  };
  for (const [name, value] of Object.entries(asObject(given))) {
    if (value === undefined) continue;
    const option = known.find(([one]) => one === name)?.[1];
    if (option === undefined) {
      report(
        name,
        `unknown option '${name}'`,
        hintFor(
          name,
          known.map(([one]) => one),
        ),
      );
      continue;
    }
    const parsed = settingFromValue(option, value, 'library');
    if ('fault' in parsed) report(name, `${name}: ${parsed.fault}`, parsed.hint);
    else options[name] = parsed.value;
  }
  return { options: options as unknown as LibraryOptions, problems };
}

function asObject(given: unknown): object {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw new TypeError('options must be an object');
}

/** Other shells read these from files; a program has what is in them. */
const OF_INPUT = ['definitions', 'observed', 'openapi'];

const hintFor = (name: string, known: readonly string[]): string | undefined =>
  OF_INPUT.includes(name) ? `'${name}' stands in the input, beside 'objects'` : didYouMean(name, known, 1);
