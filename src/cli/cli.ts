import { existsSync } from 'node:fs';
import words from '../../data/other-words.json';
import { Collector, composeText, toReport } from '../core/diagnostics/index.ts';
import { meaningsByWord, nearest } from '../core/text/nearest.ts';
import { visible } from '../core/text/visible.ts';
import { readAdditionalInputs } from '../describe/input/index.ts';
import { readFunctionConfig } from '../render/options/index.ts';
import type { Command, Context } from './command.ts';
import { unusable } from './file-system.ts';
import { readerWith, readFiles } from './files.ts';
import { type Ending, exitCode, type Io, refuse, runnerText } from './output.ts';
import { render } from './render.ts';
import { failedList, type ResourceList, readListText, renderResourceList } from './resourcelist/index.ts';
import { rootsOf, withTraces } from './traces.ts';

/** Runs the KRM function. Infos go to `results` only, because kustomize would print them in every build. */
async function runFunction(context: Context): Promise<number> {
  const { io } = context;
  const reports = new Collector();
  const stdin = await io.stdin();
  const [stream] = readFiles(['-'], { stdin }, reports);
  const list = stream && readListText(stream, reports);
  const rendered = list === undefined ? undefined : answer(list, reports);
  io.stderr(runnerText(rendered?.reports ?? reports.all));
  io.stdout((rendered?.text ?? []).map((piece) => Buffer.from(piece)));
  if (!(stdin instanceof Error) && stdin.length === 0)
    io.stderr(`\n${await (await import('./loaded.ts')).helpText('', context)}`);
  return rendered === undefined || rendered.failed ? exitCode.input : exitCode.ok;
}

function answer(list: ResourceList, reports: Collector) {
  const { settings, problems } = readFunctionConfig(list.functionConfig);
  const source = { ...list.source, path: ['functionConfig'] };
  for (const problem of problems) reports.add({ ...toReport(problem), object: composeText`functionConfig`, source });
  if (reports.hasErrors) return failedList(list, reports.all);
  const beside = readAdditionalInputs(settings, readerWith({}), reports);
  if (reports.hasErrors) return failedList(list, reports.all);
  const rendered = renderResourceList(list, withTraces(beside, rootsOf([])), settings);
  return { ...rendered, reports: [...reports, ...rendered.reports] };
}

/** All commands: the build keeps them in a part of the file that is parsed when `render` is not what is asked for. */
const commands: Context['commands'] = async () => (await import('./loaded.ts')).commands;
const HELP = ['--help', '-h'];

/** Runs one invocation and returns its exit code. Without arguments it is the KRM function. */
export async function run(args: readonly string[], io: Io, version: string): Promise<number> {
  const [name, ...rest] = args;
  const context = { io, version, commands };
  let command: Command | undefined;
  try {
    if (name === undefined && !io.stdinIsTerminal()) return await runFunction(context);
    if (name === undefined || name === 'help' || HELP.includes(name)) return await help(name && rest[0], context);
    if (name === '--version') return print(`${version}\n`, io);
    command = await commandNamed(name);
    if (command === undefined) return await refuseName(name, context);
    return asksForHelp(rest) ? await help(name, context) : await command.start(name, rest, context);
  } catch (error) {
    const report = unusable(error);
    if (report !== undefined) {
      io.stderr(runnerText([report]));
      return exitCode.input;
    }
    const trace = error instanceof Error ? error.stack : String(error);
    const plea = `render-rgd ${version}: this is a bug in render-rgd, please report it with what led to it.`;
    io.stderr(visible(`${plea}\n${trace}\n`));
    const isForRunner = name === undefined || command?.forRunner === true;
    return isForRunner ? exitCode.input : exitCode.bug;
  }
}

async function commandNamed(name: string): Promise<Command | undefined> {
  if (name === 'render') return render;
  const all = await commands();
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

async function help(name: string | undefined, context: Context): Promise<number> {
  const { helpText } = await import('./loaded.ts');
  const text = await helpText(name === undefined || ['help', ...HELP].includes(name) ? '' : name, context);
  return text === undefined ? refuseName(name ?? '', context) : print(text, context.io);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((argument) => HELP.includes(argument));
}

function print(text: string, io: Io): number {
  io.stdout([text]);
  return exitCode.ok;
}

async function refuseName(name: string, context: Context): Promise<number> {
  const [intended] = nearest(name, [...Object.keys(await commands()), 'help', '--help', '--version'], 1);
  const hint = hintForName(name, intended);
  const settings: Ending['settings'] = { quiet: false, verbose: false, report: [], color: 'auto' };
  const fault = `unknown ${name.startsWith('-') ? 'option' : 'command'} ${name}; ${hint}`;
  return refuse(fault, { ...context, name, settings, wantsJson: false });
}

const OTHER_COMMANDS = meaningsByWord(words.commands);

function hintForName(name: string, intended: string | undefined): string {
  const other = OTHER_COMMANDS.get(name);
  if (other !== undefined) return other;
  if (existsSync(name)) return `did you mean render-rgd render ${name}?`;
  return intended === undefined ? 'see render-rgd --help' : `did you mean ${intended}?`;
}
