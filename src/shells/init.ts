import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArguments } from '../options/index.ts';
import { projectFiles } from '../project/index.ts';
import { visible } from '../text/visible.ts';
import { refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';

/** `render-rgd init DIR` */
export async function initCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'init');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const [folder, ...rest] = parsed.paths;
  if (folder === undefined || rest.length > 0) return refuse('init needs one DIR', io);
  const files = [...projectFiles()].map(([path, text]) => ({ path: join(folder, path), text }));
  const taken = files.find(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (taken !== undefined) return failed(`${taken.path} is there already, and nothing is overwritten`, io);
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
    }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error), io);
  }
  const platform = join(folder, 'platform');
  const lines = [
    ...files.map(({ path }) => `  ${path}\n`),
    '\nTry:\n',
    `  render-rgd render ${platform} ${join(folder, 'apps/base/blog.yaml')}\n`,
    `  render-rgd test ${join(folder, 'tests')}\n`,
  ];
  io.stdout([visible(lines.join(''))]);
  return exitCode.ok;
}

function failed(fault: string, io: Io): number {
  io.stderr(visible(`render-rgd: init: ${fault}\n`));
  return exitCode.input;
}
