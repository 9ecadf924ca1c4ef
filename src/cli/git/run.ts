const MOST_BYTES = 1 << 30;
const MOST_LINES = 6;

export type Answer = { output: Buffer } | { fault: string };

/** Returns the output of git, or its error. No replacement objects, no special characters in paths, no locks. */
export function git(folder: string, args: readonly string[], input = ''): Answer {
  // Loading the module takes longer than many renderings.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    ['--literal-pathspecs', '--no-replace-objects', '--no-optional-locks', '-C', folder, ...args],
    { input, maxBuffer: MOST_BYTES, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  if (error !== undefined) return { fault: faultOf(error) };
  if (status === 0) return { output: stdout };
  const words = stderr
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MOST_LINES)
    .join(' ');
  return { fault: words === '' ? `git exits with ${status}` : words };
}

const faultOf = (error: NodeJS.ErrnoException): string =>
  error.code === 'ENOENT' ? 'git is not installed, or not on the PATH' : `git cannot be run: ${error.message}`;
