import { hasErrors, type Report } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { Settings } from '../options/index.ts';
import { type Reporting, reportsText } from './describe.ts';
import { exitCode, type Io } from './io.ts';
import { type Output, objectsOutput } from './output.ts';

/** Prints the objects unless there are errors, and all reports. Yields the exit code. */
export function conclude(
  objects: readonly KubeObject[],
  reports: readonly Report[],
  settings: Pick<Settings, 'output' | Reporting>,
  io: Io,
): number {
  return concludeWith(() => objectsOutput(objects, settings.output), reports, settings, io);
}

/** Prints what `write` makes unless there are errors, and all reports. Yields the exit code. */
export function concludeWith(
  write: () => Output,
  reports: readonly Report[],
  settings: Pick<Settings, Reporting>,
  io: Io,
): number {
  const failed = hasErrors(reports);
  // The whole answer is made before its first byte goes out.
  const output = failed ? [] : write();
  io.stderr(reportsText(reports, settings));
  io.stdout(output);
  return failed ? exitCode.input : exitCode.ok;
}
