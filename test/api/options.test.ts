import { describe, expect, it } from 'vitest';
import { crds, type RenderOptions, render } from '../../src/api/index.ts';
import { readOptions } from '../../src/api/options.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { defaultRenderOptions, libraryOptions, type Option } from '../../src/render/options/index.ts';

/** A package on which every option of the core has an effect: pending, a namespace, an unknown kind, a collection. */
const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
  - id: svc
    template: {apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}
  - id: cm
    forEach: [{i: "\${lists.range(3)}"}]
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "c\${string(i)}"}, data: {v: "\${svc.status.loadBalancer.ingress[0].ip}"}}
---
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: one}
`;
const input = { objects: [{ file: 'a.yaml', text }] };
const codesOf = (options: object) =>
  render(input, options as RenderOptions).diagnostics.map(({ code, message }) => [code, message]);
const known = Object.entries<Option>(libraryOptions);

it('the table has every option of the core', () => {
  expect(known.map(([name]) => name).sort()).toEqual([...Object.keys(defaultRenderOptions), 'all'].sort());
});

describe.each(known)('%s', (name, option) => {
  it('treats undefined as the default', () => {
    for (const others of [{}, { onPending: 'skip' }, { assumeEmptyStatus: true }] as const) {
      const { [name as 'all']: _, ...rest } = others as RenderOptions;
      expect(render(input, { ...rest, [name]: undefined })).toEqual(render(input, rest));
    }
    const reports = new Collector();
    expect(readOptions({ [name]: undefined }, reports)).toEqual(readOptions({}, reports));
    expect(reports.all).toEqual([]);
  });

  it('accepts the default', () => {
    expect(render(input, { [name]: option.default })).toEqual(render(input));
  });

  it.each([
    null,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    1.5,
    {},
    [1],
    [['a']],
    'nonsense value',
    Symbol('s'),
    () => true,
  ])('rejects %s unless the value is valid', (value) => {
    const isText = option.type === 'string' && typeof value === 'string' && option.form?.pattern.test(value) !== false;
    const isList = option.type === 'list' && Array.isArray(value) && value.every((item) => typeof item === 'string');
    const fits = isText || (isList && value.every((item) => option.each?.pattern.test(item)));
    const { objects, diagnostics } = render(input, { onPending: 'skip', [name]: value } as RenderOptions);
    if (fits) return expect(diagnostics.filter(({ code }) => code === 'library-option')).toEqual([]);
    expect({ objects, codes: diagnostics.map(({ code, field }) => `${code} ${field}`) }).toEqual({
      objects: [],
      codes: [`library-option ${name}`],
    });
    const generated = crds(input, { [name]: value } as RenderOptions);
    expect(generated).toMatchObject({ objects: [], diagnostics: [{ code: 'library-option' }] });
  });
});

it.each([
  [{ onPending: 'passthru' }, "onPending: 'passthru' is not one of fail, skip, passthrough, placeholder"],
  [{ onpending: 'skip' }, "unknown option 'onpending'"],
  [{ maxCollectionSize: 0 }, 'maxCollectionSize: 0 is less than 1'],
  [{ maxCollectionSize: '7' }, 'maxCollectionSize: must be a whole number'],
  [{ clusterScoped: ['Foo'] }, "clusterScoped: 'Foo' is not of the form Kind.group"],
  [
    { namespace: 'Not_Valid' },
    "namespace: 'Not_Valid' is not a namespace: lower case letters, digits and dashes, at most 63",
  ],
  [{ strict: 'true' }, 'strict: must be true or false'],
  [{ constructor: 1 }, "unknown option 'constructor'"],
])('%j is an error', (options, message) => expect(codesOf(options)).toEqual([['library-option', message]]));

it('the input contains what other interfaces read from files', () => {
  const { diagnostics } = render(input, { observed: ['a.yaml'] } as RenderOptions);
  expect(diagnostics[0]?.hint).toBe("'observed' stands in the input, beside 'objects'");
});

it('bounds may be bigint', () => {
  expect(codesOf({ onPending: 'skip', maxCollectionSize: 2n })).toEqual(
    codesOf({ onPending: 'skip', maxCollectionSize: 2 }),
  );
});

it.each([null, 'skip', 7, ['skip']])('%j as options is a TypeError', (options) => {
  expect(() => render(input, options as never)).toThrow(TypeError);
});
