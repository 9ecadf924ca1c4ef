import { describe, expect, it } from 'vitest';
import * as cel from '../../src/api/cel/index.ts';
import * as library from '../../src/api/index.ts';
import * as tools from '../../src/api/tools/index.ts';
import { source } from './definitions.ts';

const objects: library.Source[] = [];
const input = { objects };
type Call = (...args: unknown[]) => unknown;
const calls: Record<string, [Call, ...unknown[]]> = {
  render: [library.render as Call, input, {}],
  crds: [library.crds as Call, input, {}],
  validate: [library.validate as Call, input, {}],
  pending: [library.pending as Call, input, {}],
  observe: [library.observe as Call, { objects, live: [] }, {}],
  compile: [library.compile as Call, [], {}],
  'compiled.render': [library.compile([]).render as Call, input, {}],
  'compiled.observe': [library.compile([]).observe as Call, { objects, live: [] }, {}],
  formatDiagnostics: [library.formatDiagnostics as Call, [], []],
  toYaml: [library.toYaml as Call, []],
  diff: [tools.diff as Call, { before: input, after: input }, {}],
  formatDiff: [tools.formatDiff as Call, { changes: [], warnings: [], counts: {} }],
  compat: [tools.compat as Call, { before: input, after: input }, {}],
  graph: [tools.graph as Call, input, {}],
  explain: [tools.explain as Call, input, { object: 'A/b' }, {}],
  sample: [tools.sample as Call, input, 'A', {}],
  jsonSchema: [tools.jsonSchema as Call, input, 'A', {}],
  reference: [tools.reference as Call, input, {}],
  runTests: [tools.runTests as Call, [{ name: 'a', input }], {}],
  'cel.parse': [cel.parse as Call, '1'],
  'cel.check': [cel.check as Call, '1', {}],
  'cel.compile': [cel.compile as Call, '1', {}],
  'cel.evaluate': [cel.evaluate as Call, '1', {}, {}],
  'cel.createEnvironment': [cel.createEnvironment as Call, {}],
};
/** Matches messages of the JavaScript engine, which show that an internal error reached the user. */
const INNER = /Cannot (read|destructure|convert)|is not (a function|iterable)|of (undefined|null)$|reading '/;

describe.each(Object.entries(calls))('%s', (_, [call, ...args]) => {
  it('accepts its arguments', () => {
    expect(() => call(...args)).not.toThrow();
  });

  it.each(args.map((_arg, index) => index))('throws a clear TypeError for a wrong argument: %i', (index) => {
    const wrong = typeof args[index] === 'string' ? [null, 7, {}, []] : [null, 7, 'text', [null], [{}], [7]];
    for (const value of [...wrong, undefined]) {
      const given = args.map((arg, at) => (at === index ? value : arg));
      try {
        call(...given);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expect((error as Error).message).not.toMatch(INNER);
      }
    }
  });
});

describe('an unknown member of the input', () => {
  const told = ({ diagnostics }: { diagnostics: readonly library.Diagnostic[] }): string[] =>
    diagnostics.map(({ code, severity, message, hint }) => `${severity} ${code} ${message} (${hint})`);
  const message = "error library-option unknown member 'observd' of the input (did you mean 'observed'?)";
  const wrong = { objects, observd: [], live: [] } as never;

  it('is an error in every call', () => {
    expect(told(library.render({ objects, observd: [] } as never))).toContain(message);
    expect(told(library.validate({ objects, observd: [] } as never))).toContain(message);
    expect(told(library.observe(wrong))).toContain(message);
    expect(told(library.compile([]).render({ objects, observd: [] } as never))).toContain(message);
    expect(told(library.compile([]).observe(wrong))).toContain(message);
    expect(told(tools.graph({ objects, observd: [] } as never))).toContain(message);
  });

  it('is reported with the version that contains it', () => {
    const before = { objects, definition: [] } as never;
    expect(told(tools.diff({ before, after: input }))).toEqual([
      "error library-option unknown member 'definition' of before (did you mean 'definitions'?)",
    ]);
    expect(told(tools.diff({ before: input, after: input, instances: [] } as never))[0]).toMatch(/'instances'/);
    const compared = told(tools.compat({ before: input, after: input, instances: [] }));
    expect(compared).toEqual(['warning nothing-to-read neither version has an RGD (undefined)']);
  });

  it('is reported with the input where it belongs', () => {
    const { diagnostics } = library.compile([]).render({ objects, definitions: [] } as never);
    expect(diagnostics[0]?.hint).toBe("'definitions' are given to compile");
    const { diagnostics: ofOptions } = library.render(input, { inputsFrom: [] } as never);
    expect(ofOptions[0]?.hint).toBe("'inputsFrom' stands in the input, beside 'objects'");
  });

  it('is ignored if it is undefined', () =>
    expect(library.render({ objects, observd: undefined } as never).diagnostics).toEqual([]));
});

it.each<[() => unknown, string]>([
  [
    () => cel.evaluate('1', {}, { enviroment: 'kro' } as never),
    "options: unknown option 'enviroment'; did you mean 'environment'?",
  ],
  [() => cel.check('1', { maxSteps: 1 } as never), "options: unknown option 'maxSteps'"],
  [
    () => cel.createEnvironment({ librarie: [] } as never),
    "options: unknown option 'librarie'; did you mean 'libraries'?",
  ],
  [() => library.render({ objects: [{ file: 'a.yaml' }] }), 'objects[0].text must be a string'],
  [
    () => library.formatDiagnostics([{}] as never),
    'diagnostics[0] must be a diagnostic with code, severity and message',
  ],
  [() => (tools.diff as Call)(), 'the input must be an object with before and after'],
  [() => (cel.evaluate as Call)(), 'the expression must be a string, or what parse returned'],
  [() => library.render({ objects, inputsFrom: {} as never }), 'inputsFrom must be a list'],
])('a wrong input has a clear message: %s', (call, message) => expect(call).toThrow(new TypeError(message)));

it('inputsFrom supplies the input sets of a ResourceSet, with and without compile', () => {
  const set = {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'a', namespace: 'web' },
    spec: {
      inputs: [{ name: 'inline' }],
      resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '<< inputs.name >>', namespace: 'web' } }],
    },
  };
  const given = { objects: [set], inputsFrom: [{ name: 'one' }, { name: 'two' }] };
  const names = (result: library.RenderResult): unknown[] => result.objects.map(({ metadata }) => metadata.name);
  expect(names(library.render({ objects: [set] }))).toEqual(['inline']);
  expect(names(library.render(given))).toEqual(['one', 'two']);
  expect(names(library.compile([]).render(given))).toEqual(['one', 'two']);
});

it('defaults supply fields of instances, with and without compile', () => {
  const definition = source('Site');
  const site = { apiVersion: 'kro.run/v1alpha1', kind: 'Site', metadata: { name: 'a', namespace: 'web' }, spec: {} };
  const defaults = [{ apiVersion: 'kro.run/v1alpha1', kind: 'Site', spec: { text: 'given' } }];
  const data = (result: library.RenderResult): unknown[] => result.objects.map((object) => object.data);
  expect(data(library.render({ objects: [definition, site], defaults }))).toEqual([{ v: 'given' }]);
  expect(data(library.compile([definition]).render({ objects: [site], defaults }))).toEqual([{ v: 'given' }]);
  const text = [{ file: 'production.yaml', text: 'kind: Site\n' }];
  const { diagnostics } = library.render({ objects: [definition, site], defaults: text });
  expect(diagnostics[0]).toMatchObject({ code: 'defaults-file', file: 'production.yaml' });
  const explained = tools.explain(
    { objects: [definition, site], defaults },
    { object: 'ConfigMap/a', field: 'data.v' },
  );
  expect(JSON.stringify(explained)).toContain('defaults');
});

describe('instances of classes', () => {
  /** A class as @kubernetes/client-node generates them. */
  class V1Peer {
    static getAttributeTypeMap = () => [{ name: '_from', baseName: 'from', type: 'string', format: '' }];
    _from = ['x'];
  }
  class V1ObjectMeta {
    static getAttributeTypeMap = () => [
      { name: 'name', baseName: 'name', type: 'string', format: '' },
      { name: 'creationTimestamp', baseName: 'creationTimestamp', type: 'Date', format: 'date-time' },
    ];
    name = 'a';
    creationTimestamp = new Date('2024-01-01T00:00:00Z');
  }
  class Policy {
    apiVersion = 'networking.example.org/v1';
    kind = 'Policy';
    metadata = new V1ObjectMeta();
    spec = { ingress: [new V1Peer()], none: undefined };
    method(): string {
      return this.kind;
    }
  }
  it('are read as plain objects, with the field names of Kubernetes', () => {
    const policy = {
      apiVersion: 'networking.example.org/v1',
      kind: 'Policy',
      metadata: { name: 'a', creationTimestamp: '2024-01-01T00:00:00Z' },
      spec: { ingress: [{ from: ['x'] }] },
    };
    const { objects: rendered, diagnostics } = library.render({ objects: [new Policy()] }, { all: true });
    expect({ rendered, diagnostics }).toEqual({ rendered: [policy], diagnostics: [] });
    expect(library.toYaml([new Policy()])).toBe(library.toYaml([policy]));
  });

  it('that have a toJSON method are rejected with their class name', () => {
    class Document {
      toJSON = (): object => ({});
    }
    expect(() => library.toYaml([{ a: new Document() }])).toThrow(
      "not plain data: an instance of the class 'Document', at [0].a; give a plain object, or its YAML text",
    );
  });
});
