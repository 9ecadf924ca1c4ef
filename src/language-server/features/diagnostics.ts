import type { DiagnosticRelatedInformation, Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import { DIAGNOSTICS_PAGE } from '../../check/reports/index.ts';
import type { Diagnostic, Related, Remedy } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import type { Checked } from '../workspace/check.ts';
import type { Range, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { missingFilesIn } from './missing-files.ts';

/** What the fixes of a diagnostic read, besides its code. */
export interface DiagnosticData {
  readonly hint?: string | undefined;
  readonly remedies: readonly Remedy[];
}

const SEVERITIES = { error: 1, warning: 2, info: 3 } as const;
const UNNECESSARY = 1;

/** Returns the diagnostics of a file in all packages that read it. Golden tests report on their own files only. */
export function diagnosticsOf(file: SourceFile, workspace: Workspace): LspDiagnostic[] {
  const found = new Map<string, LspDiagnostic>();
  const isOurs = lazily(() => workspace.isOurs(file));
  for (const checked of workspace.checked) {
    const own = byFile(checked).get(file.uri) ?? [];
    if (own.length === 0) continue;
    const { plan } = checked;
    if (plan.isTest && !plan.files.some(({ uri }) => uri === file.uri)) continue;
    for (const one of own) {
      if (one.stage === 'parse' && !isOurs()) continue;
      if (one.code === 'yaml-syntax' && workspace.settings.hidesSyntax) continue;
      const key = [one.code, one.line, one.column, one.message].join(' ');
      if (!found.has(key)) found.set(key, toLsp(one, file, workspace));
    }
  }
  return [...found.values(), ...missingFilesIn(file, workspace)];
}

const known = new WeakMap<Checked, ReadonlyMap<string, readonly Diagnostic[]>>();

/** Returns the diagnostics of a package by their files. */
const byFile = (checked: Checked): ReadonlyMap<string, readonly Diagnostic[]> =>
  getOrCompute(known, checked, () => groupBy(checked.diagnostics, ({ file }) => file));

function toLsp(one: Diagnostic, file: SourceFile, workspace: Workspace): LspDiagnostic {
  const { severity, code, message, hint, remedies = [], related = [] } = one;
  return {
    range: rangeAt(file, one),
    severity: SEVERITIES[severity],
    code,
    codeDescription: { href: `${DIAGNOSTICS_PAGE}#${code}` },
    source: 'render-rgd',
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(code.startsWith('lint-unread') || code === 'lint-unused-variable' ? { tags: [UNNECESSARY] } : {}),
    ...(related.length === 0 ? {} : { relatedInformation: related.map((place) => relatedOf(place, workspace)) }),
    data: { hint, remedies } satisfies DiagnosticData,
  };
}

function relatedOf(place: Related, workspace: Workspace): DiagnosticRelatedInformation {
  const file = workspace.files.get(place.file);
  const at = { line: (place.line ?? 1) - 1, character: (place.column ?? 1) - 1 };
  const range = file === undefined ? { start: at, end: at } : rangeAt(file, place);
  return { location: { uri: place.file, range }, message: place.message };
}

/** Returns the range of a diagnostic, a name, or a value up to the end of its line. */
function rangeAt(file: SourceFile, { line = 1, column = 1, endColumn }: Partial<Diagnostic>): Range {
  const start = { line: line - 1, character: column - 1 };
  const rest = file.lines.lineText(line).slice(column - 1);
  const name = /^["']?[A-Za-z_$][\w$]*["']?(?=[:.,)\]}\s([]|$)/.exec(rest)?.[0];
  const value = rest.replace(/(?<!\s)\s+(?:#.*)?$/s, '');
  const length = endColumn === undefined ? (name ?? value).length : endColumn - column;
  return { start, end: { line: start.line, character: start.character + Math.max(length, 1) } };
}
