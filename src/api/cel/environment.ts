import { lazily } from '../../core/model/lazily.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import {
  createEnvironment as create,
  type Environment as Functions,
  kroEnvironment,
  kubernetesEnvironment,
  type LibraryName,
  namedLibraries,
} from '../../languages/cel/index.ts';
import { listIn, optionsIn } from '../arguments.ts';

/**
 * The functions that expressions may call: `standard` is the language alone; `kubernetes` is what validation rules of
 * CRDs have (`x-kubernetes-validations`, Kubernetes 1.36); `kro` is what expressions in a ResourceGraphDefinition have.
 */
export type Dialect = 'standard' | 'kubernetes' | 'kro';

export interface EnvironmentOptions {
  /** The libraries beside the standard functions. Default: none. */
  readonly libraries?: readonly LibraryName[];
  /** Whether numbers of two types can be compared with `<` and the like. Default: true. */
  readonly crossTypeComparisons?: boolean;
}

declare const created: unique symbol;

/** The functions that expressions may call. `createEnvironment` creates one, for any number of expressions. */
export interface Environment {
  readonly [created]: true;
  /** The names of all functions and operators, sorted: `_+_`, `base64.encode`, `size`. */
  readonly functionNames: readonly string[];
}

const functionsOf = new WeakMap<Environment, Functions>();

/** The names of all libraries, sorted; a name comes from cel-go (`ext.`), Kubernetes or kro. */
export const libraryNames: readonly LibraryName[] = Object.freeze(Object.keys(namedLibraries).sort() as LibraryName[]);

/** @throws TypeError for an unknown library */
export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  const { libraries = [], crossTypeComparisons = true } = optionsIn(options, ['libraries', 'crossTypeComparisons']);
  const chosen = listIn(libraries, 'libraries').map((name) => {
    if (Object.hasOwn(namedLibraries, name)) return namedLibraries[name];
    const hint = didYouMean(name, libraryNames);
    throw new TypeError(`unknown library '${name}'${hint === undefined ? '' : `; ${hint}`}`);
  });
  const functions = create(chosen, { typeNames: true, crossTypeComparisons });
  const functionNames = Object.freeze([...functions.functionNames()].sort());
  const environment = Object.freeze({ functionNames }) as unknown as Environment;
  functionsOf.set(environment, functions);
  return environment;
}

const DIALECTS: Readonly<Record<Dialect, () => Functions>> = {
  kubernetes: kubernetesEnvironment,
  kro: kroEnvironment,
  standard: lazily(() => create([], { typeNames: true, crossTypeComparisons: true })),
};

/** Returns the functions of a dialect or of an environment. @throws TypeError for any other value */
export function functionsIn(given: Dialect | Environment): Functions {
  if (typeof given === 'string' && Object.hasOwn(DIALECTS, given)) return DIALECTS[given]();
  const own = typeof given === 'object' && given !== null ? functionsOf.get(given) : undefined;
  if (own !== undefined) return own;
  throw new TypeError("environment must be 'standard', 'kubernetes', 'kro' or made by createEnvironment");
}
