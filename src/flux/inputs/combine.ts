import { type Problem, phrase } from '../../core/diagnostics/index.ts';
import { adler32 } from '../../core/digest/hashes.ts';
import { setKey, type ValueMap } from '../../core/model/value.ts';
import { utf8 } from '../../core/text/utf8.ts';
import type { ResourceSetSpec } from '../spec.ts';

/** Returns the id in templates: the Adler-32 of a text. */
export const inputId = (text: string): string => String(adler32(utf8(text)));

/** The input sets of a provider, and the metadata that is added to them. */
export interface ProviderInputs {
  apiVersion: string;
  kind: string;
  name: string;
  namespace: string;
  inputs: readonly ValueMap[];
}

/** An input set for templates, and its title. */
export interface InputSet {
  values: ValueMap;
  title: string;
  /** Its place in the list of its provider; undefined for a combination of several. */
  index: number | undefined;
  /** The name of its provider; undefined for an input set of the ResourceSet itself, and for a combination. */
  provider: string | undefined;
}

const MAX_PERMUTATIONS = 10_000;

/** Returns all input sets of a ResourceSet; the first provider is the set itself. */
export function combineInputs(
  { strategy, includeEmptyProviders }: ResourceSetSpec,
  providers: readonly ProviderInputs[],
  report: (problem: Problem) => void,
): InputSet[] {
  const sets = providers.map(inputSetsOf);
  if (strategy === 'Flatten') return sets.flat();
  const dimensions = providers.map((provider, at) => ({ provider, sets: sets[at] ?? [] }));
  const taken = dimensions.filter((one) => includeEmptyProviders || one.sets.length > 0);
  return permute(taken, report);
}

/** Returns the input sets of a provider, which share its metadata. */
function inputSetsOf({ inputs, ...provider }: ProviderInputs): InputSet[] {
  const name = provider.kind === 'ResourceSet' ? undefined : provider.name;
  const of = name === undefined ? '' : ` of ${provider.kind}/${name}`;
  return inputs.map((values, index) => {
    return { values: { ...values, provider }, title: `inputs[${index}]${of}`, index, provider: name };
  });
}

/** Returns every combination of one input set of each provider; the last provider varies fastest. */
function permute(
  dimensions: readonly { provider: ProviderInputs; sets: readonly InputSet[] }[],
  report: (problem: Problem) => void,
): InputSet[] {
  const names = dimensions.map(({ provider }) => templateName(provider.name));
  const path = ['spec', 'inputStrategy'];
  const fault = (message: string, hint: string): InputSet[] => {
    report({ code: 'permutation', message: phrase`${message}`, path, hint: phrase`${hint}` });
    return [];
  };
  const titleAt = (at: number): string => `${dimensions[at]?.provider.kind}/${dimensions[at]?.provider.name}`;
  const nameless = names.indexOf('');
  if (nameless >= 0) {
    const message = `${titleAt(nameless)} has no letter or digit to be called by in templates`;
    return fault(message, 'give it another name');
  }
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at || name === 'id');
  if (twice >= 0) {
    const message = `templates would have more than one value for inputs.${names[twice]}: ${titleAt(twice)} and another`;
    return fault(message, 'use a name that differs in more than punctuation');
  }
  const count = dimensions.reduce((product, { sets }) => product * sets.length, 1);
  if (count > MAX_PERMUTATIONS) {
    const message = `there are ${count} combinations of inputs, more than ${MAX_PERMUTATIONS}`;
    return fault(message, 'permute fewer or shorter lists');
  }
  if (dimensions.length === 0) return [];
  const combinations = dimensions.reduce<number[][]>(
    (all, { sets }) => all.flatMap((indexes) => sets.map((_, index) => [...indexes, index])),
    [[]],
  );
  return combinations.map((indexes) => {
    const values: ValueMap = {};
    for (const [at, { sets }] of dimensions.entries()) {
      setKey(values, names[at] ?? '', sets[indexes[at] ?? 0]?.values ?? {});
    }
    const parts = names.map((name, at) => `${name}=${indexes[at]}`);
    setKey(values, 'id', inputId(parts.join('/')));
    return { values, title: `the inputs ${parts.join(', ')}`, index: undefined, provider: undefined };
  });
}

/** Returns a name as a key that templates can write after a dot: `red-crab` is `red_crab`. */
export function templateName(name: string): string {
  const letters = name.toLowerCase().replace(/[\p{White_Space}\p{P}]/gu, '_');
  return letters
    .replace(/[^a-z0-9_]/g, '')
    .split('_')
    .filter((word) => word !== '')
    .join('_');
}
