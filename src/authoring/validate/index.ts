import { Collector, type Diagnostic, hasErrors, isPending, type Report } from '../../core/diagnostics/index.ts';
import { addTo } from '../../core/model/group-by.ts';
import { textsByFile, titleOf } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { graph } from '../../graph/index.ts';
import { withNested } from '../../kro/expand/index.ts';
import { kro, kroWith } from '../../kro/front-end.ts';
import { withFrontEnd } from '../../kubernetes/front-end/index.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import { applying, refuseIncomplete } from '../../kubernetes/select/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { renderWithSessions } from '../../render/pipeline.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import { createLinter, lintSets } from '../lint/index.ts';
import type { FileReport } from '../reports/index.ts';
import { checkObjects } from './objects.ts';
import { checkPolicies, type PolicyOptions } from './policies.ts';
import { checkQuotas } from './quotas.ts';

export { checkPolicies } from './policies.ts';

export interface ValidateOptions extends PolicyOptions {
  disable?: readonly string[];
  /** Caches the results of compiling RGDs, for further validations of the same parsed objects. */
  keeps?: boolean;
}

/** Reports every error of a package: none hides others, pending values are infos, missing objects warnings. */
export function validatePackage(
  input: RenderInput,
  { disable = [], keeps = false, ...options }: ValidateOptions,
  frontEnds = FRONT_ENDS,
) {
  const reports = new Collector();
  const asked: RenderOptions = { ...options, onPending: 'skip', order: 'none' };
  const linter = createLinter();
  const listening = withFrontEnd(kroWith(linter.onExpression, keeps), frontEnds);
  const output = renderWithSessions({ undescribed: 'warning', ...input }, asked, listening);
  reports.addAll(output.reports);
  refuseIncomplete(output.entries, applying('API servers reject an object without it'), reports);
  const rgds = output.of(kro);
  if (rgds?.expansion !== undefined) {
    const { pack, graphs, kinds, expansion } = rgds;
    const nested = expansion.runs.flatMap(withNested).map(({ instance }) => instance);
    const objects = [...pack.candidates.map(({ object }) => object), ...nested];
    linter.lint({ definitions: pack.definitions, graphs, objects }, disable, reports);
    checkObjects(expansion, kinds, asked, reports);
  }
  const graphs = output.of(graph);
  for (const one of graphs?.expansions ?? []) checkObjects(one, graphs?.kinds ?? builtinKinds, asked, reports);
  checkPolicies(input, options, output, reports);
  checkQuotas(output, options.namespace, reports);
  // Other inputs replace the written ones.
  if (input.inputSets === undefined && !hasErrors(reports.all)) {
    lintSets(flattenObjects(input.objects, new Collector()), disable, reports);
  }
  // The instances that nothing defines were not checked.
  const undefinedKinds = reports.all.filter(({ code }) => code === 'undefined-kind').map(({ source }) => source);
  const checked = rgds?.expansion?.runs.length ?? 0;
  const instances = { checked, all: checked + new Set(undefinedKinds).size };
  return { reports: foldReports(reports.all), rendering: output, instances };
}

/** Converts reports for validation, which prints nothing: nodes that only read pending ones are infos. */
function foldReports(reports: readonly Report[]): Report[] {
  return reports
    .filter(({ code }) => code !== 'no-instances' && code !== 'owner-reference')
    .map((report) => (report.code === 'pending-reader' ? { ...report, severity: 'info' } : report));
}

/** Reports whether a folded report is only a consequence of a pending value. */
export const isOnlyPending = (report: Report): boolean => isPending(report) && report.severity === 'info';

export const textsIn = ({ objects, definitions = [] }: RenderInput): Map<string, string> =>
  textsByFile([...objects, ...definitions]);

/** Returns what was checked, file by file in the order of reading: every object, and files with broken text. */
export function lookedAt(input: RenderInput, reports: readonly Report[]): FileReport[] {
  const files = new Map<string, string[]>();
  const objects = objectsIn([...input.objects, ...(input.definitions ?? [])]);
  for (const { object, source } of objects) {
    if (source !== undefined) addTo(files, source.file, titleOf(object));
  }
  for (const { source } of reports) if (source !== undefined && !files.has(source.file)) files.set(source.file, []);
  return [...files].map(([file, titles]) => ({ file, objects: titles }));
}

/** An expression that is not read explains other diagnostics of its file, and kro 0.10 rejects it. */
const isFirst = ({ code }: Diagnostic): number => Number(code === 'unclosed-expression');

/** Sorts diagnostics by file and position: those without a file first, unclosed expressions first in theirs. */
export function inFileOrder<T extends Diagnostic>(diagnostics: readonly T[], order: readonly string[]): T[] {
  const files = new Map<string | undefined, number>([[undefined, -1], ...order.map((file, at) => [file, at] as const)]);
  const rank = ({ file }: T): number => files.get(file) ?? files.size;
  return [...diagnostics].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      isFirst(b) - isFirst(a) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}
