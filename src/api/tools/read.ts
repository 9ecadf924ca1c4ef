import { Collector, hasErrors, type Report, type Text } from '../../core/diagnostics/index.ts';
import type { RenderInput as PackageInput } from '../../core/model/render.ts';
import { objectIn, reportUnknown } from '../arguments.ts';
import { readOptions } from '../options.ts';
import { readPackageInput } from '../package.ts';
import type { RenderInput, RenderOptions } from '../types.ts';

/** Two versions of a package. */
export interface VersionsInput {
  readonly before: RenderInput;
  readonly after: RenderInput;
}

/** @throws TypeError as `render` does */
export function readVersions(input: VersionsInput, given: RenderOptions, more: readonly string[] = []) {
  const reports = new Collector();
  const options = readOptions(given, reports);
  objectIn(input, 'the input', 'before and after');
  reportUnknown(input, ['before', 'after', ...more], [], reports);
  const read = (name: 'before' | 'after'): PackageInput =>
    readPackageInput(input[name], options, reports, { at: [name] });
  return { before: read('before'), after: read('after'), options, reports };
}

/** Reports that the requested object does not exist, unless an error explains it. */
export function withFault(fault: Text | undefined, reports: readonly Report[]): readonly Report[] {
  if (fault === undefined || hasErrors(reports)) return reports;
  return [...reports, { code: 'not-found', message: fault, path: [] }];
}

/** @throws TypeError for other values than strings */
export function textIn(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  return value;
}
