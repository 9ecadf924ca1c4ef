import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where helm is: on the PATH, or where `go install` puts it; undefined where it is not installed. */
export const helm = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')]
  .map((folder) => join(folder, 'helm'))
  .find((path) => existsSync(path));
