import { describe, expect, it } from 'vitest';
import { pending, render } from '../../src/api/index.ts';

/** Renders YAML through the library. */
function rendered(text: string, extra: { definitions?: string; observed?: string } = {}, options = {}) {
  const source = (file: string, given: string | undefined) => (given === undefined ? [] : [{ file, text: given }]);
  const { objects, diagnostics } = render(
    {
      objects: source('set.yaml', text),
      definitions: source('providers.yaml', extra.definitions),
      observed: source('live.yaml', extra.observed),
    },
    options,
  );
  const names = objects.map(({ kind, metadata }) => `${kind}/${(metadata as { name?: string }).name ?? ''}`);
  const told = diagnostics.map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`);
  return { objects, names, told, diagnostics };
}

const set = (spec: string, name = 'boats'): string =>
  `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: ${name}, namespace: sea}\nspec:\n${spec.replace(/^(?=.)/gm, '  ')}\n`;
const provider = (name: string, rest: string): string =>
  `---\napiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSetInputProvider\nmetadata: {name: ${name}, namespace: sea, labels: {fleet: tugs}}\n${rest}\n`;
const map = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: "${name}"}}`;

describe('objects of a ResourceSet', () => {
  it('are sorted by template, then by document', () => {
    const { names } = rendered(
      set(`inputs: [{k: a}, {k: b}]
resources:
- ${map('x-<< inputs.k >>')}
- ${map('y-<< inputs.k >>')}
resourcesTemplate: |
  ${map('m-<< inputs.k >>')}
  ---
  ${map('n-<< inputs.k >>')}`),
    );
    expect(names.map((name) => name.slice(10))).toEqual(['x-a', 'x-b', 'y-a', 'y-b', 'm-a', 'n-a', 'm-b', 'n-b']);
  });

  it('have common metadata and the labels of their owner, which win', () => {
    const { objects } = rendered(
      set(`commonMetadata: {labels: {tier: 5}, annotations: {note: common}}
resources:
- {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {tier: own, none: null}, annotations: {note: own}}}`),
    );
    expect(objects[0]?.metadata).toEqual({
      name: 'a',
      labels: {
        tier: '5',
        none: '',
        'resourceset.fluxcd.controlplane.io/name': 'boats',
        'resourceset.fluxcd.controlplane.io/namespace': 'sea',
      },
      annotations: { note: 'common' },
    });
  });

  it('are unique, and omitted if disabled', () => {
    const disabled = '{fluxcd.controlplane.io/reconcile: "<< inputs.is >>"}';
    const { objects } = rendered(
      set(`inputs: [{is: disabled, at: 1}, {is: enabled, at: 2}, {is: enabled, at: 3}]
resources:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: one, annotations: ${disabled}}, data: {at: "<< inputs.at | quote >>"}}`),
    );
    expect(objects.map(({ data }) => data)).toEqual([{ at: '2' }]);
  });

  it('of steps are checked for duplicates', () => {
    const steps = `steps:\n- {name: base, resources: [${map('a')}, ${map('a')}]}\n- {name: more, resources: [${map('b')}]}`;
    expect(rendered(set(steps)).names).toEqual(['ConfigMap/a', 'ConfigMap/b']);
    const { told } = rendered(set(steps.replace('name: "b"', 'name: "a"')));
    expect(told).toEqual(['error identity-collision 7:30']);
  });

  it('may be instances of RGDs, and RGDs may render ResourceSets', () => {
    const inner = `{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: inner}, spec: {resources: [${map('deep')}]}}`;
    const rgd = `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: boat}
spec:
  schema: {apiVersion: v1alpha1, kind: Boat, spec: {hull: string}}
  resources:
  - {id: hull, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.hull}"}}}
  - {id: crew, template: ${inner}}
`;
    const boat =
      '{apiVersion: kro.run/v1alpha1, kind: Boat, metadata: {name: tug, namespace: sea}, spec: {hull: "<< inputs.h >>"}}';
    const { names, told } = rendered(set(`inputs: [{h: steel}]\nresources: [${boat}, ${map('last')}]`) + rgd);
    expect(told.filter((one) => one.startsWith('error'))).toEqual([]);
    expect(names).toEqual(['ConfigMap/steel', 'ConfigMap/deep', 'ConfigMap/last']);
  });

  it('may not be objects of another ResourceSet', () => {
    const { told } = rendered(`${set(`resources: [${map('a')}]`)}---\n${set(`resources: [${map('a')}]`, 'other')}`);
    expect(told).toEqual(['error identity-collision 11:15']);
  });

  it('are limited', () => {
    const endless = rendered(
      set('inputs: [{}]\nresourcesTemplate: "<< range until 99999 >><< range until 99999 >><< end >><< end >>"'),
      {},
      { maxSteps: 1000 },
    );
    expect(endless.told).toEqual(['error budget-exceeded 6:46']);
  });

  it('have limits for all input sets together, which grow slowly with their number', () => {
    const loop = '<< range until 80 >><< end >>';
    const told = (sets: number, loops: number, maxSteps: number): string[] =>
      rendered(
        set(`inputs: [${Array(sets).fill('{}').join(', ')}]\nresourcesTemplate: "${loop.repeat(loops)}"`),
        {},
        { maxSteps },
      ).told;
    expect(told(1, 1, 10_000).join()).not.toContain('budget-exceeded');
    expect(told(1, 20, 10_000).join()).toContain('budget-exceeded');
    expect(told(25, 1, 10_000).join()).toContain('budget-exceeded');
    expect(told(600, 12, 5_000_000).join()).not.toContain('budget-exceeded');
    expect(told(600, 30, 5_000_000).join()).toContain('budget-exceeded');
  });

  it('have limits for all ResourceSets of a package together', () => {
    const loop = '<< range until 80 >><< end >>'.repeat(5);
    const sets = (count: number): string =>
      Array.from({ length: count }, (_, index) => set(`resourcesTemplate: "${loop}"`, `set${index}`)).join('---\n');
    const told = (count: number): string => rendered(sets(count), {}, { maxSteps: 10_000 }).told.join();
    expect(told(1)).not.toContain('budget-exceeded');
    expect(told(3)).toContain('budget-exceeded');
  });

  it('have a maximum number of documents, checked before they are parsed', () => {
    const documents = '<< range until 5000 >>\\n---\\na: ]\\n<< end >>';
    const { told } = rendered(set(`resourcesTemplate: "${documents}"`), {}, { maxSteps: 1_000_000 });
    expect(told).toEqual([expect.stringContaining('error budget-exceeded')]);
  });

  it('have a maximum number of executions, checked before the first one', () => {
    const inputs = Array.from({ length: 1500 }, (_, index) => `{ a: ${index} }`).join(', ');
    const resources = Array(150).fill(map('a')).join(', ');
    expect(rendered(set(`inputs: [${inputs}]\nresources: [${resources}]`)).told).toEqual([
      expect.stringContaining('error budget-exceeded'),
    ]);
  });

  it('are checked until the maximum number of errors', () => {
    const inputs = Array(3000).fill('{}').join(', ');
    const wrong = '{kind: ConfigMap, apiVersion: v1, metadata: {name: a, labels: {b: 1}}}';
    expect(rendered(set(`inputs: [${inputs}]\nresources: [${wrong}]`)).told).toHaveLength(1000);
  });
});

describe('inputs of a ResourceSet', () => {
  const ids =
    'resourcesTemplate: |\n  {apiVersion: v1, kind: ConfigMap, metadata: {name: "<< get inputs `k` >>"}, data: {id: << inputs.id | quote >>}}';
  const fixed = (name: string, k: string): string => provider(name, `spec: {type: Static, defaultValues: {k: ${k}}}`);

  it('are read from providers of type Static, by name and by selector, each once and sorted', () => {
    const text = set(`inputsFrom:\n- {name: b}\n- selector: {matchLabels: {fleet: tugs}}\n${ids}`);
    const { objects, told } = rendered(text, { definitions: fixed('b', 'two') + fixed('a', 'one') });
    expect(told).toEqual([]);
    expect(objects.map(({ data }) => data)).toEqual([{ id: '6422626' }, { id: '6488163' }]);
  });

  it('are read from live providers of other types', () => {
    const text =
      set(`inputsFrom: [{name: tags}]\n${ids}`) +
      provider('tags', 'spec: {type: GitHubTag, url: "https://git.example/sea/boats"}');
    expect(rendered(text).told).toEqual(['error provider-pending 5:16']);
    const observed = provider('tags', 'status: {exportedInputs: [{id: "7", k: v}]}');
    expect(rendered(text, { observed }).names).toEqual(['ConfigMap/v']);
    expect(rendered(text, {}, { onPending: 'skip' })).toMatchObject({
      names: [],
      told: ['warning provider-pending 5:16'],
    });
  });

  // The cluster accepted it, so only what it exports counts.
  it('are read from a live provider whose spec the package could not have', () => {
    const text = set(`inputsFrom: [{name: tags}]\n${ids}`);
    const observed = provider('tags', 'spec: {type: NoSuchType, odd: 1}\nstatus: {exportedInputs: [{id: "7", k: v}]}');
    expect(rendered(text, { observed })).toMatchObject({ names: ['ConfigMap/v'], told: [] });
    expect(rendered(text, { definitions: observed }).told).not.toEqual([]);
  });

  it('are combined by Permute, with the last provider varying fastest', () => {
    const text = set(`inputStrategy: {name: Permute}
inputs: [{k: x}, {k: z}]
inputsFrom: [{name: red-crab}]
resources:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: "<< inputs.boats.k >>-<< inputs.red_crab.k >>"}, data: {id: << inputs.id | quote >>}}`);
    const observed = provider('red-crab', 'status: {exportedInputs: [{k: "1"}, {k: "2"}]}');
    const { names } = rendered(text, { observed });
    expect(names.map((name) => name.slice(10))).toEqual(['x-1', 'x-2', 'z-1', 'z-2']);
  });

  it('are rejected before they are permuted if there are too many', () => {
    const many = Array.from({ length: 200 }, () => '{}').join(', ');
    const live = (name: string): string => provider(name, `status: {exportedInputs: [${many}]}`);
    const text = set(`inputStrategy: {name: Permute}\ninputsFrom: [{selector: {}}]\nresources: [${map('a')}]`);
    const { told, diagnostics } = rendered(text, { observed: live('a') + live('b') + live('c') });
    expect(told).toEqual(['error permutation 5:3']);
    expect(diagnostics[0]?.message).toContain('8000000 combinations');
  });

  it('are passed to each execution without the changes of set', () => {
    const { names } = rendered(
      set(`inputs: [{k: a}, {k: b}]
resources:
- ${map('<< (set inputs `extra` `e`).extra >>-<< inputs.k >>')}
- ${map('<< inputs.extra >>2-<< inputs.k >>')}`),
    );
    expect(names.map((name) => name.slice(10))).toEqual(['e-a', 'e-b', 'e2-a', 'e2-b']);
  });
});

describe('errors in templates of a ResourceSet', () => {
  it.each([
    ['a plain text', 'name: boat-<< inputs.mast >>'],
    ['double quotes', 'name: "boat \\t\\"x\\" << inputs.mast >>"'],
    ['single quotes', "name: 'it''s: << inputs.mast >>'"],
    ['a folded text', 'name: >-\n      one\n      two << inputs.mast >>'],
    ['a literal text', 'name: |\n      one\n\n        << inputs.mast >>'],
    ['a list', 'names:\n    - one\n    - two << inputs.mast >>'],
    ['a long line', `name: ${'long words '.repeat(12)}<< inputs.mast >> end`],
  ])('are reported at their location: in %s', (_, metadata) => {
    const text = set(`inputs: [{k: a}]\nresources:\n- kind: X\n  metadata:\n    ${metadata}`);
    const before = text.slice(0, text.indexOf('mast')).split('\n');
    const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
    expect(rendered(text).told).toEqual([`error template-key ${place}`]);
  });

  it('in a key are reported at its line', () => {
    const { told } = rendered(set('inputs: [{k: a}]\nresources:\n- kind: X\n  "<< inputs.mast >>": 1'));
    expect(told).toEqual(['error template-key 8:26']);
  });

  it('name the input set', () => {
    const { diagnostics } = rendered(set(`inputs: [{k: a, v: 1}, {k: b}]\nresources: [${map('<< inputs.v >>-x')}]`));
    expect(diagnostics[0]?.message).toBe('map has no entry for key "v" (inputs[1]: k: b)');
  });

  it('in rendered text show its line', () => {
    const { diagnostics } = rendered(
      set('inputs: [{v: "b: c"}]\nresourcesTemplate: |\n  kind: X\n  a: << inputs.v >>'),
    );
    expect(diagnostics[0]).toMatchObject({ code: 'rendered-yaml', line: 7 });
    expect(diagnostics[0]?.message).toContain('line 2, column');
    expect(diagnostics[0]?.message).toContain('a: b: c (inputs[0]: v: b: c)');
  });
});

describe('pending', () => {
  it('lists providers that only the operator can read, and includes rendered ResourceSets', () => {
    const waiting =
      set(`inputsFrom: [{name: tags}]\nresources: [${map('a')}]`) +
      provider('tags', 'spec: {type: GitHubTag, url: "https://git.example/sea/boats"}');
    const { values, diagnostics } = pending({ objects: [{ file: 'set.yaml', text: waiting }] });
    expect(diagnostics).toEqual([]);
    expect(values).toEqual([
      {
        instance: { kind: 'ResourceSet', namespace: 'sea', name: 'boats' },
        node: 'inputsFrom',
        field: 'spec.inputsFrom[0]',
        expression: '',
        optional: false,
        object: {
          apiVersion: 'fluxcd.controlplane.io/v1',
          kind: 'ResourceSetInputProvider',
          namespace: 'sea',
          name: 'tags',
        },
        path: 'status.exportedInputs',
      },
    ]);

    const rgd = `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: boat}
spec:
  schema: {apiVersion: v1alpha1, kind: Boat}
  resources:
  - {id: pier, template: {apiVersion: v1, kind: Service, metadata: {name: pier}}}
  - {id: note, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: note}, data: {ip: "\${pier.status.loadBalancer.ingress[0].ip}"}}}
`;
    const boat = '{apiVersion: kro.run/v1alpha1, kind: Boat, metadata: {name: tug, namespace: sea}}';
    const found = pending({ objects: [{ file: 'set.yaml', text: set(`resources: [${boat}]`) + rgd }] });
    expect(found.values.length).toBe(1);
  });
});

describe('ResourceSets in stages', () => {
  const makes = (name: string, spec = "inputs: [{id: '1', k: x}]"): string =>
    set(
      `${spec}
resources:
- apiVersion: fluxcd.controlplane.io/v1
  kind: ResourceSetInputProvider
  metadata: {name: made-<< inputs.k >>, namespace: sea, labels: {fleet: tugs}}
  spec: {type: Static, defaultValues: {k: "<< inputs.k >>y"}}`,
      name,
    );
  const reads = (from: string, name = 'last'): string =>
    `---\n${set(`inputsFrom: [${from}]\nresources:\n- ${map('m-<< inputs.k >>')}`, name)}`;

  it.each(['{name: made-x}', '{selector: {matchLabels: {fleet: tugs}}}'])(
    'read a provider that another one renders, by %s',
    (from) => {
      const { names, told } = rendered(`${reads(from)}---\n${makes('first')}`);
      expect(told).toEqual([]);
      expect(names).toEqual(['ConfigMap/m-xy']);
    },
  );

  it('read providers over several stages, in any order of the input', () => {
    const [third, second] = ['made-xy', 'made-x'].map(
      (name) => `---\n${makes(`of-${name}`, `inputsFrom: [{name: ${name}}]`)}`,
    );
    const { names, told } = rendered(`${reads('{name: made-xyy}')}${third}${second}---\n${makes('first')}`);
    expect(told).toEqual([]);
    expect(names).toEqual(['ConfigMap/m-xyyy']);
  });

  it('print a provider that no ResourceSet reads', () => {
    expect(rendered(makes('first')).names).toEqual(['ResourceSetInputProvider/made-x']);
  });

  it('may read a provider that they render themselves', () => {
    const inner = reads('{name: made-x}', 'inner').slice(4).replace(/<</g, '<<"<<">>');
    const outer = `${makes('outer').trimEnd()}\n  resourcesTemplate: |\n${inner.replace(/^(?=.)/gm, '    ')}`;
    const { names, told } = rendered(outer);
    expect(told).toEqual([]);
    expect(names).toEqual(['ConfigMap/m-xy']);
  });

  it('report a provider that nothing renders, and ResourceSets that read each other', () => {
    expect(rendered(`${makes('first')}${reads('{name: other}')}`).told.join()).toContain('error provider-not-found');
    const one = makes('one', 'inputsFrom: [{name: made-b}]');
    const other = makes('other', 'inputsFrom: [{name: made-a}]');
    expect(rendered(`${one}---\n${other}${provider('z', 'spec: {type: Static}')}`).told.join()).toContain(
      'error provider-not-found',
    );
  });
});
