import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasErrors } from '../../diagnostics/index.ts';
import { toYaml } from '../../emit/index.ts';
import { expectationOf } from '../../testing/index.ts';
import type { Io } from '../io.ts';
import { writeText } from '../report.ts';
import { FILES } from './case.ts';
import type { Outcome } from './run.ts';

/** Writes down what a test came to; false when a file cannot be written. What fails expects no objects. */
export function update({ folder, objects, diagnostics, expectsDiagnostics }: Outcome, io: Io): boolean {
  const failed = hasErrors(diagnostics);
  const file = join(folder, FILES.objects);
  if (failed && existsSync(file)) rmSync(file);
  const written = failed || writeText(file, toYaml(objects.map(({ object }) => object)), io);
  if (!failed && !expectsDiagnostics) return written;
  const told = diagnostics.filter(({ severity }) => severity !== 'info');
  const text = told.length === 0 ? '[]\n' : told.map((one) => itemOf(expectationOf(one))).join('');
  return writeText(join(folder, FILES.diagnostics), text, io) && written;
}

/** JSON texts are YAML. */
const itemOf = (fields: Readonly<Record<string, string | number>>): string =>
  Object.entries(fields)
    .map(
      ([key, value], index) =>
        `${index === 0 ? '- ' : '  '}${key}: ${/^[a-z-]+$/.test(String(value)) ? value : JSON.stringify(value)}\n`,
    )
    .join('');
