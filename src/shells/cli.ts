import { nearest } from '../text/nearest.ts';
import { visible } from '../text/visible.ts';
import { commands } from './commands.ts';
import { runFunction } from './function.ts';
import { commandHelp, generalHelp } from './help.ts';
import { exitCode, type Io } from './io.ts';

const HELP = ['--help', '-h'];

/** Runs one invocation and yields its exit code. Without arguments it is the KRM function. */
export async function run(args: readonly string[], io: Io, version: string): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined && !io.stdinIsTerminal()) return await runFunction(io);
    if (name === undefined || HELP.includes(name)) return print(generalHelp(), io);
    if (name === 'help') return help(rest, io);
    if (name === '--version') return print(`${version}\n`, io);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) return refuse(name, io);
    if (asksForHelp(rest)) return print(commandHelp(name), io);
    return await command.run(rest, io, version);
  } catch (error) {
    const trace = error instanceof Error ? error.stack : String(error);
    const plea = `render-rgd ${version}: this is a bug in render-rgd, please report it with what led to it.`;
    io.stderr(visible(`${plea}\n${trace}\n`));
    const isForRunner = name === undefined || (Object.hasOwn(commands, name) && commands[name]?.forRunner === true);
    return isForRunner ? exitCode.input : exitCode.bug;
  }
}

/** `help` and `help COMMAND`. */
function help([name]: readonly string[], io: Io): number {
  if (name === undefined || name === 'help' || HELP.includes(name)) return print(generalHelp(), io);
  return Object.hasOwn(commands, name) ? print(commandHelp(name), io) : refuse(name, io);
}

/** What stands behind `--` is a path. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((argument) => HELP.includes(argument));
}

function print(text: string, io: Io): number {
  io.stdout([text]);
  return exitCode.ok;
}

function refuse(name: string, io: Io): number {
  const [meant] = nearest(name, [...Object.keys(commands), 'help', '--help', '--version'], 1);
  const hint = meant === undefined ? 'see render-rgd --help' : `did you mean ${meant}?`;
  io.stderr(visible(`render-rgd: unknown ${name.startsWith('-') ? 'option' : 'command'} ${name}; ${hint}\n`));
  return exitCode.usage;
}
