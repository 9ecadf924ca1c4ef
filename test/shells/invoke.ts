import { run } from '../../src/shells/cli.ts';

export interface Invocation {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line in this process. Without `stdin` it is as if on a terminal. */
export async function invoke(args: readonly string[], stdin?: string | Uint8Array): Promise<Invocation> {
  const result = { code: -1, stdout: '', stderr: '' };
  const bytes = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : (stdin ?? new Uint8Array());
  const io = {
    stdin: async () => bytes,
    stdinIsTerminal: stdin === undefined,
    stdout: async (text: string) => {
      result.stdout += text;
    },
    stderr: (text: string) => {
      result.stderr += text;
    },
  };
  result.code = await run(args, io, '0.0.0-test');
  return result;
}
