import { isError, type Report } from '../diagnostics/diagnostic.ts';
import { toJsonText } from '../emit/json.ts';
import { toYaml } from '../emit/yaml.ts';
import { visible } from '../encoding/visible.ts';
import type { KubeObject } from '../model/object.ts';
import type { Settings } from '../options/table.ts';
import { exitCode, type Io } from './io.ts';

/** Prints the objects unless there are errors, and all reports. Yields the exit code. */
export async function conclude(
  objects: KubeObject[],
  reports: readonly Report[],
  { output, diagnostics }: Pick<Settings, 'output' | 'diagnostics'>,
  io: Io,
): Promise<number> {
  return concludeWith(() => objectsText(objects, output), reports, diagnostics, io);
}

/** Prints what `write` makes unless there are errors, and all reports. Yields the exit code. */
export async function concludeWith(
  write: () => string,
  reports: readonly Report[],
  form: Settings['diagnostics'],
  io: Io,
): Promise<number> {
  const failed = reports.some(isError);
  // The whole answer is made before its first byte goes out.
  const text = failed ? '' : write();
  io.stderr(await diagnosticsText(reports, form));
  if (text !== '') await io.stdout(text);
  return failed ? exitCode.input : exitCode.ok;
}

export const objectsText = (objects: KubeObject[], output: Settings['output']): string =>
  output === 'json' ? visible(`${toJsonText(objects, 2)}\n`) : toYaml(objects);

/** The reports as they are printed. Positions are worked out only when there are reports. */
export async function diagnosticsText(reports: readonly Report[], form: 'text' | 'json'): Promise<string> {
  if (reports.length === 0) return form === 'json' ? '[]\n' : '';
  const { describe } = await import('./describe.ts');
  return describe(reports, form);
}
