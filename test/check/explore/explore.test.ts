import { describe, expect, it } from 'vitest';
import type { Bound } from '../../../src/check/explore/cause.ts';
import { explorePackage } from '../../../src/check/explore/index.ts';
import { validatePackage } from '../../../src/check/validate/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { toDiagnostics } from '../../../src/yaml/locate/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

const OPTIONS = { ...defaultRenderOptions };

const rgd = (spec: string, ...resources: string[]): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: app }
spec:
  schema: { apiVersion: v1, kind: App, spec: { ${spec} } }
  resources:
${resources.map((one) => `  - ${one}\n`).join('')}`;

const configMap = (id: string, name: string, more = '', data = '{}'): string =>
  `{ id: ${id}, ${more} template: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${JSON.stringify(name)} }, data: ${data} } }`;

const service = (port: string): string =>
  `{ id: service, template: { apiVersion: v1, kind: Service, metadata: { name: "s-\${schema.spec.name}" }, spec: { ports: [{ port: "${port}" }] } } }`;

const NAME = 'name: "string | required=true minLength=1 maxLength=20 pattern=\\"^[a-z]+$\\""';
const OWN = '${schema.metadata.name}-c';

const explored = (text: string): ReturnType<typeof toDiagnostics> => {
  const objects = readStreams([{ file: 'rgd.yaml', text }], new Collector());
  return toDiagnostics(explorePackage({ objects }, OPTIONS).reports);
};
const counterexamples = (text: string): ReturnType<typeof toDiagnostics> =>
  explored(text).filter(({ code }) => code === 'counterexample');

/** Validates an RGD together with the printed file, as a user does who renders it. */
const validated = (text: string, reproduction: string): string[] => {
  const texts = [
    { file: 'rgd.yaml', text },
    { file: 'shown.yaml', text: reproduction },
  ];
  const objects = readStreams(texts, new Collector());
  return validatePackage({ objects }, OPTIONS).reports.map(({ code }) => code);
};

describe('the exploration of an RGD', () => {
  it.each<[string, text: string, node: string | undefined, hint: string, code: string]>([
    [
      'a port above 65535',
      rgd(`${NAME}, port: "integer | required=true minimum=1"`, service('${schema.spec.port}')),
      'service',
      'add maximum=65535 to spec.port',
      'rendered-value',
    ],
    [
      'a name that becomes too long',
      rgd(
        'name: "string | required=true minLength=1 maxLength=62 pattern=\\"^[a-z]+$\\"", port: "integer | default=80 minimum=1 maximum=90"',
        service('${schema.spec.port}'),
      ),
      'service',
      'add maxLength=61 to spec.name',
      'object-name',
    ],
    [
      'an optional field that is read without a guard',
      rgd('note: string', configMap('c', OWN, '', '{ a: "${schema.spec.note}" }')),
      'c',
      'give spec.note a default, or require it',
      'missing-in-instance',
    ],
    [
      'two items of a list that share a name',
      rgd(
        'items: "[]string | required=true minItems=1"',
        configMap('c', `\${schema.metadata.name}-\${x.lowerAscii()}`, 'forEach: [{ x: "${schema.spec.items}" }],'),
      ),
      'c',
      '',
      'identity-collision',
    ],
    [
      'an instance that renders nothing',
      rgd(
        'active: "boolean | default=true"',
        configMap('a', OWN, 'includeWhen: ["${schema.spec.active}"],'),
        configMap('b', '${a.metadata.name}-b'),
      ),
      undefined,
      '',
      'nothing-rendered',
    ],
    [
      'a list that may be empty',
      rgd('hosts: "[]string | default=[]"', configMap('c', OWN, '', '{ a: "${schema.spec.hosts[0]}" }')),
      'c',
      'add minItems=1 to spec.hosts',
      'missing-in-instance',
    ],
  ])('finds %s', (_, text, node, hint, code) => {
    const found = counterexamples(text);
    const shown = found.filter((one) => one.node === node && (one.hint ?? '').startsWith(hint));
    expect(shown, JSON.stringify(found, null, 1)).not.toEqual([]);
    for (const { reproduction = '' } of shown.slice(0, 1)) expect(validated(text, reproduction)).toContain(code);
  });

  /** An RGD for each kind of bound, and the hint that names it. */
  const BOUNDS: Readonly<Record<Bound['is'], readonly [text: string, hint: string]>> = {
    absent: [
      rgd('note: string', configMap('c', OWN, '', '{ a: "${schema.spec.note}" }')),
      'give spec.note a default, or require it',
    ],
    longest: [
      rgd(
        'name: "string | required=true minLength=1 pattern=\\"^[a-z]+$\\""',
        configMap('c', `${'n'.repeat(200)}-\${schema.spec.name}`),
      ),
      'add maxLength=52 to spec.name',
    ],
    shortest: [
      rgd('name: "string | required=true maxLength=5"', configMap('c', '${schema.spec.name}')),
      'add minLength=1 to spec.name',
    ],
    greatest: [
      rgd(`${NAME}, port: "integer | required=true minimum=1"`, service('${schema.spec.port}')),
      'add maximum=65535 to spec.port',
    ],
    least: [
      rgd(`${NAME}, port: "integer | required=true maximum=65535"`, service('${schema.spec.port}')),
      'add minimum=1 to spec.port',
    ],
    'empty-list': [
      rgd('ports: "[]integer | required=true"', configMap('c', OWN, '', '{ a: "${string(schema.spec.ports[0])}" }')),
      'add minItems=1 to spec.ports',
    ],
    items: [
      rgd(
        'items: "[]string | required=true minItems=1"',
        configMap('c', `${OWN}-\${x.lowerAscii()}`, 'forEach: [{ x: "${schema.spec.items}" }],'),
      ),
      '',
    ],
    value: [
      rgd('text: "string | default=\\"1\\""', configMap('c', OWN, '', '{ a: "${string(int(schema.spec.text))}" }')),
      '',
    ],
  };

  it.each(Object.entries(BOUNDS))('names the bound %s in the hint', (_, [text, hint]) => {
    const found = counterexamples(text);
    expect(found, JSON.stringify(explored(text))).not.toEqual([]);
    expect(
      found.some((one) => (one.hint ?? '').includes(hint)),
      JSON.stringify(found, null, 1),
    ).toBe(true);
    for (const { reproduction } of found) expect(reproduction).toBeDefined();
  });

  it('finds a node that is omitted only because another one is', () => {
    const text = rgd(
      'active: "boolean | default=true"',
      configMap('a', OWN, 'includeWhen: ["${schema.spec.active}"],'),
      configMap('b', 'b-${schema.metadata.name}', '', '{ a: "${a.metadata.name}" }'),
      configMap('z', 'z-${schema.metadata.name}'),
    );
    const [one] = counterexamples(text).filter(({ node }) => node === 'b');
    expect(one?.message).toContain("'b' is omitted, because 'a' is, which it reads");
    expect(one?.reproduction).toContain('active: false');
  });

  it('finds two instances that render one object', () => {
    const [one, ...others] = counterexamples(rgd('active: boolean', configMap('a', 'fixed')));
    expect(others).toEqual([]);
    expect(one?.message).toContain('two accepted instances together');
    expect(one?.reproduction).toContain('name: example-2');
  });

  it('shows a quota that is exceeded at its node, with a small instance', () => {
    const quota =
      '{ id: quota, template: { apiVersion: v1, kind: ResourceQuota, metadata: { name: "q-${schema.metadata.name}" }, spec: { hard: { services: "${schema.spec.most}" } } } }';
    const text = rgd(
      'most: "string | default=2", note: "string | default=x"',
      quota,
      configMap('c', OWN, '', '{ a: "${schema.spec.note}" }'),
      '{ id: service, template: { apiVersion: v1, kind: Service, metadata: { name: "s-${schema.metadata.name}" }, spec: { ports: [{ port: 80 }] } } }',
    );
    const exceeded = counterexamples(text).filter(
      ({ field }) => field === 'spec.resources[0].template.spec.hard.services',
    );
    expect(exceeded.map(({ node }) => node)).toContain('quota');
    const [one] = exceeded.filter(({ message }) => message.includes('Service/s-example'));
    expect(one?.reproduction).toMatch(/^ {2}name: example$/m);
    expect(one?.reproduction).toMatch(/^spec:\n {2}most: \S+$/m);
    expect(validated(text, one?.reproduction ?? '')).toContain('quota-exceeded');
  });

  it('says that a ResourceSet and a Graph were not explored', () => {
    const set =
      'apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: { name: set }\nspec: { resources: [] }';
    const graph = 'apiVersion: kro.run/v1alpha1\nkind: Graph\nmetadata: { name: one }\nspec: { nodes: [] }';
    const found = explored(`${set}\n---\n${graph}`);
    expect(found.map(({ code, severity, object }) => [code, severity, object])).toEqual([
      ['not-explored', 'info', 'ResourceSet/set'],
      ['not-explored', 'info', 'Graph/one'],
    ]);
  });

  it('finds nothing in an RGD without a fault, and says how much it covered', () => {
    const text = rgd(
      'active: "boolean | default=false", note: string',
      configMap('c', OWN, 'includeWhen: ["${schema.spec.active}"],', '{ a: "${schema.spec.?note.orValue(\'none\')}" }'),
    );
    const [summary, ...others] = explored(text);
    expect(others).toEqual([]);
    expect(summary?.code).toBe('explored');
    expect(summary?.message).toMatch(
      /^tried \d+ accepted instances, 0 counterexamples: 3 of 3 branches and 2 of 2 optional fields covered$/,
    );
  });

  it('names what it did not cover', () => {
    const text = rgd(
      'a: "string | default=x"',
      configMap(
        'c',
        OWN,
        "includeWhen: [\"${schema.spec.a.startsWith('secret-') && schema.spec.a.endsWith('-end')}\"],",
      ),
    );
    expect(explored(text).find(({ code }) => code === 'explored')?.message).toContain(
      'not covered: line 7 node c: never rendered',
    );
  });

  it('says that an RGD with an error was not explored', () => {
    const text = rgd('a: string', configMap('c', '${schema.spec.b}'));
    expect(explored(text).map(({ code }) => code)).toEqual(['not-explored']);
  });

  it('has the same result each time', () => {
    const text = rgd('a: string, b: "[]string"', configMap('c', '${schema.spec.a}-${schema.spec.b[0]}'));
    expect(explored(text)).toEqual(explored(text));
  });
});
