import { existsSync } from 'node:fs';
import { nearest } from '../core/text/nearest.ts';
import { visible } from '../core/text/visible.ts';
import type { Command, Context } from './command.ts';
import * as modules from './commands.ts';
import { type Ending, refuse } from './conclude.ts';
import { runFunction } from './function.ts';
import { commandHelp, generalHelp, optionsHelp } from './help.ts';
import { exitCode, type Io } from './io.ts';

const commands: Readonly<Record<string, Command>> = modules;
const HELP = ['--help', '-h'];

/** Runs one invocation and returns its exit code. Without arguments it is the KRM function. */
export async function run(args: readonly string[], io: Io, version: string): Promise<number> {
  const [name, ...rest] = args;
  const context = { io, version, commands };
  try {
    if (name === undefined && !io.stdinIsTerminal()) return await runFunctionOrHelp(context);
    if (name === undefined || HELP.includes(name)) return print(generalHelp(context), io);
    if (name === 'help') return help(rest, context);
    if (name === '--version') return print(`${version}\n`, io);
    const command = commandNamed(name);
    if (command === undefined) return refuseName(name, context);
    if (asksForHelp(rest)) return print(commandHelp(name, context), io);
    return await command.start(name, rest, context);
  } catch (error) {
    const trace = error instanceof Error ? error.stack : String(error);
    const plea = `render-rgd ${version}: this is a bug in render-rgd, please report it with what led to it.`;
    io.stderr(visible(`${plea}\n${trace}\n`));
    const isForRunner = name === undefined || commandNamed(name)?.forRunner === true;
    return isForRunner ? exitCode.input : exitCode.bug;
  }
}

/** Without arguments it is the KRM function; a person who runs it in a script sees the help. */
async function runFunctionOrHelp(context: Context): Promise<number> {
  const { io } = context;
  const stdin = await io.stdin();
  if (stdin instanceof Error || stdin.length > 0) return runFunction({ ...io, stdin: async () => stdin });
  const code = await runFunction({ ...io, stdin: async () => stdin });
  io.stderr(`\n${generalHelp(context)}`);
  return code;
}

const commandNamed = (name: string): Command | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;

/** Prints `help`, `help COMMAND` and `help options`. */
function help([name]: readonly string[], context: Context): number {
  const { io } = context;
  if (name === undefined || name === 'help' || HELP.includes(name)) return print(generalHelp(context), io);
  if (name === 'options') return print(optionsHelp(context), io);
  return commandNamed(name) === undefined ? refuseName(name, context) : print(commandHelp(name, context), io);
}

/** Arguments after `--` are paths. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((argument) => HELP.includes(argument));
}

function print(text: string, io: Io): number {
  io.stdout([text]);
  return exitCode.ok;
}

function refuseName(name: string, context: Context): number {
  const [intended] = nearest(name, [...Object.keys(commands), 'help', '--help', '--version'], 1);
  const hint = existsSync(name)
    ? `did you mean render-rgd render ${name}?`
    : intended === undefined
      ? 'see render-rgd --help'
      : `did you mean ${intended}?`;
  const settings: Ending['settings'] = { quiet: false, verbose: false, report: [], color: 'auto' };
  return refuse(`unknown ${name.startsWith('-') ? 'option' : 'command'} ${name}; ${hint}`, {
    ...context,
    name,
    settings,
    wantsJson: false,
  });
}
