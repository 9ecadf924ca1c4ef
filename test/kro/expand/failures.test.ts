import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';
import { configMap, object, rgd, service, x } from '../../core/diagnostics/examples/objects.ts';

const cloud = { id: 'net', template: { apiVersion: 'cloud.example/v1', kind: 'Net', metadata: { name: 'net' } } };

/** Returns the value that the hint of a pending read of `net` suggests to supply. */
function supplied(expression: string): unknown {
  const { diagnostics } = render({ objects: [rgd({}, [cloud, configMap('a', { a: expression })]), x()] });
  const { hint = '' } = diagnostics.find(({ code }) => code === 'pending-value') ?? {};
  return JSON.parse(hint.slice(hint.indexOf('{')));
}

const net = (rest: object, metadata: object = {}) => ({
  apiVersion: 'cloud.example/v1',
  kind: 'Net',
  metadata: { name: 'net', namespace: 'n', ...metadata },
  ...rest,
});

describe('the object that would supply a value', () => {
  it.each<[string, unknown]>([
    ['${net.status.id}', net({ status: { id: '...' } })],
    ['${net.status.value}', net({ status: { value: '...' } })],
    ['${net.status.value.id}', net({ status: { value: { id: '...' } } })],
    ['${net.status.ids[0]}', net({ status: { ids: ['...'] } })],
    ['${net.status.ids[2].id}', net({ status: { ids: ['...', '...', { id: '...' }] } })],
    ['${net.metadata.uid}', net({}, { uid: '...' })],
    ['${net.metadata.annotations["a.b/c"]}', net({}, { annotations: { 'a.b/c': '...' } })],
  ])('%s', (expression, expected) => {
    expect(supplied(expression)).toEqual(expected);
  });
});

describe('the pending value of an expression', () => {
  const seen = (status: object) => object('cloud.example/v1', 'Net', { name: 'net', namespace: 'n' }, { status });
  const other = { ...cloud, id: 'other', template: { ...cloud.template, metadata: { name: 'other' } } };
  const message = (expression: string, observed: ReturnType<typeof seen>[]): string | undefined => {
    const input = { objects: [rgd({}, [cloud, other, configMap('a', { a: expression })]), x()], observed };
    return render(input).diagnostics.find(({ code }) => code === 'pending-value')?.message;
  };

  it('is the value that the evaluation missed, not one of another branch', () => {
    expect(message('${net.status.on ? net.status.id : other.status.id}', [seen({ on: false })])).toMatch(
      /no such key: status \(waits for status\.id of Net n\/other\)$/,
    );
  });

  it('is a part of a loop or a filtered list if nothing else is known', () => {
    expect(message('${net.?status.ids.orValue([]).filter(i, i != "")[0]}', [])).toMatch(
      /index out of bounds: 0 \(waits for status\.ids of Net n\/net\)$/,
    );
  });
});

describe('the pending value behind a variable of an expression', () => {
  it.each([
    ['${cel.bind(s, net.status, s.id)}'],
    ['${[net].map(n, n.status.id)[0]}'],
    ['${[net].filter(n, n.kind == "Net")[0].status.id}'],
  ])('is found: %s', (expression) => {
    const input = { objects: [rgd({}, [cloud, configMap('a', { a: expression })]), x()] };
    const pending = render(input).diagnostics.filter(({ code }) => code === 'pending-value');
    expect(pending.map(({ message }) => message)).toEqual([
      expect.stringMatching(/no such key: status \(waits for status\.id of Net n\/net\)$/),
    ]);
  });
});

describe('an error that a live object cannot fix', () => {
  const waiting = configMap('a', { a: '${net.status.id}' });
  const selecting = (labels: object): object => ({
    id: 'b',
    externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { selector: { matchLabels: labels } } },
  });
  const named = (name: string): object => ({
    id: 'b',
    template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  });
  it.each<[string, object]>([
    ['expand evaluation', configMap('b', { b: '${schema.metadata.name.substring(9)}' })],
    ['expand missing-in-instance', configMap('b', { b: '${["x"].slice(0, 0)[0]}' })],
    ['expand evaluation', { ...configMap('b', { b: 'b' }), includeWhen: ['${int(schema.metadata.name) > 0}'] }],
    ['expand external-selector', selecting({ team: '${schema.metadata.name + " b"}' })],
    ['expand object-name', named('${schema.metadata.name + " b"}')],
    ['collision identity-collision', { ...named('net'), id: 'b', template: { ...cloud.template } }],
  ])('is reported before pending values: %s', (told, node) => {
    const { diagnostics } = render({ objects: [rgd({}, [cloud, waiting, node]), x()] });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ stage, code, node }) => `${stage} ${code} of ${node}`)).toEqual([
      `${told} of b`,
      'pending pending-value of a',
    ]);
  });
});

describe('an assumed scope', () => {
  const cluster = { spec: {}, scope: 'Cluster' };
  const thing = (metadata: object) => ({
    id: 'thing',
    template: { apiVersion: 'e.example/v1', kind: 'Thing', metadata },
  });
  const anywhere = object('kro.run/v1alpha1', 'X', { name: 'i' }, { spec: {} });
  const rendered = (node: object) => {
    const { objects, diagnostics } = render({ objects: [rgd(cluster, [node]), anywhere] });
    return { codes: diagnostics.map(({ severity, code }) => `${severity} ${code}`), metadata: objects[0]?.metadata };
  };

  it('does not cause an error under a cluster-scoped RGD', () => {
    for (const metadata of [{ name: 'a' }, { name: 'a', namespace: '' }, { name: 'a', namespace: '${""}' }]) {
      const { codes, metadata: made } = rendered(thing(metadata));
      expect(codes).toEqual(['warning unknown-kind']);
      expect(made).toMatchObject({ name: 'a' });
      expect(made).not.toHaveProperty('namespace');
    }
    expect(rendered(thing({ name: 'a', namespace: 'b' })).metadata).toMatchObject({ namespace: 'b' });
    expect(rendered(service()).codes).toEqual(['error namespace-missing']);
  });

  it('does not prevent a reference from finding its object', () => {
    const reference = {
      id: 'thing',
      externalRef: { apiVersion: 'e.example/v1', kind: 'Thing', metadata: { name: 'a' } },
    };
    const reader = configMap('b', { size: '${string(thing.spec.size)}' });
    const live = object('e.example/v1', 'Thing', { name: 'a' }, { spec: { size: 1 } });
    for (const input of [{ objects: [live] }, { objects: [], observed: [live] }]) {
      const { objects } = render({ ...input, objects: [rgd({}, [reference, reader]), x(), ...input.objects] });
      expect(objects[0]).toMatchObject({ data: { size: '1' } });
    }
    const named = {
      ...reference,
      externalRef: { ...reference.externalRef, metadata: { name: 'a', namespace: 'other' } },
    };
    const { diagnostics } = render({ objects: [rgd({}, [named, reader]), x(), live] });
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-kind', 'pending-reference']);
  });
});

it('a reference finds an instance that another instance renders', () => {
  const inner = rgd(
    { kind: 'Y', status: { name: '${made.metadata.name}' } },
    [configMap('made', {}, { name: '${schema.metadata.name}-in' })],
    { name: 'y' },
  );
  const outer = rgd(
    { kind: 'Z' },
    [{ id: 'y', template: { apiVersion: 'kro.run/v1alpha1', kind: 'Y', metadata: { name: 'deep' }, spec: {} } }],
    { name: 'z' },
  );
  const reference = { id: 'y', externalRef: { apiVersion: 'kro.run/v1alpha1', kind: 'Y', metadata: { name: 'deep' } } };
  const reader = rgd({}, [reference, configMap('a', { name: '${y.status.name}' })]);
  const instances = [x(), object('kro.run/v1alpha1', 'Z', { name: 'z', namespace: 'n' }, { spec: {} })];
  for (const order of [instances, [...instances].reverse()]) {
    const { objects, diagnostics } = render({ objects: [reader, inner, outer, ...order] });
    expect(diagnostics).toEqual([]);
    expect(objects).toContainEqual(expect.objectContaining({ data: { name: 'deep-in' } }));
  }
});

// kro asks a condition only when all that it reads is known.
describe('a condition that reads a pending node', () => {
  it('makes its node wait, and is not evaluated', () => {
    const nodes = [
      { id: 'ext', externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ext' } } },
      configMap('a', { v: '${ext.data.v}' }),
      configMap('b', { w: 'w' }, {}, { includeWhen: ["${a.data.v == 'on'}"] }),
      configMap('c', { w: '${b.data.w}' }),
    ];
    const { objects, diagnostics } = render({ objects: [rgd({ spec: {} }, nodes), x()] }, { onPending: 'skip' });
    expect(objects).toEqual([]);
    expect(diagnostics.map(({ code, node }) => `${node} ${code}`)).toEqual([
      'ext pending-reference',
      'a pending-reader',
      'b pending-reader',
      'c pending-reader',
    ]);
  });
});
