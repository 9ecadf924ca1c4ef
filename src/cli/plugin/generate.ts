import { type Collector, publicText, type Report } from '../../core/diagnostics/index.ts';
import { objectsToPrint, refuseIncomplete } from '../../kubernetes/select/index.ts';
import { renderOverEarlier } from '../../render/rerender/index.ts';
import { type Output, objectsOutput } from '../output.ts';
import { readInput } from '../read-input.ts';
import { build } from './build.ts';
import { checkGiven } from './check.ts';
import type { Given } from './given.ts';

/**
 * Renders the current folder. Prints every object for a cluster: Argo CD prunes others. One object per line, as JSON,
 * because Argo CD reads it several times faster than YAML.
 */
export function generate(given: Given, reports: Collector): Output {
  checkGiven(given, reports);
  if (reports.hasErrors) return [];
  const { settings, within } = given;
  const options = { exclude: settings.exclude, stdin: new Uint8Array(), within };
  const input = readInput(build(given, reports), settings, options, reports);
  if (reports.hasErrors) return [];
  const output = renderOverEarlier(input, settings);
  for (const report of output.reports) reports.add(strictly(report));
  refuseIncomplete(output.entries, ARGO_CD, reports);
  if (reports.hasErrors) return [];
  const printed = objectsToPrint(output, { all: true }).objects;
  if (printed.length === 0 && !settings.allowEmpty) reportEmpty(reports);
  return objectsOutput(printed, 'lines');
}

/** Argo CD creates objects with generateName, for hooks. */
const ARGO_CD = {
  code: 'incomplete-object',
  reason: 'Argo CD applies no object without it',
  hint: 'complete the template',
  generatesNames: true,
} as const;

/**
 * An undefined instance would be applied unchanged, and its objects pruned. An object that only shares the group of an
 * RGD (`alike`: reported once for its kind) may belong to an operator.
 */
const strictly = (report: Report): Report =>
  report.code === 'undefined-kind' && report.alike === undefined ? { ...report, severity: 'error' } : report;

function reportEmpty(reports: Collector): void {
  const message = publicText`nothing is left to apply, which would delete everything that was`;
  reports.add({ code: 'empty-output', message, path: [], hint: publicText`add an instance, or set allowEmpty` });
}
