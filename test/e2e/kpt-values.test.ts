import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KubeObject } from '../../src/core/model/object.ts';
import { get, isMap, type Value } from '../../src/core/model/value.ts';
import { toYaml } from '../../src/yaml/emit/yaml.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { values } from '../properties/values.ts';
import { describeWith, execute } from './sandbox.ts';

/** `TIMES=10` runs ten times as many. */
const SAMPLES = 2000 * Number(process.env.TIMES ?? 1);

/** kpt rejects an empty key beside others, however it is written. */
const hasNoEmptyKey = (value: Value): boolean =>
  Array.isArray(value)
    ? value.every(hasNoEmptyKey)
    : !isMap(value) || Object.entries(value).every(([key, item]) => key !== '' && hasNoEmptyKey(item));

describeWith('kpt', (kpt) => {
  it('writes every value so that kpt reads it back', () => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-kpt-'));
    try {
      const objects = fc.sample(values.filter(hasNoEmptyKey), SAMPLES).map(
        (value, index): KubeObject => ({
          apiVersion: 'example.com/v1',
          kind: 'Thing',
          metadata: { name: `thing-${index}` },
          spec: { value },
        }),
      );
      const file = join(folder, 'things.yaml');
      writeFileSync(file, toYaml(objects));
      const passThrough = join(folder, 'pass-through.sh');
      // The added field makes kpt write all objects again.
      writeFileSync(passThrough, "#!/bin/sh\nexec sed 's/^  kind: Thing$/  kind: Thing\\n  seen: true/'\n");
      chmodSync(passThrough, 0o755);
      const { code, stderr } = execute(kpt, ['fn', 'eval', folder, '--exec', passThrough]);
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      const { documents, problems } = readStream(readFileSync(file, 'utf8'));
      expect(problems).toEqual([]);
      expect(documents).toHaveLength(objects.length);
      for (const [index, object] of objects.entries()) {
        expect(get(documents[index]?.value, 'spec')).toEqual(object.spec);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 600_000);
});
