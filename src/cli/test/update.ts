import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expectationOf, rewriteExpected } from '../../authoring/golden/index.ts';
import { hasErrors, type Report } from '../../core/diagnostics/index.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import { readRegularText } from '../regular-file.ts';
import { unwritable } from '../report.ts';
import { type Change, replaceFiles } from '../write/index.ts';
import { FILES } from './case.ts';
import type { Outcome } from './run.ts';

/**
 * Writes the result of a test as its expectation; returns false if a file cannot be written. After an error there are
 * no expected objects.
 */
export function update({ folder, objects, diagnostics, expectsDiagnostics }: Outcome, reports: Report[]): boolean {
  const failed = hasErrors(diagnostics);
  const [file, list] = [join(folder, FILES.objects), join(folder, FILES.diagnostics)];
  const changes: Change[] = [{ file, output: failed ? undefined : [expectedText(file, objects)] }];
  if (failed || expectsDiagnostics) {
    const reported = diagnostics.filter(({ severity }) => severity !== 'info');
    const items = reported.map((one) => itemOf(expectationOf(one)));
    changes.push({ file: list, output: items.length === 0 ? ['[]\n'] : items });
  }
  const fault = replaceFiles(folder, changes, { below: folder });
  if (fault !== undefined) reports.push(unwritable(fault));
  return fault === undefined;
}

function expectedText(file: string, objects: Outcome['objects']): string {
  const all = objects.map(({ object }) => object);
  return existsSync(file) ? rewriteExpected(readRegularText(file), all) : toYaml(all);
}

/** JSON texts are valid YAML. */
const itemOf = (fields: Readonly<Record<string, string | number>>): string =>
  Object.entries(fields)
    .map(
      ([key, value], index) =>
        `${index === 0 ? '- ' : '  '}${key}: ${/^[a-z-]+$/.test(String(value)) ? value : JSON.stringify(value)}\n`,
    )
    .join('');
