import type { Functions, GoFunction } from '../run/function.ts';
import { dateFunctions } from './dates.ts';
import { defaultFunctions } from './defaults.ts';
import { dictFunctions } from './dicts.ts';
import { encodingFunctions } from './encoding.ts';
import { jsonFunctions } from './json.ts';
import { languageFunctions } from './language.ts';
import { listFunctions } from './lists.ts';
import { numberFunctions } from './numbers.ts';
import { pathFunctions } from './paths.ts';
import { reflectionFunctions } from './reflection.ts';
import { regexFunctions } from './regex.ts';
import { stringFunctions } from './strings.ts';
import { urlFunctions } from './urls.ts';

let table: ReadonlyMap<string, GoFunction> | undefined;

/**
 * The functions of text/template, and those of slim-sprig (https://go-task.github.io/slim-sprig/) with deterministic
 * results: none that reads the time, the environment, the network or random numbers.
 */
export const standardFunctions: Functions = (name) => standardTable().get(name);

/** Their names, sorted. */
export const standardNames = (): string[] => [...standardTable().keys()].sort();

function standardTable(): ReadonlyMap<string, GoFunction> {
  table ??= new Map([
    ...languageFunctions,
    ...defaultFunctions,
    ...stringFunctions,
    ...numberFunctions,
    ...dictFunctions,
    ...listFunctions,
    ...jsonFunctions,
    ...regexFunctions,
    ...encodingFunctions,
    ...pathFunctions,
    ...urlFunctions,
    ...dateFunctions,
    ...reflectionFunctions,
  ]);
  return table;
}
