import {
  Collector,
  composeText,
  fullTitle,
  hiddenTitleOf,
  phrase,
  type Report,
  reporterFor,
  shownTitleOf,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { groupKindOf, type InputObject } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { enumerated } from '../../core/text/clip.ts';
import { visibleOnOneLine } from '../../core/text/visible.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import {
  DANGER_CODES,
  diffPackages,
  fieldChanges,
  headline,
  instanceOfReviewed,
  type ObjectChange,
  warningsOf,
} from '../diff/index.ts';

/**
 * Reports instances that a newer version of RGDs rejects, defaults that now apply, and how their objects change.
 * Dangers come first.
 */
export function compareInstances(
  before: { input: RenderInput; graphs: Graphs },
  after: { input: RenderInput; graphs: Graphs },
  instances: readonly InputObject[],
  options: RenderOptions & { holdsData?: readonly string[] },
): readonly Report[] {
  const reports = new Collector();
  const accepted = instances.filter((input) => {
    const kind = groupKindOf(input.object);
    const old = before.graphs.get(kind);
    const newer = after.graphs.get(kind);
    if (old === undefined || newer === undefined) return false;
    const [was, is] = [old, newer].map(({ admission }) => admission.admit(input.object)) as [Admitted, Admitted];
    if (was.problems.length > 0) return false;
    const own = new Collector();
    const reporter = reporterFor(input, own);
    for (const problem of is.problems) {
      const message = phrase`the newer version rejects the instance: ${problem.message}`;
      reporter.report({ code: 'instance-change', message, path: problem.path });
    }
    for (const { path, after: value } of is.problems.length > 0 ? [] : fieldChanges(was.object, is.object, undefined)) {
      const message = phrase`the default of ${path} applies: ${toJsonText(value ?? null)}`;
      reporter.report({ code: 'instance-change', message, path: ['spec'], severity: 'info' });
    }
    // The title has the namespace, as those of its objects have.
    for (const one of own) reports.add({ ...one, object: fullTitle(input.object, hiddenTitleOf(input.secret)) });
    return is.problems.length === 0;
  });
  const known = new Set(instances.map(({ object }) => object as unknown));
  const rendered = ({ objects, ...rest }: RenderInput): RenderInput => ({
    ...rest,
    objects: [...objects.filter(({ object }) => !known.has(object)), ...accepted],
  });
  const { comparison, reports: found } = diffPackages(rendered(before.input), rendered(after.input), {
    ...options,
    all: false,
  });
  const byTitle = new Map<string, InputObject>(accepted.map((input) => [shownTitleOf(input), input]));
  for (const change of comparison.changes) {
    const shownObject = change.before ?? change.after;
    const source = byTitle.get(shownObject?.place?.instance ?? '')?.source;
    const object = shownObject && instanceOfReviewed(shownObject);
    const about = { path: [], ...(object && { object }), ...(source && { source }) };
    for (const { kind, message } of warningsOf(change, options.holdsData ?? [])) {
      reports.add({ code: DANGER_CODES[kind], message, ...about, severity: 'warning' });
    }
    const severity = change.change === 'removed' || change.change === 'replaced' ? 'warning' : 'info';
    reports.add({ code: 'instance-change', message: sentenceOf(change), ...about, severity });
  }
  const all = [...reports.all, ...found.filter(({ code }) => code !== 'node-skipped')];
  return all.sort((a, b) => dangerOf(a) - dangerOf(b));
}

type Admitted = ReturnType<Graph['admission']['admit']>;

/** `changed Deployment web/blog (Website web/blog, node server): spec.replicas, spec.paused` */
function sentenceOf(change: ObjectChange): Text {
  const fields = change.change === 'changed' ? change.fields.map(({ path }) => path) : [];
  return composeText`${headline(change)}${fields.length === 0 ? '' : composeText`: ${trusted.redacted(enumerated(fields, 5))}`}`;
}

export const isDanger = ({ code }: Report): boolean => code.startsWith('danger-');

function dangerOf(report: Report): number {
  if ((report.severity ?? 'error') === 'error') return 0;
  return isDanger(report) ? 1 : report.severity === 'warning' ? 2 : 3;
}

export function instanceTable(reports: readonly Report[]): string {
  const rows = reports.map((report) => [
    isDanger(report) ? 'danger' : (report.severity ?? 'error'),
    report.object ?? '',
    visibleOnOneLine(report.message),
  ]);
  const widths = [0, 1].map((at) => rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0));
  return rows.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('');
}
