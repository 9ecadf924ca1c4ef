import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { diagnosticsSchema } from '../../../src/check/reports/index.ts';
import { ARGUMENTS, ARGUMENTS_OF_CODES, codes } from '../../../src/core/diagnostics/index.ts';
import { DIALECT } from '../../../src/describe/jsonschema/index.ts';
import { invoke } from '../../cli/invoke.ts';

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

const ajv = new Ajv2020({ strict: true, allErrors: true, strictRequired: false, strictTypes: false });
const isValid = ajv.compile(JSON.parse(JSON.stringify(diagnosticsSchema(DIALECT), (_, one) => plain(one))));

const ROOT = 'test/conformance';

const cases = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(ROOT, name)).map((one) => join(ROOT, name, one, 'input.yaml')))
  .filter((file) => existsSync(file));

describe('the schema of diagnostics', () => {
  it('describes the diagnostics of every conformance case', async () => {
    const names = new Set<string>();
    for (const file of cases) {
      const { stdout } = await invoke(['validate', file, '-o', 'json', '--verbose']);
      const diagnostics = JSON.parse(stdout);
      expect(isValid(diagnostics), `${file}: ${ajv.errorsText(isValid.errors)}`).toBe(true);
      for (const { code, args = {} } of diagnostics) for (const name of Object.keys(args)) names.add(`${code} ${name}`);
    }
    expect(names.size).toBeGreaterThan(60);
  });

  it('rejects a code, an argument and a remedy that do not exist, and a line 0', () => {
    const valid = { severity: 'error', code: 'field-type', stage: 'compile', message: 'x' };
    expect(isValid([valid])).toBe(true);
    expect(isValid([{ ...valid, args: { expected: 'string' } }])).toBe(true);
    expect(isValid([{ ...valid, code: 'no-such-code' }])).toBe(false);
    expect(isValid([{ ...valid, args: { output: 'x' } }])).toBe(false);
    expect(isValid([{ ...valid, remedies: [{ kind: 'rename', to: 'x' }] }])).toBe(true);
    expect(isValid([{ ...valid, remedies: [{ kind: 'rename' }] }])).toBe(false);
    expect(isValid([{ ...valid, remedies: [{ kind: 'no-such-kind' }] }])).toBe(false);
    expect(isValid([{ ...valid, line: 0 }])).toBe(false);
  });

  it('has only codes and arguments that exist, and no argument that no code has', () => {
    const listed = Object.values(ARGUMENTS_OF_CODES).flat();
    expect(Object.keys(ARGUMENTS_OF_CODES).filter((code) => !(code in codes))).toEqual([]);
    expect(Object.keys(ARGUMENTS).filter((name) => !listed.some((one) => one === name))).toEqual([]);
  });
});
