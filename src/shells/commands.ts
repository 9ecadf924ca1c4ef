import type { Io } from './io.ts';

export interface Command {
  /** What stands behind the name in the usage line. */
  usage: string;
  summary: string;
  /** Yields the exit code. */
  run: (args: readonly string[], io: Io) => Promise<number>;
}

/** Every command by its name. What a command needs is loaded when it runs. */
export const commands: Readonly<Record<string, Command>> = {
  render: {
    usage: 'PATH... [options]',
    summary: 'Print the objects that the instances render to; - reads standard input.',
    run: async (args, io) => (await import('./render.ts')).renderCommand(args, io),
  },
  crd: {
    usage: 'PATH... [options]',
    summary: 'Print the CustomResourceDefinitions that the RGDs generate, sorted by name.',
    run: async (args, io) => (await import('./crd.ts')).crdCommand(args, io),
  },
};
