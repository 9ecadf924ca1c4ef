import { describe, expect, it } from 'vitest';
import type { Value } from '../../../src/core/model/value.ts';
import { defaultsOf, functionOptions, readFunctionConfig, type Settings } from '../../../src/render/options/index.ts';
import { asReports } from '../../messages.ts';

const metadata = { name: 'render' };
const renderRgd = (spec: Value): Value => ({ apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'RenderRGD', metadata, spec });
const configMap = (data: Value): Value => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
const defaults = { ...defaultsOf(functionOptions), all: true };

describe('functionConfig', () => {
  it.each([
    [undefined, {}],
    [null, {}],
    [renderRgd(null), {}],
    [renderRgd({}), {}],
    [configMap({}), {}],
    [
      renderRgd({ strict: true, namespace: 'shop', order: 'kpt', maxCollectionSize: 7n, observed: ['a', 'b'] }),
      { strict: true, namespace: 'shop', order: 'kpt', maxCollectionSize: 7, observed: ['a', 'b'] },
    ],
    [renderRgd({ kubernetes: '1.33' }), { kubernetes: '1.33' }],
    [
      configMap({ strict: 'true', namespace: 'shop', maxCollectionSize: '7', observed: 'a, b\nc\n' }),
      { strict: true, namespace: 'shop', maxCollectionSize: 7, observed: ['a', 'b', 'c'] },
    ],
  ] as [Value | undefined, Partial<Settings>][])('reads %o', (config, settings) => {
    expect(readFunctionConfig(config)).toEqual({ settings: { ...defaults, ...settings }, problems: [] });
  });

  it.each([
    [renderRgd({ strikt: true }), ['spec', 'strikt'], "unknown option 'strikt'", "did you mean 'strict'?"],
    [renderRgd({ strict: 'true' }), ['spec', 'strict'], 'strict: must be true or false', undefined],
    [renderRgd({ namespace: 1n }), ['spec', 'namespace'], 'namespace: must be a string', undefined],
    [
      renderRgd({ namespace: 'Not_Valid' }),
      ['spec', 'namespace'],
      "namespace: 'Not_Valid' is not a namespace: lower case letters, digits and dashes, at most 63",
      undefined,
    ],
    [
      renderRgd({ maxSteps: 99999999999999999999n }),
      ['spec', 'maxSteps'],
      'maxSteps: 99999999999999999999 is too large',
      undefined,
    ],
    [renderRgd({ maxCollectionSize: 1.5 }), ['spec', 'maxCollectionSize'], /must be a whole number/, undefined],
    [renderRgd({ maxCollectionSize: 0n }), ['spec', 'maxCollectionSize'], /0 is less than 1/, undefined],
    [renderRgd({ observed: 'a' }), ['spec', 'observed'], 'observed: must be a list of strings', undefined],
    [renderRgd({ observed: [1n] }), ['spec', 'observed'], 'observed: must be a list of strings', undefined],
    [renderRgd({ kubernetes: '1.28' }), ['spec', 'kubernetes'], /'1.28' is not one of 1.37, 1.36/, undefined],
    [renderRgd({ order: 'argo' }), ['spec', 'order'], /'argo' is not one of none, argocd, kpt/, undefined],
    [renderRgd({ all: true }), ['spec', 'all'], "unknown option 'all'", undefined],
    [renderRgd({ acceptPrune: true }), ['spec', 'acceptPrune'], "unknown option 'acceptPrune'", undefined],
    [renderRgd([]), ['spec'], 'spec must be a map', undefined],
    [configMap({ strict: true }), ['data', 'strict'], /must be a string, as every value of a ConfigMap/, undefined],
    [configMap({ strict: 'on' }), ['data', 'strict'], /'on' is neither true nor false/, undefined],
    [
      { apiVersion: 'v1', kind: 'Secret' },
      [],
      /must be a RenderRGD of fn.kpt.dev\/v1alpha1, or a ConfigMap/,
      undefined,
    ],
  ] as [Value, string[], string | RegExp, string | undefined][])('rejects %o', (config, path, message, hint) => {
    const { problems } = readFunctionConfig(config);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'function-config', path });
    expect(asReports(problems)[0]?.message).toMatch(message);
    if (hint !== undefined) expect(asReports(problems)[0]?.hint).toBe(hint);
  });

  it('has no placeholder, which would reach the cluster', () => {
    const { problems } = readFunctionConfig(renderRgd({ onPending: 'placeholder' }));
    expect(asReports(problems)[0]?.message).toBe("onPending: 'placeholder' is not one of fail, skip, passthrough");
  });

  it('reports every error at once, and options outside spec', () => {
    const config = { ...(renderRgd({ a: 1n, strict: 2n }) as object), data: {} } as Value;
    expect(readFunctionConfig(config).problems.map(({ path }) => path)).toEqual([
      ['data'],
      ['spec', 'a'],
      ['spec', 'strict'],
    ]);
  });
});
