import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { visible } from '../../core/text/visible.ts';
import { annotated } from './annotated.ts';
import type { ReportInput } from './input.ts';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/**
 * Returns workflow commands of GitHub Actions: each becomes an annotation of its line. GitHub shows ten of each
 * severity for a step, so errors come first; the log has all of them.
 */
export function githubReport(input: ReportInput): string {
  const diagnostics = annotated(input);
  const ordered = (['error', 'warning', 'info'] as const).flatMap((severity) =>
    diagnostics.filter((one) => one.severity === severity),
  );
  return ordered
    .slice(0, input.most)
    .map((one) => `${commandOf(one)}\n`)
    .join('');
}

function commandOf({
  severity,
  code,
  object,
  node,
  field,
  file,
  line,
  column,
  endColumn,
  message,
  hint,
}: Diagnostic): string {
  const place = { file, line, col: column, endColumn, title: `render-rgd ${code}` };
  const properties = Object.entries(place)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${inProperty(String(value))}`);
  const subject = [object, node && `node ${node}`, field].filter((part) => part !== undefined && part !== '').join(' ');
  const text = [`${subject === '' ? '' : `${subject}: `}${message}`, hint && `hint: ${hint}`].filter(Boolean);
  return `::${COMMANDS[severity]} ${properties.join(',')}::${inMessage(text.join('\n'))}`;
}

/** Escapes as the toolkit of GitHub Actions does (actions/toolkit, packages/core/src/command.ts). */
const inMessage = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const inProperty = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
