import { describe, expect, it } from 'vitest';
import { crds, type RenderOptions, render } from '../../../src/api/index.ts';
import { getAt, type Value } from '../../../src/core/model/value.ts';
import { configMap, object, rgd, service, x } from '../../core/diagnostics/examples/objects.ts';

/** Returns the diagnostics for what kro 0.10 adds or changes. */
const told = (objects: Parameters<typeof render>[0]['objects'], options: RenderOptions = {}): string[] =>
  render({ objects }, options).diagnostics.map(({ severity, code, field }) =>
    `${severity} ${code} ${field ?? ''}`.trim(),
  );

describe('spec.schema.plural', () => {
  const names = (schema: object): unknown => {
    const [crd] = crds({ objects: [rgd(schema)] }).objects;
    return [getAt(crd as Value, ['metadata', 'name']), getAt(crd as Value, ['spec', 'names', 'plural'])];
  };

  it('names the resource of the CRD', () => {
    expect(names({ plural: 'exen' })).toEqual(['exen.kro.run', 'exen']);
    expect(names({ plural: 'exen', group: 'a.example' })).toEqual(['exen.a.example', 'exen']);
    expect(names({})).toEqual(['xes.kro.run', 'xes']);
    expect(names({ plural: null })).toEqual(['xes.kro.run', 'xes']);
  });

  it.each(['Exes', 'e_s', '1es', 'es-', 'a.b', 'e'.repeat(64)])('%s is rejected', (plural) => {
    expect(told([rgd({ plural })])).toEqual(['error rgd-plural spec.schema.plural']);
  });

  it('must be a string', () => expect(told([rgd({ plural: 5 })])).toEqual(['error rgd-shape spec.schema.plural']));

  it('must be unique in a group', () => {
    const other = (schema: object) => rgd({ kind: 'Y', ...schema }, [], { name: 'other' });
    expect(told([rgd({ plural: 'all' }), other({ plural: 'all' })])).toEqual([
      'error plural-defined-twice spec.schema.plural',
    ]);
    expect(told([rgd({}), rgd({ kind: 'Xes' }, [], { name: 'other' })])).toEqual([
      'error plural-defined-twice spec.schema.kind',
    ]);
    expect(told([rgd({ plural: 'all' }), other({ plural: 'all', group: 'a.example' })])).toEqual([]);
  });
});

describe('fields that no release of kro has are reported as such', () => {
  it.each<[string, object]>([
    ['nameValidation', rgd({ metadata: { nameValidation: 'maxLength=3' } })],
    ['optional', rgd({}, [configMap('a', {}, {}, { optional: true })])],
  ])('%s', (field, definition) => {
    for (const kro of ['0.9', '0.10'] as const) {
      const [problem] = render({ objects: [definition as ReturnType<typeof rgd>] }, { kro }).diagnostics;
      expect(problem).toMatchObject({ code: 'rgd-unknown-field', hint: expect.stringContaining('no release of kro') });
      expect(problem?.field).toMatch(new RegExp(`\\.${field}$`));
    }
  });
});

describe('a Graph', () => {
  const graph = object('kro.run/v1alpha1', 'Graph', { name: 'g' }, { spec: { nodes: [] } });

  it('is reported by name', () => {
    const [problem] = render({ objects: [graph] }).diagnostics;
    expect(problem).toMatchObject({
      severity: 'error',
      code: 'graph-kind',
      hint: expect.not.stringContaining('--definitions'),
    });
  });

  it('is an ordinary instance if an RGD defines the kind', () => {
    expect(told([rgd({ kind: 'Graph' }), object('kro.run/v1alpha1', 'Graph', { name: 'g', namespace: 'n' })])).toEqual(
      [],
    );
  });
});

describe('what kro 0.10 rejects is a warning, and an error with --strict', () => {
  it.each<[string, object[], string]>([
    [
      'an expression that is never closed',
      [configMap('a', { a: 'b ${c' })],
      'unclosed-expression spec.resources[0].template.data.a',
    ],
    [
      'an apostrophe that swallows the brace',
      [configMap('a', { a: "${X:-don't}" })],
      'unclosed-expression spec.resources[0].template.data.a',
    ],
    ['the id graphengine', [configMap('graphengine')], 'node-id spec.resources[0].id'],
    [
      'an iterator of that name',
      [configMap('a', {}, { name: '${graphengine}' }, { forEach: [{ graphengine: '${["b"]}' }] })],
      'iterator-name spec.resources[0].forEach[0].graphengine',
    ],
  ])('%s', (_, nodes, problem) => {
    expect(told([rgd({}, nodes)])).toEqual([`warning ${problem}`]);
    expect(told([rgd({}, nodes)], { strict: true })).toEqual([`error ${problem}`]);
  });

  it('a status cannot contain an expression without a closing brace', () => {
    const definition = rgd({ status: { url: '${service.metadata.name' } }, [service()]);
    expect(told([definition])).toContain('error status-literal spec.schema.status.url');
    expect(told([rgd({ status: { url: '${service.metadata.name} ${' } }, [service()])])).toEqual([
      'warning unclosed-expression spec.schema.status.url',
    ]);
  });
});

it('labels contain a hash if a name is too long', () => {
  const name = 'n'.repeat(64);
  const { objects } = render({ objects: [rgd({}, [configMap('a')]), x({}, { name, namespace: 'n' })] });
  expect(getAt(objects[0] as Value, ['metadata', 'labels', 'kro.run/instance-name'])).toMatch(/^h-[0-9a-f]{40}$/);
});

it('a status may contain a whole object of a recursive kind', () => {
  const crd = {
    id: 'crd',
    externalRef: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'a.b.c' },
    },
  };
  expect(told([rgd({ status: { all: '${crd.spec}' } }, [crd])])).toEqual([]);
});
