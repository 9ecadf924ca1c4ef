import { relative, sep } from 'node:path';
import { counted, type Diagnostic, isError, type Report } from '../../core/diagnostics/index.ts';
import { createLocator, formatDiagnostics, toDiagnostic } from '../../yaml/locate/index.ts';
import { forRunners } from '../conclude.ts';

/** The maximum number of printed diagnostics. The others are counted. */
const MOST = 20;

/** The maximum size of one diagnostic in bytes of UTF-8: the total stays below 64 KiB, including the last line. */
const LONGEST = 3_000;

/**
 * Formats reports for Argo CD: for the status of the Application, whose size is limited, and a UI that folds white
 * space. So each diagnostic is a line, with its hint below it, and none quotes a file; errors come first, infos are
 * omitted. The working copy is in another folder for each call, so its paths are relative to the current folder, as
 * parameters are written.
 */
export function pluginText(reports: readonly Report[], repository: string): string {
  const all = forRunners(reports);
  const locator = createLocator();
  const shown = all.slice(0, MOST).map((report) => oneText(toDiagnostic(report, locator), repository));
  return shown.join('') + restText(all.slice(MOST));
}

function oneText(diagnostic: Diagnostic, repository: string): string {
  const { message, hint } = diagnostic;
  const folded = {
    ...diagnostic,
    message: onOneLine(message),
    ...(hint === undefined ? {} : { hint: onOneLine(hint) }),
  };
  return shortened(withoutPlace(formatDiagnostics([folded]), repository));
}

const onOneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Replaces paths of the working copy with paths relative to the current folder. */
function withoutPlace(text: string, repository: string): string {
  const here = process.cwd();
  const top = relative(here, repository) || '.';
  return replacePath(replacePath(text, here, '.'), repository, top);
}

/** Replaces the name of a folder, and of its content. */
function replacePath(text: string, folder: string, name: string): string {
  if (folder === sep) return text;
  const [first = '', ...parts] = text.split(folder);
  // A folder with a longer name is another one.
  return parts.reduce((shown, part) => shown + (/^[\w.-]*\w/.test(part) ? folder : name) + part, first);
}

/**
 * Cuts the middle: the location and the message are at the beginning, the last output of a tool and the hint at the
 * end.
 */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST) return text;
  const half = LONGEST / 2 - 50;
  const [start, end] = [bytes.subarray(0, half), bytes.subarray(bytes.length - half)].map((part) =>
    part.toString().replace(/^\uFFFD+|\uFFFD+$/g, ''),
  );
  return `${start} ... (${bytes.length - 2 * half} bytes omitted) ... ${end}`;
}

function restText(rest: readonly Report[]): string {
  if (rest.length === 0) return '';
  const errors = rest.filter(isError).length;
  const counts = [counted(errors, 'error'), counted(rest.length - errors, 'warning')];
  return `and ${counts.filter((part) => !part.startsWith('0 ')).join(' and ')} more\n`;
}
