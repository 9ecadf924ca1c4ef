import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expectationOf, rewriteExpected } from '../../authoring/golden/index.ts';
import { hasErrors, type Report } from '../../core/diagnostics/index.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import { writeText } from '../report.ts';
import { FILES } from './case.ts';
import type { Outcome } from './run.ts';

/**
 * Writes the result of a test as its expectation; returns false if a file cannot be written. After an error there are
 * no expected objects.
 */
export function update({ folder, objects, diagnostics, expectsDiagnostics }: Outcome, reports: Report[]): boolean {
  const write = (path: string, content: string): boolean => {
    const unwritten = writeText(path, content);
    reports.push(...unwritten);
    return unwritten.length === 0;
  };
  const failed = hasErrors(diagnostics);
  const file = join(folder, FILES.objects);
  if (failed && existsSync(file)) rmSync(file);
  const all = objects.map(({ object }) => object);
  const text = existsSync(file) ? rewriteExpected(readFileSync(file, 'utf8'), all) : toYaml(all);
  const written = failed || write(file, text);
  if (!failed && !expectsDiagnostics) return written;
  const reported = diagnostics.filter(({ severity }) => severity !== 'info');
  const list = reported.length === 0 ? '[]\n' : reported.map((one) => itemOf(expectationOf(one))).join('');
  return write(join(folder, FILES.diagnostics), list) && written;
}

/** JSON texts are valid YAML. */
const itemOf = (fields: Readonly<Record<string, string | number>>): string =>
  Object.entries(fields)
    .map(
      ([key, value], index) =>
        `${index === 0 ? '- ' : '  '}${key}: ${/^[a-z-]+$/.test(String(value)) ? value : JSON.stringify(value)}\n`,
    )
    .join('');
