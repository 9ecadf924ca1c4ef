/** Checks the arguments of the library, whose types do not hold at run time. */

import { type Collector, composeText, trusted } from '../core/diagnostics/index.ts';
import { formatPath, ownValue, type Path } from '../core/model/value.ts';
import { didYouMean } from '../core/text/nearest.ts';

/** @throws TypeError for other values than objects */
export function objectIn<T extends object>(given: T, name: string, holds = ''): T {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw new TypeError(`${name} must be an object${holds === '' ? '' : ` with ${holds}`}`);
}

/** @throws TypeError for other values than lists */
export function listIn<T>(given: readonly T[], name: string): readonly T[] {
  if (Array.isArray(given)) return given;
  throw new TypeError(`${name} must be a list`);
}

/** @throws TypeError for other values than strings */
export function textIn(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  return value;
}

/** @throws TypeError for other values than the names of `formats` */
export function formatIn<T>(formats: Readonly<Record<string, T>>, name: string, of: string): T {
  if (!Object.hasOwn(formats, name)) throw new TypeError(`no format of ${of}: ${String(name)}`);
  return formats[name] as T;
}

/** Members that belong to the options of other calls, or to `compile` only. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  definitions: "'definitions' are given to compile",
  openapi: "'openapi' is given to compile",
};

/** Reports unknown members of the input, like unknown options. */
export function reportUnknown(given: object, known: readonly string[], at: Path, reports: Collector): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    const hint = ownValue(ELSEWHERE, name) ?? didYouMean(name, known, 1);
    const message = `unknown member '${name}' of ${at.length === 0 ? 'the input' : formatPath(at)}`;
    reportArgument('input', [...at, name], message, hint, reports);
  }
}

/** Reports a part of an argument, `of`, that is ignored. */
export function reportArgument(
  of: 'input' | 'options',
  path: Path,
  message: string,
  hint: string | undefined,
  reports: Collector,
): void {
  reports.add({
    code: 'library-option',
    object: composeText`${of}`,
    message: trusted.argument(message),
    path,
    ...(hint !== undefined && { hint: trusted.argument(hint) }),
  });
}

/** @throws TypeError for an unknown name, and for other values than objects */
export function optionsIn<T extends object>(given: T, known: readonly string[], name = 'options'): T {
  for (const [key, value] of Object.entries(objectIn(given, name))) {
    if (value === undefined || known.includes(key)) continue;
    const hint = didYouMean(key, known);
    throw new TypeError(`${name}: unknown option '${key}'${hint === undefined ? '' : `; ${hint}`}`);
  }
  return given;
}
