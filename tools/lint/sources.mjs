import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the TypeScript sources of a folder, in the order of their paths. */
export function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
    .sort();
}
