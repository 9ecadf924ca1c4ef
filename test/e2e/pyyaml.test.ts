import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toYaml } from '../../src/yaml/emit/yaml.ts';
import { objectWith, plain, values } from '../properties/values.ts';
import { execute } from './sandbox.ts';

/** One Python process reads all samples. `TIMES=10` runs ten times as many. */
const SAMPLES = 10_000 * Number(process.env.TIMES ?? 1);

const hasPyYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0;
const inCi = process.env.CI === 'true';

/** Prints each document of standard input as a line of JSON, maps as lists of entries. */
const program = `
import json, sys, yaml
def plain(value):
    if isinstance(value, dict): return {'map': [[key, plain(item)] for key, item in value.items()]}
    return [plain(item) for item in value] if isinstance(value, list) else value
loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader) if sys.argv[1] == 'c' else yaml.SafeLoader
text = sys.stdin.buffer.read().decode('utf-8')
for document in yaml.load_all(text, Loader=loader): print(json.dumps(plain(document)))
`;

describe.skipIf(!hasPyYaml && !inCi)(`PyYAML${hasPyYaml ? '' : ' (not installed)'}, which reads YAML 1.1`, () => {
  it.each(['python', 'c'])(
    'reads back every value: %s',
    (loader) => {
      const samples = fc.sample(values, loader === 'c' ? SAMPLES : SAMPLES / 4);
      const input = toYaml(samples.map(objectWith));
      const { stdout, stderr } = execute('python3', ['-c', program, loader], { input });
      expect(stderr).toBe('');
      const got = stdout.trimEnd().split('\n');
      expect(got).toHaveLength(samples.length);
      for (const [index, value] of samples.entries())
        expect(JSON.parse(got[index] ?? '')).toEqual(plain(objectWith(value)));
    },
    600_000,
  );
});
