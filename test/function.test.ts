import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runFunction } from './cli/resourcelist/packages.ts';

/**
 * A folder is a case: the KRM function renders input.yaml to expected.yaml, including results, and does not change its
 * own output. `UPDATE=1 npx vitest run test/function.test.ts` writes the expected files; review the difference.
 */
const root = fileURLToPath(new URL('function', import.meta.url));
const update = process.env.UPDATE === '1';

describe('the KRM function', () => {
  it.each(readdirSync(root).sort())('%s', async (name) => {
    const [input, expected] = [`${root}/${name}/input.yaml`, `${root}/${name}/expected.yaml`];
    const first = await runFunction(readFileSync(input, 'utf8'));
    if (update) writeFileSync(expected, first.stdout);
    expect(first.stdout).toBe(readFileSync(expected, 'utf8'));
    const failed = first.results.some(({ severity }) => severity === 'error');
    expect(first.code).toBe(failed ? 1 : 0);

    const second = await runFunction(first.stdout);
    expect(second.items).toEqual(first.items);
    expect(second.code).toBe(first.code);
  });
});
