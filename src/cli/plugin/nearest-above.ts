import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder, this one or above, that has an entry of that name. */
export function nearestAbove(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestAbove(parent, name);
}
