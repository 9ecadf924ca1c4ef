import { crdCommand } from './crd.ts';
import type { Io } from './io.ts';
import { renderCommand } from './render.ts';

export interface Command {
  /** What stands behind the name in the usage line. */
  usage: string;
  summary: string;
  /** Yields the exit code. */
  run: (args: readonly string[], io: Io) => Promise<number>;
}

/** Every command by its name. */
export const commands: Readonly<Record<string, Command>> = {
  render: {
    usage: 'PATH... [options]',
    summary: 'Print the objects that the instances render to; - reads standard input.',
    run: renderCommand,
  },
  crd: {
    usage: 'PATH... [options]',
    summary: 'Print the CustomResourceDefinitions that the RGDs generate, sorted by name.',
    run: crdCommand,
  },
};
