import { describe, expect, it } from 'vitest';
import { render } from '../../src/api/index.ts';
import { inFolder } from '../core/diagnostics/examples/example.ts';

const API = 'fluxcd.controlplane.io/v1';
const map = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'sea' } });
const set = (spec: object, metadata: object = {}): object => ({
  apiVersion: API,
  kind: 'ResourceSet',
  metadata: { name: 'boats', namespace: 'sea', ...metadata },
  spec,
});
const provider = (spec: object, rest: object = {}, metadata: object = {}): object => ({
  apiVersion: API,
  kind: 'ResourceSetInputProvider',
  metadata: { name: 'crew', namespace: 'sea', ...metadata },
  spec,
  ...rest,
});

/** Returns the diagnostics of a package, and the names of its rendered objects. */
function told(objects: object[], extra: { definitions?: object[]; onPending?: 'skip' | 'passthrough' } = {}) {
  const texts = (list: object[]) => list.map((one, index) => ({ file: `${index}.yaml`, text: JSON.stringify(one) }));
  const { definitions = [], ...options } = extra;
  const output = render({ objects: texts(objects), definitions: texts(definitions) }, options);
  return {
    codes: output.diagnostics.filter(({ severity }) => severity !== 'info').map((one) => `${one.severity} ${one.code}`),
    at: output.diagnostics.map(({ file, field }) => `${file} ${field}`),
    names: output.objects.map(({ metadata }) => (metadata as { name?: string }).name),
  };
}

const step = (name: string): object => ({ name, resources: [map('a')] });
const dependency = (rest: object): object => ({
  resources: [map('a')],
  dependsOn: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', ...rest }],
});

describe('a ResourceSet that its CRD rejects', () => {
  it.each<[string, object]>([
    ['no resources', {}],
    ['wait that is no boolean', { wait: 'yes', resources: [map('a')] }],
    ['serviceAccountName that is no string', { serviceAccountName: 1, resources: [map('a')] }],
    ['resources that are no list', { resources: map('a') }],
    ['a resource that is no object', { resources: ['a'] }],
    ['an input that is no map', { inputs: ['a'], resources: [map('a')] }],
    ['a template that is no text', { resourcesTemplate: ['a'] }],
    ['an unknown strategy', { inputStrategy: { name: 'flatten' }, resources: [map('a')] }],
    ['a strategy without a name', { inputStrategy: {}, resources: [map('a')] }],
    [
      'includeEmptyProviders under Flatten',
      { inputStrategy: { name: 'Flatten', includeEmptyProviders: true }, resources: [map('a')] },
    ],
    ['a reference with neither name nor selector', { inputsFrom: [{}], resources: [map('a')] }],
    ['a reference by its kind alone', { inputsFrom: [{ kind: 'ResourceSetInputProvider' }], resources: [map('a')] }],
    ['a reference with an empty name', { inputsFrom: [{ name: '' }], resources: [map('a')] }],
    ['a reference with both', { inputsFrom: [{ name: 'crew', selector: {} }], resources: [map('a')] }],
    ['a reference of another kind', { inputsFrom: [{ kind: 'Secret', name: 'crew' }], resources: [map('a')] }],
    ['a reference of another version', { inputsFrom: [{ apiVersion: 'v1', name: 'crew' }], resources: [map('a')] }],
    ['steps beside resources', { steps: [step('a')], resources: [map('a')] }],
    ['steps beside an empty template', { steps: [step('a')], resourcesTemplate: '' }],
    ['no step in steps', { steps: [] }],
    ['a step without a name', { steps: [{ resources: [map('a')] }] }],
    ['a step whose name is no label', { steps: [step('Not A Name')] }],
    ['a step with a long name', { steps: [step('a'.repeat(64))] }],
    ['two steps of one name', { steps: [step('a'), step('a')] }],
    ['a step of nothing', { steps: [{ name: 'a' }] }],
    ['21 steps', { steps: Array.from({ length: 21 }, (_, index) => step(`s${index}`)) }],
    ['a timeout that is none', { steps: [{ ...step('a'), timeout: '-5m' }] }],
    ['a timeout in units of Go alone', { steps: [{ ...step('a'), timeout: '5us' }] }],
    ['a dependency without a kind', { resources: [map('a')], dependsOn: [{ apiVersion: 'v1', name: 'x' }] }],
    ['readyExpr without ready', dependency({ readyExpr: 'true' })],
    ['readyExpr that is no CEL', dependency({ ready: true, readyExpr: '(((' })],
  ])('is an error: %s', (_, spec) => {
    for (const objects of [[set(spec)], [set(spec), provider({ type: 'Static' })]]) {
      const { codes, names } = told(objects);
      expect(codes.length).toBeGreaterThan(0);
      expect(new Set(codes)).toEqual(new Set(['error resourceset-shape']));
      expect(names).toEqual([]);
    }
  });

  it.each<[string, object]>([
    [
      '20 steps',
      { steps: Array.from({ length: 20 }, (_, index) => ({ name: `s${index}`, resources: [map(`a${index}`)] })) },
    ],
    ['a timeout', { steps: [{ ...step('a'), timeout: '1h30m' }] }],
    ['readyExpr with ready', dependency({ ready: true, readyExpr: 'status.phase == "x"' })],
    [
      'includeEmptyProviders under Permute',
      { inputStrategy: { name: 'Permute', includeEmptyProviders: true }, inputs: [{}], resources: [map('a')] },
    ],
    ['nulls for what is omitted', { wait: null, inputs: null, steps: null, inputsFrom: null, resources: [map('a')] }],
  ])('causes no other error: %s', (_, spec) => expect(told([set(spec)]).codes).toEqual([]));

  it('with unknown fields causes a warning for each', () => {
    const { codes, at } = told([
      set({ Inputs: [], resources: [map('a')], dependsOn: [{ apiVersion: 'v1', kind: 'A', name: 'b', raedy: true }] }),
    ]);
    expect(codes).toEqual(['warning resourceset-field', 'warning resourceset-field']);
    expect(at).toContain('0.yaml spec.dependsOn[0].raedy');
  });

  it.each([
    ['its name', { name: 'Not_A_Name' }, 'object-name'],
    ['its name, too long for a label', { name: 'a'.repeat(64) }, 'object-name'],
    ['its namespace', { namespace: 'Also Bad' }, 'object-namespace'],
  ])('reports an error in %s', (_, metadata, code) => {
    expect(told([set({ resources: [map('a')] }, metadata)]).codes).toContain(`error ${code}`);
  });
});

describe('an object of a ResourceSet that an API server rejects', () => {
  const long = 'a'.repeat(64);
  it.each<[string, object, string]>([
    ['name', { name: 'Bad_Name' }, 'object-name'],
    ['namespace', { name: 'a', namespace: 'Also Bad' }, 'object-namespace'],
    ['namespace with a dot', { name: 'a', namespace: 'a.b' }, 'object-namespace'],
    ['label key', { name: 'a', labels: { 'bad key!': 'b' } }, 'object-label'],
    ['label value', { name: 'a', labels: { key: 'bad value!' } }, 'object-label'],
    ['long label value', { name: 'a', labels: { key: long } }, 'object-label'],
    ['annotation key', { name: 'a', annotations: { 'bad key!': 'b' } }, 'object-label'],
  ])('is an error: %s', (_, metadata, code) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    const templates = [
      { resources: [object] },
      { resourcesTemplate: JSON.stringify(object) },
      { steps: [{ name: 'one', resources: [object] }] },
      { resources: [{ apiVersion: 'v1', kind: 'List', items: [object] }] },
    ];
    for (const spec of templates) expect(told([set(spec)])).toMatchObject({ codes: [`error ${code}`], names: [] });
  });

  it('is an error if common metadata causes it', () => {
    for (const labels of [{ 'bad key!': 'b' }, { a: long }]) {
      expect(told([set({ commonMetadata: { labels }, resources: [map('a')] })]).codes).toEqual(['error object-label']);
    }
  });

  it('is ignored if it is disabled', () => {
    const annotations = { 'fluxcd.controlplane.io/reconcile': 'disabled' };
    const bad = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Bad_Name', annotations } };
    expect(told([set({ resources: [bad, map('a')] })])).toMatchObject({ codes: [], names: ['a'] });
  });
});

describe('a provider', () => {
  const reads = (inputsFrom: object[], inputs: object[] = []): object =>
    set({ inputs, inputsFrom, resources: [map('x-<< inputs.k >>')] });
  const fixed = (k: string, metadata: object = {}): object =>
    provider({ type: 'Static', defaultValues: { k } }, {}, metadata);

  it('with a missing name is an error, even if other inputs exist', () => {
    const other = fixed('a', { name: 'other' });
    for (const inputs of [[], [{ k: 'inline' }]]) {
      const objects = [reads([{ name: 'other' }, { name: 'crew' }], inputs), other];
      expect(told(objects)).toMatchObject({ codes: ['error provider-not-found'], names: [] });
      expect(told(objects, { onPending: 'skip' })).toMatchObject({ codes: ['error provider-not-found'], names: [] });
      expect(told([objects[0] as object], { definitions: [other] }).codes).toEqual(['error provider-not-found']);
      expect(told([objects[0] as object, fixed('b', { namespace: 'lake' })]).codes).toContain(
        'error provider-not-found',
      );
    }
  });

  it('with a duplicate name in a namespace is an error at both locations', () => {
    const first = fixed('a');
    for (const second of [fixed('b'), fixed('b', { namespace: undefined }), fixed('a', { labels: { a: 'b' } })]) {
      for (const from of [{ name: 'crew' }, { selector: {} }, { selector: { matchLabels: { a: 'b' } } }]) {
        const { codes, at, names } = told([reads([from]), first, second]);
        expect(codes).toEqual(['error provider-twice', 'error provider-twice']);
        expect(at).toEqual(['1.yaml metadata.name', '2.yaml metadata.name']);
        expect(names).toEqual([]);
        expect(told([reads([from]), first], { definitions: [second] }).codes).toEqual(codes);
      }
    }
  });

  it('with an equal duplicate, or in another namespace, is valid', () => {
    expect(told([reads([{ name: 'crew' }]), fixed('a')], { definitions: [fixed('a')] })).toMatchObject({
      names: ['x-a'],
    });
    expect(told([reads([{ name: 'crew' }]), fixed('a'), fixed('b', { namespace: 'lake' })]).names).toEqual(
      expect.arrayContaining(['x-a']),
    );
  });

  it('of another type may have inputs that the operator exported', () => {
    const status = { exportedInputs: [{ k: 'one' }, { k: 'two' }] };
    const pulls = provider({ type: 'GitHubPullRequest', url: 'https://github.com/example/app' }, { status });
    expect(told([reads([{ name: 'crew' }]), pulls])).toMatchObject({ codes: [], names: ['x-one', 'x-two'] });
    const { spec: _, ...bare } = pulls as { spec: object };
    expect(told([reads([{ selector: {} }]), bare])).toMatchObject({ codes: [], names: ['x-one', 'x-two'] });
    expect(
      told([reads([{ name: 'crew' }]), provider({ type: 'Static', defaultValues: { k: 'own' } }, { status })]).names,
    ).toEqual(['x-own']);
  });

  it.each<[string, object]>([
    ['type', { type: 'static' }],
    ['no type', {}],
    ['values', { type: 'Static', defaultValues: ['a'] }],
    ['url', { type: 'GitHubTag', url: 'github.com' }],
  ])('that its CRD rejects is an error: %s', (_, spec) => {
    expect(told([reads([{ name: 'crew' }]), provider(spec)]).codes).toEqual(['error resourceset-shape']);
  });
});

describe('an input file', () => {
  const text = (one: object): string => JSON.stringify(one);
  const crew = text(provider({ type: 'Static', defaultValues: { k: 'a' } }));
  const lenient = {
    'includeEmptyProviders under Flatten': {
      inputStrategy: { name: 'Flatten', includeEmptyProviders: true },
      resources: [map('a')],
    },
    'readyExpr that is no CEL': dependency({ ready: true, readyExpr: 'this is not CEL' }),
    'a provider that is not there, beside other inputs': {
      inputs: [{}],
      inputsFrom: [{ name: 'gone' }],
      resources: [map('a')],
    },
    'an object without a name': { resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }] },
  };

  it.each(Object.entries(lenient))(
    'is rendered as the build of the operator does, with a warning: %s',
    async (_, spec) => {
      const files = { 'sets/set.yaml': text(set(spec)), 'crew.yaml': crew };
      const severities = async (command: string, file: string): Promise<string[]> =>
        (await inFolder(files, command, file, '--definitions', 'crew.yaml')()).map(({ severity }) => severity);
      expect((await severities('render', 'sets/set.yaml')).filter((one) => one !== 'info')).toEqual(['warning']);
      const isPrinted = 'resources' in spec && JSON.stringify(spec.resources).includes('{}');
      expect(await severities('render', 'sets')).toContain(isPrinted ? 'warning' : 'error');
    },
  );

  it('of --inputs-from contains one list', async () => {
    const files = {
      'set.yaml': text(set({ resources: [map('<< inputs.t >>')] })),
      'in.yaml': '- {t: one}\n---\n- {t: two}\n',
    };
    const found = await inFolder(files, 'render', 'set.yaml', '--inputs-from', 'in.yaml')();
    expect(found).toMatchObject([{ severity: 'error', code: 'inputs-file' }]);
  });
});

describe('a problem of a rendered object', () => {
  const labelled = (labels: object, name = 'a') => ({ ...map(name), metadata: { name, namespace: 'sea', labels } });

  it.each<[string, object, string]>([
    ['a label that is no string', { resources: [labelled({ a: 1 })] }, 'spec.resources[0].metadata.labels.a'],
    [
      'a label that is not valid',
      { resources: [map('x'), labelled({ b: '-' })] },
      'spec.resources[1].metadata.labels.b',
    ],
    ['a name that is not valid', { resources: [map('A_')] }, 'spec.resources[0].metadata.name'],
    [
      'a key that a template writes',
      { inputs: [{ k: 'c' }], resources: [labelled({ '<< inputs.k >>': '-' })] },
      'spec.resources[0].metadata.labels',
    ],
    [
      'a step',
      { steps: [{ name: 'one', resources: [labelled({ d: '-' })] }] },
      'spec.steps[0].resources[0].metadata.labels.d',
    ],
    [
      'a text of documents, which has no places',
      { resourcesTemplate: JSON.stringify(labelled({ e: '-' })) },
      'spec.resourcesTemplate',
    ],
  ])('has the place of its field: %s', (_, spec, field) => {
    expect(told([set(spec)]).at).toEqual([`0.yaml ${field}`]);
  });
});

describe('equal inputs', () => {
  it('are a warning at the later one, in whatever order their keys are', () => {
    const inputs = [{ a: 'b', c: 1 }, { a: 'b' }, { c: 1, a: 'b' }];
    const { codes, at } = told([set({ inputs, resources: [map('<< inputs.a >>')] })]);
    expect(codes).toEqual(['warning equal-inputs']);
    expect(at).toEqual(['0.yaml spec.inputs[2]']);
  });

  it('differ by the type of a value', () => {
    const inputs = [{ a: 1 }, { a: '1' }];
    expect(told([set({ inputs, resources: [map('n<< inputs.a >>')] })]).codes).toEqual([]);
  });
});
