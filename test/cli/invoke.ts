import { run } from '../../src/cli/cli.ts';
import { type Printed, recordingIo } from './recording.ts';

export interface Invocation extends Printed {
  code: number;
}

/** Runs the command line in this process. Without `stdin`, standard input is a terminal. */
export async function invoke(
  args: readonly string[],
  stdin?: string | Uint8Array,
  columns?: number,
): Promise<Invocation> {
  const result = { code: -1, stdout: '', stderr: '' };
  const bytes = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin;
  const io = { ...recordingIo(result, bytes && (async () => bytes)), columns: () => columns };
  result.code = await run(args, io, '0.0.0-test');
  return result;
}
