import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** An import that is there when the module is loaded; `import type` and `import()` are none. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s*)?['"](\.{1,2}\/[^'"]+)['"]/gm;

/** Returns the modules that a file loads, each with the one that imports it first. */
function loadedBy(file: string): ReadonlyMap<string, string> {
  const found = new Map([[file, '']]);
  for (const [path] of found) {
    const text = readFileSync(path, 'utf8');
    for (const [, target = ''] of text.matchAll(STATIC)) {
      const imported = join(dirname(path), target);
      if (existsSync(imported) && !found.has(imported)) found.set(imported, path);
    }
  }
  return found;
}

/** What other commands need: a rendering does not wait for it. */
const OTHERS =
  /^src\/(author|gitops|check\/(lint|policies|rbac|validate)|compare\/(compat|diff)|describe\/(explain|graph|sample))\//;

it('the command loads only what a rendering needs at its start', () => {
  const loaded = loadedBy('src/cli/main.ts');
  expect([...loaded.keys()]).toContain('src/render/pipeline.ts');
  expect([...loaded].filter(([path]) => OTHERS.test(path))).toEqual([]);
});
