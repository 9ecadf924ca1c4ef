import { expect } from 'vitest';
import {
  ARGUMENTS_OF_CODES,
  Collector,
  format,
  Message,
  type Problem,
  type Report,
  toReport,
} from '../src/core/diagnostics/index.ts';

/** Problems with their texts, as they are reported. */
export const asReports = <P extends Problem>(problems: readonly P[]) =>
  problems.map((problem) => ({ ...problem, ...toReport(problem) }));

// A message equals its text, so that tests compare problems with strings.
expect.addEqualityTesters([
  (one: unknown, other: unknown): boolean | undefined => {
    if (one instanceof Message && typeof other === 'string') return format(one) === other;
    if (other instanceof Message && typeof one === 'string') return format(other) === one;
    return undefined;
  },
]);

const { add } = Collector.prototype;

/** Every argument of every test is listed for its code: docs/diagnostics.md and the schema of diagnostics have these. */
function addChecked(this: Collector, report: Report): void {
  const listed: readonly string[] = Reflect.get(ARGUMENTS_OF_CODES, report.code) ?? [];
  const unlisted = Object.keys(report.args ?? {}).filter((name) => !listed.includes(name));
  if (unlisted.length > 0) throw new Error(`ARGUMENTS_OF_CODES does not list ${report.code} ${unlisted.join(' ')}`);
  add.call(this, report);
}

// Test files share their modules.
if (add.name !== addChecked.name) Collector.prototype.add = addChecked;
