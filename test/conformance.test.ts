import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkCase, findCases } from '../tools/conformance-cases.mjs';
import { invoke } from './cli/invoke.ts';

const root = fileURLToPath(new URL('conformance', import.meta.url));
const gaps: Record<string, string> = JSON.parse(readFileSync(`${root}/known-gaps.json`, 'utf8'));

describe('conformance with kro', () => {
  it.each(findCases(root).map((folder) => ({ folder, name: relative(root, folder) })))(
    '$name',
    async ({ folder, name }) => {
      const fault = await checkCase(folder, invoke).catch(String);
      if (Object.hasOwn(gaps, name)) expect(fault, 'it passes: take it off known-gaps.json').toBeDefined();
      else expect(fault).toBeUndefined();
    },
  );
});
