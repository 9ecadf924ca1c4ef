import { DIAGNOSTIC_FIELDS, type Diagnostic, type Severity } from '../../core/diagnostics/index.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { createExcerpts } from './excerpt.ts';

/**
 * Formats diagnostics as text, a line each: `FILE:LINE:COL: error[CODE] OBJECT node NODE FIELD: message`, without the
 * parts that a diagnostic lacks. If the text of the file is known, the line follows with a caret under the position.
 * `colors` highlights locations and severities for a terminal.
 */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources?: ReadonlyMap<string, string>,
  colors = false,
): string {
  const excerptOf = createExcerpts(sources ?? new Map());
  let text = '';
  for (const diagnostic of diagnostics) {
    const shown = excerptOf(diagnostic);
    text += `${headline(diagnostic, colors ? COLORS : PLAIN)}\n`;
    if (shown !== undefined) text += visible(indented(shown, '    '));
    if (diagnostic.hint !== undefined) text += visible(indented(`hint: ${diagnostic.hint}`, '  '));
  }
  return text;
}

/** The texts before and after a part of a headline. */
interface Style {
  place: readonly [string, string];
  severity: Readonly<Record<Severity, readonly [string, string]>>;
}

const PLAIN: Style = { place: ['', ''], severity: { error: ['', ''], warning: ['', ''], info: ['', ''] } };

/** Escape sequences of every terminal (ECMA-48, SGR). */
const sgr = (code: string): readonly [string, string] => [`\u001B[${code}m`, '\u001B[0m'];
const COLORS: Style = {
  place: sgr('1'),
  severity: { error: sgr('1;31'), warning: sgr('1;33'), info: sgr('1;36') },
};

const styled = ([before, after]: readonly [string, string], text: string): string =>
  text === '' ? '' : `${before}${text}${after}`;

/** One JSON array. */
export function formatDiagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const ordered = diagnostics.map((diagnostic) =>
    Object.fromEntries(
      DIAGNOSTIC_FIELDS.filter((key) => diagnostic[key] !== undefined).map((key) => [key, diagnostic[key]]),
    ),
  );
  return visible(`${JSON.stringify(ordered, null, 2)}\n`);
}

function headline(diagnostic: Diagnostic, style: Style): string {
  const { file, line, column, severity, code, object, node, field, message } = diagnostic;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const subject = [object, node && `node ${node}`, field].filter((part) => part !== undefined && part !== '').join(' ');
  const where = place === '' ? '' : `${styled(style.place, visibleOnOneLine(place))}: `;
  const what = styled(style.severity[severity], `${severity}[${code}]`);
  const whose = subject === '' ? '' : ` ${visibleOnOneLine(subject)}`;
  return `${where}${what}${whose}: ${visible(message.replaceAll('\n', '\n  '))}`;
}

const indented = (text: string, indentation: string): string => `${text.replace(/^/gm, indentation)}\n`;
