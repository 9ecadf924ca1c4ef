import { type Code, codeEntry, type Diagnostic, type Report } from '../diagnostics/index.ts';
import { formatPath } from '../model/path.ts';
import type { Locator } from './locate.ts';

/** Faults of a key rather than of what stands under it. */
const ABOUT_KEYS: ReadonlySet<Code> = new Set<Code>([
  'duplicate-key',
  'rgd-unknown-field',
  'unknown-template-field',
  'iterator-name',
  'reserved-key',
]);

/** The finished form of a report. Its fields come in the order in which `--diagnostics json` prints them. */
export function toDiagnostic(report: Report, locator: Locator): Diagnostic {
  const { code, object, node, source, hint } = report;
  const field = formatPath(report.field ?? report.path);
  return {
    severity: report.severity ?? 'error',
    code,
    stage: codeEntry(code).stage,
    ...(object === undefined ? {} : { object }),
    ...(node === undefined ? {} : { node }),
    ...(field === '' ? {} : { field }),
    ...(source === undefined ? {} : { file: source.file }),
    ...positionOf(report, locator),
    message: report.message,
    ...(hint === undefined ? {} : { hint }),
  };
}

function positionOf(report: Report, locator: Locator): { line?: number; column?: number } {
  const { source, offset } = report;
  if (report.position !== undefined) return { line: report.position.line, column: report.position.column };
  if (source === undefined) return {};
  const place = locator.locate({
    text: source.text,
    document: source.document,
    path: [...source.path, ...report.path],
    ...(offset === undefined ? {} : { offset }),
    target: ABOUT_KEYS.has(report.code) ? 'key' : 'value',
  });
  return place === undefined ? {} : { line: place.line, column: place.column };
}
