import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testReport } from '../../src/cli/test/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'render-rgd-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('runs and updates a golden test for an editor', () => {
  cpSync(new URL('../../examples', import.meta.url), folder, { recursive: true });
  const own = join(folder, 'tests/address-known');
  const expected = join(own, 'expected.yaml');
  const text = readFileSync(expected, 'utf8');
  expect(testReport(own, false)).toBe(`ok ${own}\n1 passed\n`);
  writeFileSync(expected, text.replace(/kind: Deployment/, 'kind: StatefulSet'));
  expect(testReport(own, false)).toMatch(/^FAILED .*\n[\s\S]*0 passed, 1 failed\n$/);
  expect(testReport(own, true)).toMatch(/^updated .*\n0 passed, 1 updated\n$/);
  expect(testReport(own, false)).toBe(`ok ${own}\n1 passed\n`);
});
