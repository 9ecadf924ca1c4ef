import { type Collector, composeText, type Report, told } from '../../core/diagnostics/index.ts';
import type { Entry } from '../../core/model/render.ts';
import { refuseIncomplete } from '../../kubernetes/select/index.ts';

export interface PrintSettings {
  readonly allowEmpty: boolean;
  readonly output: string;
  /** The output directory; '' for standard output. */
  readonly outputDir: string;
}

/** The object is printed, as `flux-operator build rset` does. */
const PRINTED = {
  code: 'incomplete-object',
  reason: 'API servers reject an object without it',
  hint: 'complete the template',
  severity: 'warning',
  generatesNames: true,
} as const;

/** The name of a file contains the kind and the name of its object, and the group if needed. */
const TREE = {
  code: 'tree-clash',
  reason: 'no file can be named after it',
  hint: 'complete the template; without --output-dir it is printed',
} as const;

/** Reports what users need to know before they use the output: omitted objects, an empty output, incomplete objects. */
export function reportPrinted(
  entries: readonly Entry[],
  { printed, leftOut }: { printed: number; leftOut: number },
  settings: PrintSettings,
  reports: Collector,
): void {
  if (leftOut > 0 && !reports.hasErrors) {
    const message = told`${{ count: leftOut }} object${leftOut === 1 ? ' was' : 's were'} omitted; --all prints them`;
    reports.add({ code: 'left-out', ...message, path: [], severity: 'info' });
  }
  if (printed === 0 && !settings.allowEmpty && !reports.hasErrors) {
    const hasInstances = entries.some(({ role }) => role === 'instance');
    reports.add(nothingPrinted({ leftOut, hasInstances }, settings));
  }
  refuseIncomplete(entries, settings.outputDir === '' ? PRINTED : TREE, reports);
}

/** If pruning is enabled, an empty output deletes everything; a program sees an empty JSON list. */
function nothingPrinted(
  { leftOut, hasInstances }: { leftOut: number; hasInstances: boolean },
  { outputDir, output }: PrintSettings,
): Report {
  const all = leftOut > 0 ? '; --all prints the other objects' : '';
  const fix = hasInstances
    ? 'every node of the instances is omitted, as --verbose shows'
    : 'add an instance and its RGD, or name their folders';
  const allowed = outputDir === '' ? 'prints nothing without an error' : 'removes the files of an earlier run';
  const hint = composeText`${fix}${all}; --allow-empty ${allowed}`;
  const isList = output === 'json' && outputDir === '' && leftOut === 0;
  const severity = isList ? 'warning' : 'error';
  return { code: 'empty-output', message: composeText`nothing is rendered`, path: [], hint, severity };
}
