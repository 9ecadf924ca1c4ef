import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the nearest folder, this one or above, with an entry of that name. */
export function nearestAbove(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestAbove(parent, name);
}
