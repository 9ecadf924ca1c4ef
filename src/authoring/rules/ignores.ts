import { type Code, codes, type Diagnostic } from '../../core/diagnostics/index.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import { isSwitchable } from './switchable.ts';

/** A comment `# render-rgd: ignore CODE reason`. */
interface Ignore {
  /** The line and the columns of the comment, from 1. */
  line: number;
  column: number;
  endColumn: number;
  /** The line that it applies to: its own, or the next one if it is alone. */
  target: number;
  code: string;
  reason: string;
}

const COMMENT = /(?:^|\s)(#\s*render-rgd:\s*ignore(?![\w-])\s*(\S*)(.*))$/;

function ignoresIn(text: string): Ignore[] {
  if (!text.includes('render-rgd:')) return [];
  const lines = text.split(/\r\n|\r|\n/);
  return lines.flatMap((written, index) => {
    const match = COMMENT.exec(written);
    if (match === null) return [];
    const [, whole = '', code = '', reason = ''] = match;
    const comment = whole.trimEnd();
    const start = written.lastIndexOf(comment);
    return {
      line: index + 1,
      column: start + 1,
      endColumn: start + comment.length + 1,
      target: written.slice(0, start).trim() === '' ? nextLine(lines, index) : index + 1,
      code,
      reason: reason.trim(),
    };
  });
}

/** Returns the index of the next line that is not such a comment. */
function nextLine(lines: readonly string[], index: number): number {
  let next = index + 1;
  while (/^\s*#/.test(lines[next] ?? '') && COMMENT.test(lines[next] ?? '')) next += 1;
  return next + 1;
}

/**
 * Removes the diagnostics that a comment in their file ignores. Comments without a reason, with an unknown code, and
 * those that ignore nothing become diagnostics.
 */
export function withoutIgnored<T extends Diagnostic>(
  diagnostics: readonly T[],
  texts: ReadonlyMap<string, string>,
): (T | Diagnostic)[] {
  const ignores = [...texts].flatMap(([file, text]) => ignoresIn(text).map((ignore) => ({ ...ignore, file })));
  if (ignores.length === 0) return [...diagnostics];
  const left = new Set<Diagnostic>(diagnostics);
  // After an error, lints and rendering are skipped: it is unknown what they would report.
  const isUnfinished = diagnostics.some((one) => one.severity === 'error' && !isSwitchable(one));
  const reported = ignores.flatMap((ignore): Diagnostic[] => {
    const fault = faultIn(ignore);
    if (fault !== undefined) return [diagnosticOf(ignore, 'ignore-comment', 'error', fault)];
    const intended = diagnostics.filter(
      ({ code, file, line }) => code === ignore.code && file === ignore.file && line === ignore.target,
    );
    const ignored = intended.filter(isSwitchable);
    for (const one of ignored) left.delete(one);
    if (ignored.length > 0 || (intended.length === 0 && isUnfinished)) return [];
    const message =
      intended.length > 0
        ? `${ignore.code} cannot be ignored: rendering fails`
        : `there is no ${ignore.code} to ignore`;
    const where = ignore.target === ignore.line ? 'on this line' : `on line ${ignore.target}`;
    const hint = intended.length > 0 ? 'fix it' : `nothing reports it ${where}: remove the comment`;
    return [diagnosticOf(ignore, 'ignore-unused', 'warning', { message, hint })];
  });
  return [...diagnostics.filter((one) => left.has(one)), ...reported];
}

interface Words {
  message: string;
  hint: string;
}

function faultIn({ code, reason }: Ignore): Words | undefined {
  const example = '# render-rgd: ignore lint-unread-field the portal reads it';
  if (code === '') return { message: 'the comment names no code and no reason', hint: `write ${example}` };
  if (!Object.hasOwn(codes, code)) {
    return { message: `unknown code '${code}'`, hint: didYouMean(code, Object.keys(codes)) ?? `write ${example}` };
  }
  return reason === '' ? { message: 'the comment gives no reason', hint: `write ${example}` } : undefined;
}

const diagnosticOf = (
  { line, column, endColumn, file }: Ignore & { file: string },
  code: Code,
  severity: Diagnostic['severity'],
  { message, hint }: Words,
): Diagnostic => ({ severity, code, stage: codes[code].stage, file, line, column, endColumn, message, hint });
