import { describe, expect, it } from 'vitest';
import { render } from '../../src/api/index.ts';
import { explain } from '../../src/api/tools/index.ts';

const SECRET = 'kind: Secret\n      metadata: { name: "s-<< inputs.name >>" }';
const entry = (data: string, head = SECRET): string => `    - apiVersion: v1\n      ${head}\n      ${data}\n`;

/** Ways of an input value into a Secret. */
const WAYS: Record<string, string> = {
  field: entry('stringData: { v: "<< inputs.token >>" }'),
  get: entry('stringData: { v: "<< get inputs `token` >>" }'),
  'the whole': entry('stringData: { v: "<< inputs | toJson | b64enc >>" }'),
  'a variable': entry('stringData: { v: "<< $t := inputs.token >><< $t | b64enc >>" }'),
  'a variable of another field': entry(
    'stringData: { v: "<< $t | b64enc >>" }',
    'kind: Secret\n      immutable: << $t := inputs.token >>true\n      metadata: { name: s }',
  ),
  'a computed key': entry('stringData: { v: "<< index inputs (print `tok` `en`) >>" }'),
  with: entry('stringData: { v: "<< with inputs.token >><< . >><< end >>" }'),
  range: entry('stringData: { v: "<< range $k, $v := inputs >><< $v >><< end >>" }'),
  'a defined template': entry('stringData: { v: "<< define `t` >><< . >><< end >><< template `t` inputs.token >>" }'),
  'a map that is written to': entry(
    'stringData: { v: "<< $d := dict >><< $_ := set $d `k` inputs.token >><< $d.k >>" }',
  ),
  'a computed kind': entry(
    'stringData: { v: "<< inputs.token >>" }',
    'kind: << print `Sec` `ret` >>\n      metadata: { name: s }',
  ),
  'a Secret in a list': entry(
    'items: [{ apiVersion: v1, kind: Secret, metadata: { name: s }, stringData: { v: "<< inputs.token >>" } }]',
    'kind: List',
  ),
  annotations: entry(
    'stringData: {}',
    'kind: Secret\n      metadata: { name: s, annotations: { a: "<< inputs.token >>" } }',
  ),
};
const TOKEN = 't0psecret';
const setOf = (resources: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: set, namespace: default }
spec:
  inputs: [{ name: red, token: ${TOKEN} }]
  resources:
${resources}`;
const documents = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: set, namespace: default }
spec:
  inputs: [{ name: red, token: ${TOKEN} }]
  resourcesTemplate: |
    apiVersion: v1
    kind: Secret
    metadata: { name: s }
    stringData: { v: << inputs.token >> }
`;

const textOf = (value: unknown): string => JSON.stringify(value);

describe('inputs that go into Secrets', () => {
  it.each([...Object.entries(WAYS).map(([way, text]) => [way, setOf(text)]), ['documents', documents]])(
    'by way of %s are hidden',
    (_, text) => {
      const objects = [{ file: 'set.yaml', text: text ?? '' }];
      const answer = explain({ objects }, { object: 'ResourceSet/set' });
      expect(answer.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(textOf(answer)).toContain('ResourceSet/default/set');
      expect(textOf(answer)).not.toContain(TOKEN);
    },
  );

  it('do not hide other values', () => {
    const text = setOf(WAYS.field ?? '');
    const answer = explain({ objects: [{ file: 'set.yaml', text }] }, { object: 'ResourceSet/set' });
    expect(textOf(answer)).toContain('"name":"red"');
  });

  it.each(Object.entries(WAYS))('by way of %s are redacted in errors elsewhere', (_, way) => {
    const text = setOf(`${way}${entry('data: {}', 'kind: ConfigMap\n      metadata: { name: "<< inputs.nome >>" }')}`);
    const { diagnostics } = render({ objects: [{ file: 'set.yaml', text }] });
    expect(textOf(diagnostics.map(({ message }) => message))).toContain('no entry for key');
    expect(textOf(diagnostics)).not.toContain(TOKEN);
  });

  it.each([
    ['text that is no YAML', 'stringData: { v: "<< printf `%s:%sa:%sb` inputs.token ` ` ` ` >>" }', 'rendered-yaml'],
    ['a function that fails', 'stringData: { v: "<< duration inputs.token >><< fromJson inputs.token >>" }', ''],
    ['a function that quotes', 'stringData: { v: "<< mustToDate `2006` inputs.token >>" }', 'template-execution'],
  ])('are redacted in the error of %s', (_, data, code) => {
    const { diagnostics } = render({ objects: [{ file: 'set.yaml', text: setOf(entry(data)) }] });
    if (code !== '') expect(diagnostics.map((one) => one.code)).toContain(code);
    expect(textOf(diagnostics)).not.toContain(TOKEN);
  });

  describe.each([
    ['fail', '<< fail inputs.token >>'],
    ['fail, inside other words', '<< fail (printf `no %s` inputs.token) >>'],
    ['a pattern', '<< regexFind (print `(` inputs.token) `x` >>'],
    ['a URL', '<< urlParse (print `http://a:b c` inputs.token) >>'],
    ['a range', '<< range inputs.token >>x<< end >>'],
    ['a date', '<< mustToDate `2006` inputs.token >>'],
    ['JSON', '<< mustFromJson inputs.token >>'],
    ['YAML', '<< printf `[%s` inputs.token >>'],
  ])('when %s quotes them', (_, action) => {
    const use = entry('stringData: { v: "<< inputs.token >>" }');
    it.each([
      ['in a Secret', setOf(entry(`stringData: { v: ${action} }`))],
      ['in documents', documents.replace('<< inputs.token >>', action)],
      [
        'in documents whose kind is computed',
        documents.replace('<< inputs.token >>', action).replace('Secret', '<< print `Sec` `ret` >>'),
      ],
      ['beside a Secret', setOf(`${use}${entry(`data: { v: ${action} }`, 'kind: ConfigMap')}`)],
      [
        'in documents beside a Secret',
        `${setOf(use)}  resourcesTemplate: |\n    kind: ConfigMap\n    data: ${action}\n`,
      ],
    ])('are redacted %s', (__, text) => {
      const { diagnostics } = render({ objects: [{ file: 'set.yaml', text }] });
      expect(diagnostics.map(({ severity }) => severity)).toContain('error');
      expect(textOf(diagnostics)).not.toContain(TOKEN);
    });
  });
});
