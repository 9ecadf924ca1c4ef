import { isError, type Report } from '../diagnostics/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import type { Settings } from '../options/table.ts';
import { diagnosticsText } from './describe.ts';
import { exitCode, type Io } from './io.ts';
import { type Output, objectsOutput } from './output.ts';

/** Prints the objects unless there are errors, and all reports. Yields the exit code. */
export function conclude(
  objects: readonly KubeObject[],
  reports: readonly Report[],
  { output, diagnostics }: Pick<Settings, 'output' | 'diagnostics'>,
  io: Io,
): number {
  return concludeWith(() => objectsOutput(objects, output), reports, diagnostics, io);
}

/** Prints what `write` makes unless there are errors, and all reports. Yields the exit code. */
export function concludeWith(
  write: () => Output,
  reports: readonly Report[],
  form: Settings['diagnostics'],
  io: Io,
): number {
  const failed = reports.some(isError);
  // The whole answer is made before its first byte goes out.
  const output = failed ? [] : write();
  io.stderr(diagnosticsText(reports, form));
  io.stdout(output);
  return failed ? exitCode.input : exitCode.ok;
}
