import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codes } from '../../src/core/diagnostics/diagnostic.ts';
import { type InputObject, identityOf, type KubeObject } from '../../src/core/model/object.ts';
import type { OnPending, RenderOptions } from '../../src/core/model/render.ts';
import { equal } from '../../src/core/model/value.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { type RenderOutput, renderPackage } from '../../src/render/pipeline.ts';
import { toYaml } from '../../src/yaml/emit/yaml.ts';
import { mutated, mutations, packages } from './mutants.ts';

/** `MUTANTS=50000 npx vitest run test/properties` tests more. */
const runs = Number(process.env.MUTANTS ?? 2000);

const cases = packages();
const options: RenderOptions = { ...defaultRenderOptions, namespace: 'default' };
const failed = ({ reports }: RenderOutput): boolean => reports.some(({ severity = 'error' }) => severity === 'error');
const renderedBy = (output: RenderOutput): [string, readonly KubeObject[]][] =>
  output.entries
    .filter(({ role }) => role === 'instance')
    .map(({ input, rendered }) => [identityOf(input.object), rendered.map(({ object }) => object)]);

/** Cases that render, with several documents. */
const rendering = cases.filter((objects) => objects.length > 1 && !failed(renderPackage({ objects }, options)));

describe('rendering', () => {
  it('never throws, and reports the errors of a mutant', () => {
    const onPending = fc.constantFrom<OnPending>('fail', 'skip', 'passthrough', 'placeholder');
    const chosen = fc.record({
      onPending,
      strict: fc.boolean(),
      order: fc.constantFrom('none' as const, 'argocd', 'kpt'),
    });
    const mutants = fc.tuple(fc.constantFrom(...cases), mutations, chosen);
    fc.assert(
      fc.property(mutants, ([objects, changes, given]) => {
        const output = renderPackage({ objects: mutated(objects, changes) }, { ...options, ...given });
        for (const { code, message, path } of output.reports) {
          if (codes[code] === undefined || message === '' || !Array.isArray(path)) return false;
        }
        const objectsMade = output.entries.flatMap(({ rendered }) => rendered.map(({ object }) => object));
        return failed(output) ? output.entries.length === 0 : typeof toYaml(objectsMade) === 'string';
      }),
      { numRuns: runs },
    );
  }, 600_000);

  it('returns the same bytes again', () => {
    for (const objects of rendering) {
      const [first, second] = [1, 2].map(() => JSON.stringify(written(renderPackage({ objects }, options))));
      expect(first).toBe(second);
    }
  });

  it('does not change its input', () => {
    for (const objects of rendering) {
      const frozen = objects.map(({ object, ...rest }) => ({ ...rest, object: deepFreeze(structuredClone(object)) }));
      expect(() => renderPackage({ objects: frozen }, options)).not.toThrow();
      expect(frozen.every(({ object }, index) => equal(object, objects[index]?.object))).toBe(true);
    }
  });

  it('renders each instance equally, in the order of the input, in any order of documents', () => {
    const shuffled = fc
      .constantFrom(...rendering)
      .chain((objects) => fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })));
    fc.assert(
      fc.property(shuffled, ([objects, reordered]) => {
        const [given, other] = [objects, reordered].map((input) => renderPackage({ objects: input }, options));
        if (given === undefined || other === undefined || failed(other)) return false;
        const before = new Map(renderedBy(given));
        const isInstance = ({ object }: InputObject): boolean => before.has(identityOf(object));
        expect(renderedBy(other).map(([key]) => key)).toEqual(
          reordered.filter(isInstance).map(({ object }) => identityOf(object)),
        );
        return renderedBy(other).every(([key, made]) => equal([...made], [...(before.get(key) ?? [])]));
      }),
      { numRuns: 300 },
    );
  });
});

const written = ({ entries, reports }: RenderOutput): string[] => [
  toYaml(entries.flatMap(({ rendered }) => rendered.map(({ object }) => object))),
  ...reports.map(({ code, message }) => `${code} ${message}`),
];

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner);
  return value;
}
