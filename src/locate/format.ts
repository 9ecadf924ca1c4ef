import type { Diagnostic } from '../diagnostics/index.ts';
import { visible, visibleOnOneLine } from '../text/visible.ts';
import { createExcerpts } from './excerpt.ts';

const FIELDS = [
  'severity',
  'code',
  'stage',
  'object',
  'node',
  'field',
  'file',
  'line',
  'column',
  'message',
  'hint',
] as const satisfies readonly (keyof Diagnostic)[];

/**
 * Diagnostics for people, a line each: `FILE:LINE:COL: error[CODE] OBJECT node NODE FIELD: message`, without the parts
 * that a diagnostic lacks. With the texts of the files at hand the line in question follows, a caret under the place.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], sources?: ReadonlyMap<string, string>): string {
  const excerptOf = createExcerpts(sources ?? new Map());
  let text = '';
  for (const diagnostic of diagnostics) {
    const shown = excerptOf(diagnostic);
    text += `${headline(diagnostic)}\n`;
    if (shown !== undefined) text += indented(shown, '    ');
    if (diagnostic.hint !== undefined) text += indented(`hint: ${diagnostic.hint}`, '  ');
  }
  return visible(text);
}

/** One JSON array. */
export function formatDiagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const ordered = diagnostics.map((diagnostic) =>
    Object.fromEntries(FIELDS.filter((key) => diagnostic[key] !== undefined).map((key) => [key, diagnostic[key]])),
  );
  return visible(`${JSON.stringify(ordered, null, 2)}\n`);
}

function headline(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, object, node, field, message } = diagnostic;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const subject = [object, node && `node ${node}`, field].filter((part) => part !== undefined && part !== '').join(' ');
  const what = [`${severity}[${code}]`, subject].filter((part) => part !== '').join(' ');
  return `${visibleOnOneLine(`${place === '' ? '' : `${place}: `}${what}`)}: ${message.replaceAll('\n', '\n  ')}`;
}

const indented = (text: string, indentation: string): string => `${text.replace(/^/gm, indentation)}\n`;
