import { readInput } from '../../authoring/input/index.ts';
import { outputReports } from '../../authoring/plugin/index.ts';
import type { Collector } from '../../core/diagnostics/index.ts';
import { objectsToPrint } from '../../kubernetes/select/index.ts';
import { renderOverEarlier } from '../../render/rerender/index.ts';
import { readerWith } from '../gather.ts';
import { type Output, objectsOutput } from '../output.ts';
import { withTraces } from '../traces.ts';
import { build, checkGiven } from './build.ts';
import type { Given } from './given.ts';

/**
 * Renders the current folder. Prints every object for a cluster: Argo CD prunes others. One object per line, as JSON,
 * because Argo CD reads it several times faster than YAML.
 */
export function generate(given: Given, reports: Collector): Output {
  checkGiven(given, reports);
  if (reports.hasErrors) return [];
  const { settings, within } = given;
  const options = { exclude: settings.exclude, within };
  const texts = build(given, reports);
  if (reports.hasErrors) return [];
  const input = withTraces(readInput(texts, settings, readerWith(options), reports), () => [given.repository], within);
  const output = renderOverEarlier(input, settings);
  const printed = objectsToPrint(output, { all: true }).objects;
  const all = { entries: output.entries, reports: [...reports, ...output.reports] };
  reports.replaceAll(outputReports(all, printed, settings.allowEmpty));
  return reports.hasErrors ? [] : objectsOutput(printed, 'lines');
}
