import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { pluginCommand } from '../../../src/cli/plugin/index.ts';
import type { Invocation } from '../invoke.ts';
import { recordingIo } from '../recording.ts';

/** A repository in a temporary folder. Beside it is `outside/`, which no Application may read. */
export interface WorkingCopy {
  /** The folder that holds `repository/` and `outside/`. */
  top: () => string;
  /** Writes files of the repository by their path; `../outside/x` is outside. */
  write: (files: Readonly<Record<string, string>>) => void;
  /** The text of a file of the repository. */
  read: (path: string) => string;
  /** Creates a link in the repository with any target. */
  link: (path: string, target: string) => void;
  /** Creates an executable on the PATH of the plugin. */
  tool: (name: string, script: string) => void;
  /** Calls the plugin in a folder of the repository. */
  call: (verb: string, given?: Call) => Promise<Invocation>;
  /** Calls `plugin generate` in `app` with parameters. */
  generate: (parameters?: readonly object[], flags?: readonly string[]) => Promise<Invocation>;
}

export interface Call {
  folder?: string;
  flags?: readonly string[];
  variables?: Readonly<Record<string, string>>;
}

export function workingCopy(): WorkingCopy {
  let top = '';
  const home = process.cwd();
  const at = (path: string): string => join(top, 'repository', path);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'render-rgd-plugin-')));
    mkdirSync(at('.git'), { recursive: true });
    mkdirSync(at('app'));
  });
  afterEach(() => {
    process.chdir(home);
    rmSync(top, { recursive: true });
  });

  const call = async (verb: string, { folder = 'app', flags = [], variables = {} }: Call = {}): Promise<Invocation> => {
    const result = { code: -1, stdout: '', stderr: '' };
    const io = recordingIo(result, () => Promise.reject(new Error('the plugin has no standard input')));
    process.chdir(at(folder));
    const surroundings = { PATH: `${join(top, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`, ...variables };
    result.code = await pluginCommand([verb, ...flags], io, surroundings);
    return result;
  };

  return {
    top: () => top,
    call,
    write: (files) => {
      for (const [path, text] of Object.entries(files)) put(at(path), text);
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    link: (path, target) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(target, at(path));
    },
    tool: (name, script) => {
      put(join(top, 'bin', name), script);
      chmodSync(join(top, 'bin', name), 0o755);
    },
    generate: (parameters, flags = []) =>
      call('generate', {
        flags,
        variables: parameters === undefined ? {} : { ARGOCD_APP_PARAMETERS: JSON.stringify(parameters) },
      }),
  };
}
