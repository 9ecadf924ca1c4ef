import { resolve } from 'node:path';
import { writeReport } from '../check/reports/index.ts';
import { lookedAt } from '../check/validate/index.ts';
import { compareRenderers, type PrintedDiagnostic, type PrintedRelease } from '../compare/compat/index.ts';
import { renderVersion } from '../compare/review/index.ts';
import {
  Collector,
  composeText,
  counted,
  isError,
  isPending,
  type Report,
  type Text,
  trusted,
} from '../core/diagnostics/index.ts';
import { type Evidence, type FailsOn, judge, NO_EVIDENCE } from '../core/ledger/index.ts';
import { attempt } from '../core/model/attempt.ts';
import { textsByFile } from '../core/model/object.ts';
import { readInput } from '../describe/input/index.ts';
import { pendingEntry } from '../render/evidence/index.ts';
import { defaultSettings, flagOf, reportingOptions, type Settings, sharedOptions } from '../render/options/index.ts';
import { toDiagnostics } from '../yaml/locate/index.ts';
import { objectsIn, readStreams } from '../yaml/parse/index.ts';
import type { Invocation } from './command.ts';
import { devNull, programOn, realPath, statOf, trustedFolders, withinAny } from './file-system.ts';
import { readerWith, readFiles } from './files.ts';
import { accountFor } from './ledger.ts';
import { conclude, concludeReport, exitCode, type Io, refuse } from './output.ts';
import { render } from './render.ts';
import { rootsOf, withTraces } from './traces.ts';
import { bytesOf } from './write/index.ts';

/** A program that was found, with the arguments that start it. */
interface Program {
  /** As the command line names it. */
  asked: string;
  file: string;
  first: readonly string[];
}

const VERSION = /^v?(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/;

/** What a command printed. */
interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The options of `compat` that are read here. */
interface OwnSettings {
  renderRgd: string;
  failOn: readonly string[];
}

type Asked = Invocation &
  Parameters<typeof concludeReport>[0] &
  Parameters<typeof accountFor>[2] & { settings: OwnSettings };

/** Renders a package with another release of render-rgd and with this one, and reports what differs. */
export async function compareWithRelease(invocation: Asked): Promise<number> {
  const { settings, paths } = invocation;
  const program = programFor(settings.renderRgd, paths);
  if (typeof program === 'string') return refuse(`--render-rgd: ${program}`, invocation);
  const version = versionOf(program);
  if (version === undefined) {
    return fail(
      invocation,
      composeText`${trusted.argument(program.asked)} --version prints no version: it is no render-rgd`,
    );
  }
  const [, wanted] = VERSION.exec(program.asked) ?? [];
  if (wanted !== undefined && wanted !== version) {
    return fail(invocation, composeText`${trusted.argument(program.file)} is render-rgd ${trusted.error(version)}`);
  }
  const args = argumentsFor(settings, paths);
  const older = printedBy(runProgram(program, args), composeText`render-rgd ${trusted.error(version)}`);
  if (typeof older === 'string') {
    return fail(invocation, composeText`${trusted.argument(program.asked)} did not render: ${older}`);
  }
  const newer = printedBy(
    await runHere(args, invocation),
    composeText`this release (${trusted.error(invocation.version)})`,
  );
  if (typeof newer === 'string') return fail(invocation, newer);
  return concludeReleases(invocation, older, newer);
}

const fail = (invocation: Asked, message: Text): number =>
  conclude(invocation, [{ code: 'release-not-compared', message, path: [] }]);

/** Returns the program that the command line names, or why there is none. Nothing is downloaded. */
function programFor(asked: string, paths: readonly string[]): Program | string {
  const isPath = /[\\/]/.test(asked);
  const [, version] = VERSION.exec(asked) ?? [];
  const name = version === undefined ? asked : `render-rgd-${version}`;
  // A program of the repository is only started if its path is named.
  const found = isPath ? resolve(asked) : programOn(process.env.PATH ?? '', name, withinAny(rootsOf(paths)()));
  const file = found === undefined ? undefined : realPath(found);
  if (file === undefined || statOf(file)?.isFile() !== true) {
    if (isPath) return `there is no program ${asked}`;
    const hint = `name a file, such as DIR/node_modules/render-rgd/render-rgd.js of npm install --prefix DIR render-rgd${version === undefined ? '' : `@${version}`}`;
    return `no folder of the PATH outside of the repository has a program ${name}, and nothing is downloaded; ${hint}`;
  }
  if (!/\.[cm]?js$/.test(file)) return { asked, file, first: [] };
  if (process.versions.bun === undefined) return { asked, file: process.execPath, first: [file] };
  const node = programOn(process.env.PATH ?? '', 'node', withinAny(rootsOf(paths)()));
  return node === undefined ? `${asked} needs Node, which is not on the PATH` : { asked, file: node, first: [file] };
}

/** Starts a program that the command line names; it gets no variables but those that every program needs. */
function runProgram({ file, first }: Program, args: readonly string[]): Run | Error {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { PATH = '', HOME = '/nonexistent', TMPDIR = '/tmp', SYSTEMROOT } = process.env;
  const { status, stdout, stderr, error } = spawnSync(file, [...first, ...args], {
    env: {
      PATH: trustedFolders(PATH, withinAny(rootsOf([])())).join(process.platform === 'win32' ? ';' : ':') || devNull,
      HOME,
      TMPDIR,
      ...(SYSTEMROOT !== undefined && { SYSTEMROOT }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 29,
    encoding: 'utf8',
  });
  return error ?? { code: status, stdout, stderr };
}

function versionOf(program: Program): string | undefined {
  const run = runProgram(program, ['--version']);
  if (run instanceof Error || run.code !== 0) return undefined;
  return VERSION.exec(run.stdout.trim())?.[1];
}

/** Returns the arguments of `render`: only the options that the command line has, because an older release has fewer. */
function argumentsFor(settings: Settings, paths: readonly string[]): string[] {
  const args = ['render', '--output', 'yaml', '--report', 'json'];
  for (const name of Object.keys(sharedOptions) as (keyof Settings)[]) {
    if (Object.hasOwn(reportingOptions, name) || name === 'onPending') continue;
    const value = settings[name];
    const values = Array.isArray(value) ? value : value === defaultSettings[name] ? [] : [value];
    for (const one of values) args.push(`${flagOf(name)}=${one}`);
  }
  // A pending node hides no other one.
  return [...args, '--on-pending=skip', '--', ...paths];
}

/** Runs a command in this process. */
async function runHere([name = '', ...args]: readonly string[], invocation: Asked): Promise<Run> {
  const printed: Run = { code: null, stdout: '', stderr: '' };
  const io: Io = {
    ...invocation.io,
    progress: () => {},
    stdout: (output) => {
      printed.stdout += bytesOf(output).toString();
    },
    stderr: (text) => {
      printed.stderr += text;
    },
  };
  const { io: _, version, commands } = invocation;
  printed.code = await render.start(name, args, { io, version, commands });
  return printed;
}

/** Reads what `render` printed; returns why it cannot be compared if it is something else. */
function printedBy(run: Run | Error, name: Text): PrintedRelease | Text {
  if (run instanceof Error) return trusted.error(run.message);
  const { code, stdout, stderr } = run;
  const listed = attempt(() => JSON.parse(stderr === '' ? '[]' : stderr) as unknown, SyntaxError);
  const isEnd = code === exitCode.ok || code === exitCode.input;
  const diagnostics = Array.isArray(listed) ? listed.filter(isDiagnostic) : undefined;
  if (!isEnd || diagnostics === undefined || diagnostics.length !== (listed as unknown[]).length) {
    const lines = stderr.trim().split('\n').slice(0, MOST_LINES).join('\n');
    return trusted.error(`exit code ${code}${lines === '' ? '' : `, ${lines}`}`);
  }
  const reports = new Collector();
  const objects = objectsIn(readStreams([{ file: '', text: stdout }], reports)).map(({ object }) => object);
  const [fault] = reports.all.filter(isError);
  if (fault !== undefined) return composeText`its output is not read: ${fault.message}`;
  if (code === exitCode.input && !diagnostics.some(({ severity }) => severity === 'error'))
    return composeText`exit code 1 without an error`;
  return { name, text: stdout, objects, diagnostics };
}

const MOST_LINES = 5;

function isDiagnostic(value: unknown): value is PrintedDiagnostic {
  if (typeof value !== 'object' || value === null) return false;
  const { severity, code, message } = value as Partial<PrintedDiagnostic>;
  return typeof severity === 'string' && typeof code === 'string' && typeof message === 'string';
}

/** Reports the differences of two releases, and how much was compared. */
function concludeReleases(invocation: Asked, older: PrintedRelease, newer: PrintedRelease): number {
  const { settings, paths } = invocation;
  const reports = new Collector();
  const options = { exclude: settings.exclude };
  const texts = readFiles(paths, { ...options, missing: 'error' }, reports);
  const input = withTraces(readInput(texts, settings, readerWith(options), reports), rootsOf(paths));
  const version = renderVersion(input, { ...settings, onPending: 'skip', all: false });
  const own = version.reports.filter(isError);
  const found = [...reports.all.filter(isError), ...own, ...compareRenderers(older, newer, version.objects)];
  const pending = version.reports.filter((one) => isPending(one) && !isError(one)).map(pendingEntry);
  const evidence: Evidence = {
    ...NO_EVIDENCE,
    rendered: { all: newer.objects.length + pending.length, named: pending },
  };
  const failsOn: FailsOn[] = settings.strict || settings.failOn.includes('unknown') ? ['unknown'] : [];
  const judgement = judge(evidence, { errors: found.filter(isError).length, warnings: 0 }, failsOn);
  const files = lookedAt(input, found);
  const reported = { diagnostics: toDiagnostics(found), files, sources: textsByFile(found), evidence };
  const head = headOf(older, newer, found);
  const code = concludeReport(
    invocation,
    reported,
    judgement.isRefused ? exitCode.input : exitCode.ok,
    (given) => `${head}\n${writeReport('text', given)}`,
  );
  const unwritten = accountFor(evidence, judgement, invocation);
  return unwritten.length > 0 ? conclude(invocation, unwritten) : code;
}

/** Returns the first line: whether there is a difference, and of how many objects. */
function headOf(older: PrintedRelease, newer: PrintedRelease, found: readonly Report[]): Text {
  const between = composeText`between ${older.name} and ${newer.name}`;
  if (found.some(({ code }) => code === 'release-not-compared'))
    return composeText`not compared: ${older.name} and ${newer.name}`;
  const count = found.filter(({ code }) => code === 'release-change').length;
  const what = count === 0 ? composeText`no difference` : counted(count, 'difference');
  return composeText`${what} ${between}: ${counted(older.objects.length, 'object')} and ${counted(newer.objects.length, 'object')}`;
}
