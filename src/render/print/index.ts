import { type Collector, publicText, type Report } from '../../core/diagnostics/index.ts';
import type { Entry } from '../../core/model/render.ts';
import { refuseIncomplete } from '../../kubernetes/select/index.ts';

/** How the objects of a rendering are given out. */
export interface PrintSettings {
  readonly allowEmpty: boolean;
  readonly output: string;
  /** The folder that files are written to; '' for printed objects. */
  readonly outputDir: string;
}

/** It is printed, as `flux-operator build rset` does. */
const PRINTED = {
  code: 'incomplete-object',
  reason: 'API servers reject an object without it',
  hint: 'complete the template',
  severity: 'warning',
  generatesNames: true,
} as const;

/** A file is named after its object, and told from others by the group too. */
const TREE = {
  code: 'tree-clash',
  reason: 'no file can be named after it',
  hint: 'complete the template; without --output-dir it is printed',
} as const;

/** Reports what people should know of an answer before they use it: objects left out, nothing at all, incomplete objects. */
export function reportPrinted(
  entries: readonly Entry[],
  { printed, leftOut }: { printed: number; leftOut: number },
  settings: PrintSettings,
  reports: Collector,
): void {
  if (leftOut > 0) {
    const message = publicText`${leftOut} object${leftOut === 1 ? ' was' : 's were'} left out; --all prints them`;
    reports.add({ code: 'left-out', message, path: [], severity: 'info' });
  }
  if (printed === 0 && !settings.allowEmpty && !reports.hasErrors) reports.add(nothingPrinted(leftOut, settings));
  refuseIncomplete(entries, settings.outputDir === '' ? PRINTED : TREE, reports);
}

/**
 * An empty answer deletes everything where prune is on, so somebody has to ask for it. The empty list of JSON is an
 * answer that a program can see: it is an error only where objects of the input are missing from it.
 */
function nothingPrinted(leftOut: number, { outputDir, output }: PrintSettings): Report {
  const all = leftOut > 0 ? '; --all prints the other objects' : '';
  const allowed = outputDir === '' ? 'prints nothing without an error' : 'removes the files of an earlier run';
  const hint = publicText`add an instance and its RGD, or name their folders${all}; --allow-empty ${allowed}`;
  const isList = output === 'json' && outputDir === '' && leftOut === 0;
  const severity = isList ? 'warning' : 'error';
  return { code: 'empty-output', message: publicText`nothing is rendered`, path: [], hint, severity };
}
