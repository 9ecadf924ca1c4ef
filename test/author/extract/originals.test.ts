import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type KubernetesObject, render } from '../../../src/api/index.ts';
import { toPlain } from '../../../src/api/plain.ts';
import { extract } from '../../../src/api/tools/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { flattenObjects, readStreams } from '../../../src/yaml/parse/index.ts';

const FOLDER = join(import.meta.dirname, 'originals');

/** Returns the objects of a file: an RGD that a person wrote, and its instances. */
function objectsOf(file: string): KubernetesObject[] {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const inputs = flattenObjects(readStreams([{ file, text }], new Collector()));
  return inputs.map(({ object }) => toPlain(object) as unknown as KubernetesObject);
}

const specOf = (object: KubernetesObject | undefined): unknown =>
  (object as unknown as { spec: unknown } | undefined)?.spec;

/** Returns the files in which each object is once, and not in the order of the names. */
const inOtherOrder = <T>(items: readonly T[]): T[] => [...items.slice(1), ...items.slice(0, 1)];

// What a person would write is the judge: of the objects that an RGD renders, extract makes that RGD again.
describe.each(readdirSync(FOLDER))('the objects of %s', (file) => {
  const [rgd, ...instances] = objectsOf(file) as [KubernetesObject, ...KubernetesObject[]];
  const copies = instances.map((instance) => {
    const { objects, diagnostics } = render({ objects: [rgd, instance] });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return { name: instance.metadata.name ?? '', objects: [...objects] };
  });
  const options = { kind: 'Copy', group: 'example.com' };

  it('become the RGD that rendered them, and its instances', () => {
    const result = extract({ copies }, options);
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(specOf(result.rgd)).toEqual(specOf(rgd));
    expect(result.instances.map(({ metadata, spec }) => ({ metadata, spec }))).toEqual(
      instances.map((instance) => ({ metadata: instance.metadata, spec: specOf(instance) })),
    );
  });

  it('become the same fields and nodes in another order of the copies', () => {
    const { rgd: other } = extract({ copies: inOtherOrder(copies) }, options);
    const parts = (object: KubernetesObject | undefined): unknown => {
      const { schema, resources } = specOf(object) as { schema: { spec: object }; resources: { id: string }[] };
      return [schema.spec, resources.map(({ id }) => id).sort()];
    };
    expect(parts(other)).toEqual(parts(rgd));
  });
});
