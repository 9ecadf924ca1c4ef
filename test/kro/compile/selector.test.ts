import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';
import { configMap, object, rgd, x } from '../../core/diagnostics/examples/objects.ts';

const selecting = (selector: unknown, metadata: object = {}, apiVersion = 'v1', kind = 'ConfigMap') => ({
  id: 'found',
  externalRef: { apiVersion, kind, metadata: { selector, ...metadata } },
});
const SCHEMA = { spec: { labels: 'map[string]string', any: 'object', n: 'integer', texts: '[]string' } };

/** Returns `severity code field` of every diagnostic of an RGD without instances. */
const told = (selector: unknown, metadata?: object): string[] =>
  render({ objects: [rgd(SCHEMA, [selecting(selector, metadata)])] }).diagnostics.map(
    ({ severity, code, field }) =>
      `${severity} ${code} ${field?.replace('spec.resources[0].externalRef.metadata.', '')}`,
  );

describe('a selector is checked with the RGD', () => {
  it.each<[unknown]>([
    [{}],
    [{ matchLabels: null, matchExpressions: null }],
    [{ matchLabels: { 'a.example/b': 'c', d: '', e: null } }],
    [{ matchLabels: { a: '${schema.spec.labels.a}', b: 'x-${schema.metadata.name}' } }],
    [{ matchLabels: '${schema.spec.labels}' }],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: '${schema.spec.texts}' }] }],
    [
      {
        matchExpressions: [
          { key: 'a', operator: '${schema.spec.labels.o}' },
          { key: '${"b"}', operator: 'Exists' },
        ],
      },
    ],
    [{ matchExpressions: '${[{"key": "a", "operator": "Exists"}]}' }],
    ['${schema.spec.any}'],
    ['${{"matchLabels": schema.spec.labels}}'],
    // Label syntax is checked at run time if anything is computed.
    [{ matchLabels: { a: 'b c', d: '${schema.metadata.name}' } }],
  ])('%j is valid', (selector) => expect(told(selector)).toEqual([]));

  it.each<[unknown, string]>([
    ['text', 'selector'],
    ['${schema.spec.any} ', 'selector'],
    ['a-${schema.spec.any}', 'selector'],
    ['${schema.spec.any', 'selector'],
    [['a'], 'selector'],
    [{ matchLabel: { a: 'b' } }, 'selector.matchLabel'],
    [{ app: 'x' }, 'selector.app'],
    [{ matchlabels: { a: '${schema.metadata.name}' } }, 'selector.matchlabels'],
    [{ matchLabels: 'app=x' }, 'selector.matchLabels'],
    [{ matchLabels: { a: 1 } }, 'selector.matchLabels.a'],
    [{ matchLabels: { a: 'b c' } }, 'selector.matchLabels.a'],
    [{ matchLabels: { a: 1, b: '${schema.metadata.name}' } }, 'selector.matchLabels.a'],
    [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }, 'selector.matchExpressions[0].operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', value: ['${schema.metadata.name}'] }] },
      'selector.matchExpressions[0].value',
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', values: ['${schema.metadata.name}', 1] }] },
      'selector.matchExpressions[0].values',
    ],
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, 'selector.matchExpressions[0].operator'],
    [{ matchExpressions: { key: 'a' } }, 'selector.matchExpressions'],
    [{ matchExpressions: ['a'] }, 'selector.matchExpressions[0]'],
  ])('%j is rejected', (selector, field) => expect(told(selector)).toEqual([`error selector-shape ${field}`]));

  it('has a type for its expressions', () => {
    expect(told('${schema.spec.n}')).toEqual(['error field-type selector']);
    expect(told({ matchLabels: '${schema.spec.texts}' })).toEqual(['error field-type selector.matchLabels']);
    expect(told({ matchLabels: { a: '${schema.spec.n}' } })).toEqual(['error field-type selector.matchLabels.a']);
    expect(told({ matchExpressions: '${schema.spec.n}' })).toEqual(['error field-type selector.matchExpressions']);
    expect(told({ matchExpressions: '${schema.spec.labels}' })).toEqual([
      'warning doubtful-type selector.matchExpressions',
    ]);
    expect(told({}, { namespace: '${schema.spec.n}' })).toEqual(['error field-type namespace']);
  });

  it('has suggestions in its errors', () => {
    const { diagnostics } = render({ objects: [rgd(SCHEMA, [selecting({ matchExpression: [] })])] });
    expect(diagnostics[0]?.hint).toBe("did you mean 'matchExpressions'?");
  });
});

describe('a null selector is absent', () => {
  it.each(['a', '${schema.metadata.name}'])('beside the name %s', (name) => {
    expect(told(null, { name })).toEqual([]);
  });
  it.each(['', ' ', null])('without a name: %j', (name) => {
    expect(told(null, { name })).toEqual(['error external-ref-shape spec.resources[0].externalRef.metadata']);
  });
  it.each([' ', null])('and the name %j beside a selector is absent too', (name) => {
    expect(told({}, { name })).toEqual([]);
  });
  it('and an empty name beside a selector is rejected, as by the schema of ResourceGraphDefinitions', () => {
    expect(told({}, { name: '' })).toEqual(['error external-ref-shape spec.resources[0].externalRef.metadata']);
  });
});

describe('an empty namespace of a reference is absent', () => {
  it.each([[''], [null]])('%j', (namespace) => {
    const node = selecting({}, { namespace }, 'v1', 'Namespace');
    expect(render({ objects: [rgd({}, [node])] }).diagnostics).toEqual([]);
    expect(
      render({ objects: [rgd({}, [selecting({}, { namespace: 'a' }, 'v1', 'Namespace')])] }).diagnostics,
    ).toMatchObject([{ code: 'namespace-on-cluster-kind' }]);
  });
});

describe('the result of a selector', () => {
  const named = (name: string, namespace: string, labels: object) =>
    object('v1', 'ConfigMap', { name, namespace, labels });
  const page = configMap('page', { names: '${found.map(f, f.metadata.namespace + "/" + f.metadata.name).join(" ")}' });
  const found = (selector: unknown, metadata: object, ...others: ReturnType<typeof named>[]) => {
    const { objects, diagnostics } = render({
      objects: [
        rgd(SCHEMA, [selecting(selector, metadata), page]),
        x({ labels: { a: '1' }, any: { matchLabels: { a: '1' } } }),
        ...others,
      ],
    });
    return objects.length > 0
      ? (objects[0] as { data?: { names?: string } }).data?.names
      : diagnostics.map(({ code }) => code);
  };
  const others = [
    named('q', 'z', { a: '1' }),
    named('b', 'n', { a: '1' }),
    named('a', 'n', { a: '1' }),
    named('c', 'm', { a: '2' }),
  ];

  it('contains objects of all namespaces, unless it names one', () => {
    expect(found({ matchLabels: { a: '1' } }, {}, ...others)).toBe('n/a n/b z/q');
    expect(found({}, {}, ...others)).toBe('m/c n/a n/b z/q');
    expect(found({ matchLabels: { a: '1' } }, { namespace: 'z' }, ...others)).toBe('z/q');
    expect(found({ matchLabels: { a: '1' } }, { namespace: '${schema.metadata.namespace}' }, ...others)).toBe(
      'n/a n/b',
    );
    expect(found({ matchLabels: { a: '1' } }, { namespace: '${""}' }, ...others)).toBe('n/a n/b z/q');
    expect(found('${schema.spec.any}', {}, ...others)).toBe('n/a n/b z/q');
  });

  it('is an error if computed labels are invalid', () => {
    expect(found({ matchLabels: { a: '${"b c"}' } }, {}, ...others)).toEqual(['external-selector']);
    expect(found('${{"matchLabel": schema.spec.labels}}', {}, ...others)).toEqual(['external-selector']);
    expect(found({ matchExpressions: [{ key: 'a', operator: '${"in"}' }] }, {}, ...others)).toEqual([
      'external-selector',
    ]);
  });

  it('contains the instances of the package, with their computed status', () => {
    const y = rgd(
      { kind: 'Y', status: { name: '${inner.metadata.name}' } },
      [configMap('inner', {}, { name: '${schema.metadata.name}-in' })],
      { name: 'y' },
    );
    const ys = ['b', 'a'].map((name) => object('kro.run/v1alpha1', 'Y', { name, namespace: 'o', labels: { of: 'x' } }));
    const reader = configMap('page', { names: '${found.map(f, f.status.name).join(" ")}' });
    const { objects, diagnostics } = render({
      objects: [rgd({}, [selecting({ matchLabels: { of: 'x' } }, {}, 'kro.run/v1alpha1', 'Y'), reader]), x(), y, ...ys],
    });
    expect(diagnostics).toEqual([]);
    expect(objects[0]).toMatchObject({ data: { names: 'a-in b-in' } });
  });
});
