import { type ReportFormat, type ReportInput, writeReport } from '../check/reports/index.ts';
import {
  condense,
  hasErrors,
  isError,
  type Report,
  type Text,
  type Told,
  trusted,
  unplaced,
  wanted,
} from '../core/diagnostics/index.ts';
import { type KubeObject, textsByFile } from '../core/model/object.ts';
import { visible } from '../core/text/visible.ts';
import { type ChoiceOption, choice, type Settings } from '../render/options/index.ts';
import { toJsonText, writeYaml } from '../yaml/emit/index.ts';
import { formatDiagnostics, toDiagnostics } from '../yaml/locate/index.ts';
import { type Output, writeText } from './write/index.ts';

/** Declares the output formats of a command, the default first. */
export const printedAs = <const Format extends string>(
  formats: readonly [Format, ...Format[]],
  description = 'The format of what is printed.',
): ChoiceOption<Format> => choice(formats, description, { short: '-o' });

export const objectFormat = printedAs(['yaml', 'json'], 'Print YAML documents, or one JSON array.');

/** Formats objects as one JSON array, a JSON object per line, or YAML documents. */
export function objectsOutput(objects: Iterable<KubeObject>, form: 'yaml' | 'json' | 'lines'): Output {
  if (form === 'json') return [visible(toJsonText([...objects], 2)), '\n'];
  if (form === 'lines') return Array.from(objects, (object) => `${visible(toJsonText(object))}\n`);
  const pieces: Uint8Array[] = [];
  writeYaml(objects, (piece) => pieces.push(Buffer.from(piece)));
  return pieces;
}

/** The access of a command to its process. Tests replace it. */
export interface Io {
  /** Returns the whole standard input, or why it cannot be read: it may be a folder. */
  stdin: () => Promise<Uint8Array | Error>;
  stdinIsTerminal: () => boolean;
  /** Waits for a line of the terminal of standard input; '' at its end. */
  line: () => string;
  /** Returns the width of the terminal of standard output; undefined without one. */
  columns: () => number | undefined;
  /** Reports whether a stream is coloured by default: it is a terminal, and the environment allows it. */
  colors: (stream: 'stdout' | 'stderr') => boolean;
  /** Reports whether a stream is a terminal that supports erasing. */
  erases: (stream: 'stdout' | 'stderr') => boolean;
  /** Shows a progress line on a terminal, replacing the previous one; '' removes it. Does nothing elsewhere. */
  progress: (line: string) => void;
  stdout: (output: Output) => void;
  stderr: (text: string) => void;
}

/** Exit codes of the command line; the function and the plugin use only the first two. */
export const exitCode = { ok: 0, input: 1, usage: 2, bug: 3 } as const;

/** SGR parameters (ECMA-48), as every terminal knows them. */
const CODES = { red: 31, green: 32, yellow: 33, bold: 1 } as const;

type Variables = Readonly<Record<string, string | undefined>>;

interface Painting {
  io: Pick<Io, 'colors'>;
  settings: Pick<Settings, 'color'>;
}

export const hasColors = ({ io, settings: { color } }: Painting, stream: 'stdout' | 'stderr'): boolean =>
  color === 'auto' ? io.colors(stream) : color === 'always';

/** Returns a function that colours texts if standard output supports it. */
/** Returns a text in a colour, or as it is. */
export type Paint = (colour: keyof typeof CODES, text: string) => string;

export function painter(painting: Painting): Paint {
  if (!hasColors(painting, 'stdout')) return (_, text) => text;
  return (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;
}

/** FORCE_COLOR first, as in Node, then NO_COLOR (https://no-color.org), then a terminal with colours. */
export function wantsColors(variables: Variables, isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR } = variables;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return knowsSequences(variables, isTerminal) && !NO_COLOR;
}

/** Reports whether a stream is a terminal that supports escape sequences: that of an editor often prints them. */
export const knowsSequences = ({ TERM }: Variables, isTerminal: boolean): boolean => isTerminal && TERM !== 'dumb';

/** What the end of a command needs to know of its invocation. */
export interface Ending {
  io: Io;
  version: string;
  name: string;
  settings: Pick<Settings, 'quiet' | 'verbose' | 'report' | 'color'>;
  /** Whether JSON was requested: then errors are JSON too. */
  wantsJson: boolean;
  /** The maximum number of annotations; default: all. */
  most?: number;
}

/** Prints the output of `write` unless there are errors, and all reports. Returns the exit code. */
export const conclude = (ending: Ending, reports: readonly Report[], write: () => Output = () => []): number =>
  concludePartly(ending, reports, hasErrors(reports) ? () => [] : write);

/** Prints the output of `write`, even after errors, and all reports, folded by `fold` for people. Returns the exit code. */
export function concludePartly(ending: Ending, reports: readonly Report[], write: () => Output, fold?: Fold): number {
  const failed = hasErrors(reports);
  // The whole output is computed before its first byte is written.
  const output = write();
  const unwritten = writeReportFiles(ending, (format) => reportInput(ending, reports, format, fold), textOf);
  printReports(ending, [...reports, ...unwritten], fold);
  ending.io.stdout(output);
  return failed || unwritten.length > 0 ? exitCode.input : exitCode.ok;
}

/** Prints reports to standard error, in the requested format. Errors are JSON if JSON was requested. */
export function printReports(ending: Ending, reports: readonly Report[], fold?: Fold): void {
  const { settings, io, wantsJson } = ending;
  const format = reportTargets(settings).printed ?? (wantsJson && hasErrors(reports) ? 'json' : 'text');
  const input = reportInput(ending, reports, format, fold);
  // Asking whether a stream is a terminal loads it, which takes longer than a small rendering.
  input.colors = input.diagnostics.length > 0 && hasColors(ending, 'stderr');
  io.stderr(formatted(format, input, textOf));
}

export function refuse(fault: string, ending: Ending): number {
  printReports(ending, [unplaced('command-line', trusted.argument(fault))]);
  return exitCode.usage;
}

export const fail = (code: Report['code'], message: Text | Told, ending: Ending): number =>
  conclude(ending, [unplaced(code, message)]);

const textOf = ({ diagnostics, sources, colors }: ReportInput): string =>
  formatDiagnostics(diagnostics, sources, colors);

type Fold = (reports: readonly Report[]) => readonly Report[];

/** Programs get unfolded reports, including infos. */
function reportInput(ending: Ending, reports: readonly Report[], format: ReportFormat, fold?: Fold): ReportInput {
  const { name, version, settings, most } = ending;
  const given = (format === 'text' && fold?.(reports)) || reports;
  const isJson = format === 'json';
  const chosen = wanted(given, { quiet: settings.quiet, verbose: isJson || settings.verbose });
  const shown = isJson ? chosen : condense(chosen);
  const diagnostics = toDiagnostics(shown);
  const names = new Set(diagnostics.flatMap(({ file }) => file ?? []));
  return {
    command: name,
    version,
    diagnostics,
    sources: textsByFile(shown),
    colors: false,
    ...(most !== undefined && { most }),
    files: [...names].map((file) => ({ file, objects: [] })),
  };
}

/** Returns the reports for runners, which show the first lines, or all if the exit code is not 0. */
export const forRunners = (reports: readonly Report[]): Report[] => [
  ...reports.filter(isError),
  ...reports.filter(({ severity }) => severity === 'warning'),
];

export function runnerText(reports: readonly Report[]): string {
  const shown = condense(forRunners(reports));
  return formatDiagnostics(toDiagnostics(shown), textsByFile(shown));
}

interface ReportTargets {
  /** The format on the terminal, if one is named. */
  printed: ReportFormat | undefined;
  files: { format: ReportFormat; file: string }[];
  fault?: string;
}

/** Returns the values of `--report`, or what is wrong with them. */
export function reportTargets({ report }: Pick<Settings, 'report'>): ReportTargets {
  const targets = report.map((one) => {
    const [, format = one, file = ''] = /^([^=]*)=(.*)$/s.exec(one) ?? [];
    return { format: format as ReportFormat, file };
  });
  const printed = [...new Set(targets.flatMap(({ format, file }) => (file === '' ? [format] : [])))];
  if (printed.length <= 1) return { printed: printed[0], files: targets.filter(({ file }) => file !== '') };
  const fault = `--report: ${printed.join(' and ')} would both be printed; write one of them to a file: FORMAT=FILE`;
  return { printed: undefined, files: [], fault };
}

type TextWriter = (input: ReportInput) => string;

const formatted = (format: ReportFormat, input: ReportInput, text: TextWriter): string =>
  format === 'text' ? text(input) : writeReport(format, input);

const writeReportFiles = (
  { settings }: Pick<Ending, 'settings'>,
  input: (format: ReportFormat) => ReportInput,
  text: TextWriter,
): Report[] =>
  reportTargets(settings).files.flatMap(({ file, format }) =>
    writeText(file, formatted(format, { ...input(format), colors: false }, text)),
  );

/** The output formats of a command that prints a report and no objects. */
export const reportedAs = printedAs(
  ['text', 'json', 'sarif', 'github', 'junit'],
  'The format of the report, as --report FORMAT.',
);

export type Reported = Pick<
  ReportInput,
  'diagnostics' | 'complete' | 'files' | 'sources' | 'verbose' | 'hidden' | 'evidence' | 'fixesOf'
>;

/** The formats of a command besides those of every report, for what it prints with `-o`. */
export interface OwnWriters {
  json?: () => string;
  markdown?: () => string;
}

interface ReportEnding extends Ending {
  settings: Ending['settings'] & { output: ReportFormat | keyof OwnWriters };
}

export const printedFormat = ({ settings }: ReportEnding): ReportFormat | keyof OwnWriters =>
  reportTargets(settings).printed ?? settings.output;

/** Prints a report, and writes it to the requested files. Returns the exit code, or that of a failed write. */
export function concludeReport(
  ending: ReportEnding,
  found: Reported,
  code: number,
  text: TextWriter = (given) => writeReport('text', given),
  own: OwnWriters = {},
): number {
  const { name, version, io, settings } = ending;
  const input = { ...found, command: name, version, colors: hasColors(ending, 'stdout') };
  // All formats are computed before the first one is written.
  const printed = printedText(settings, own, (format) => formatted(format, input, text));
  const unwritten = writeReportFiles(ending, () => input, text);
  io.stdout([printed]);
  if (unwritten.length === 0) return code;
  printReports(ending, unwritten);
  return exitCode.input;
}

/** Returns what a command prints: `--report FORMAT` asks for a report, and `-o` for the own format of a command first. */
function printedText(
  settings: ReportEnding['settings'],
  own: OwnWriters,
  report: (format: ReportFormat) => string,
): string {
  const asked = reportTargets(settings).printed;
  if (asked !== undefined) return report(asked);
  const { output } = settings;
  if (output === 'markdown') return own.markdown?.() ?? report('text');
  return output === 'json' && own.json !== undefined ? own.json() : report(output);
}
