import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The path of helm: on the PATH, or in the folder of `go install`; undefined if it is not installed. */
export const helm = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')]
  .map((folder) => join(folder, 'helm'))
  .find((path) => existsSync(path));
