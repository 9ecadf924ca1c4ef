import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';

const rgd = (template: string, kind = 'ConfigMap'): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: reader}
spec:
  schema: {apiVersion: v1alpha1, kind: Reader, spec: {a: string}}
  resources:
    - id: secret
      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: credentials}}
    - id: middle
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: middle}, data: {copy: "\${string(secret.data.password)}"}}
    - id: result
      template:
        apiVersion: v1
        kind: ${kind}
${template}
---
apiVersion: kro.run/v1alpha1
kind: Reader
metadata: {name: one, namespace: default}
---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: default}
data: {password: ${Buffer.from('hunter2 (').toString('base64')}}
`;

describe('a value of a Secret is redacted in diagnostics', () => {
  const read = 'string(secret.data.password)';
  it.each([
    ['a name', `        metadata: {name: "\${${read}}"}`],
    ['a namespace', `        metadata: {name: a, namespace: "\${${read}}"}`],
    ['a label', `        metadata: {name: a, labels: {a: "\${${read}}"}}`],
    ['labels as a whole', `        metadata: {name: a, labels: "\${{${read}: 'a'}}"}`],
    ['annotations as a whole', `        metadata: {name: a, annotations: "\${{'/' + ${read}: 'a'}}"}`],
    ['a conversion', `        metadata: {name: a}\n        data: {a: "\${string(timestamp(${read}))}"}`],
    ['a pattern', `        metadata: {name: a}\n        data: {a: "\${string('a'.matches(${read}))}"}`],
    ['a key', `        metadata: {name: a}\n        data: {a: "\${secret.data[${read}]}"}`],
    ['a key of a literal', `        metadata: {name: a}\n        data: {a: "\${{'x': 'y'}[${read}]}"}`],
    ['a copy of it', `        metadata: {name: a}\n        data: {a: "\${string(timestamp(middle.data.copy))}"}`],
  ])('%s', (_, template) => {
    const { diagnostics } = render({ objects: [{ file: 'a.yaml', text: rgd(template) }] });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunter2|aHVudGVyMi/);
  });

  it.each([
    ['what an expression spells out', 'secret.data.user', 'pending-value', 'no such key: user'],
    ['what the instance lacks', 'schema.spec.a', 'missing-in-instance', 'no such key: spec'],
    ['a reason without values', 'string(1 / (size(secret.data) - 1))', 'evaluation', 'division by zero'],
  ])('%s is printed', (_, expression, code, reason) => {
    const text = rgd(`        metadata: {name: a}\n        data: {a: "\${string(${expression})}"}`);
    const [diagnostic] = render({ objects: [{ file: 'a.yaml', text }] }).diagnostics;
    expect(diagnostic).toMatchObject({ code, message: expect.stringContaining(reason) });
  });

  it('the invalid name of a Secret that reads none is printed', () => {
    const text = rgd(`        metadata: {name: "\${'A' + schema.metadata.name}"}`, 'Secret');
    const [diagnostic] = render({ objects: [{ file: 'a.yaml', text }] }).diagnostics;
    expect(diagnostic).toMatchObject({
      code: 'object-name',
      message: expect.stringContaining("'Aone' is not a valid"),
    });
  });
});

const secretObject = `---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: default}
data: {password: ${Buffer.from('hunter2'.repeat(10)).toString('base64')}, count: ${Buffer.from('5000').toString('base64')}}
`;

/** An RGD `Outer` whose nodes may read `secret`, an instance of it, and an RGD `Inner` that they may render. */
const nested = (nodes: string, { resources = '', status = '', a = 'string' } = {}): string => `---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: outer}
spec:
  schema: {apiVersion: v1alpha1, kind: Outer, spec: {a: string}}
  resources:
    - id: secret
      externalRef: {apiVersion: v1, kind: Secret, metadata: {name: credentials}}
${nodes}
---
apiVersion: kro.run/v1alpha1
kind: Outer
metadata: {name: one, namespace: default}
spec: {a: x}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: inner}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Inner
    spec: {a: '${a}'}
${status}
  resources:
    - id: plain
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: plain}}
${resources}
${secretObject}`;

const PASSWORD = '${string(secret.data.password)}';
const map = (id: string, rest: string): string =>
  `    - id: ${id}\n      template: {apiVersion: v1, kind: ConfigMap, ${rest}}`;
const inner = (name: string, a: string): string =>
  `    - id: inner\n      template: {apiVersion: kro.run/v1alpha1, kind: Inner, metadata: {name: "${name}"}, spec: {a: "${a}"}}`;

describe('a value of a Secret is redacted after it passed through other fields', () => {
  it.each([
    [
      'a nested instance',
      inner('in', PASSWORD),
      { resources: map('t', 'metadata: {name: t}, data: {t: "${string(timestamp(schema.spec.a))}"}') },
      'evaluation',
    ],
    [
      'a name in a nested instance',
      inner('in', PASSWORD),
      { resources: map('t', 'metadata: {name: "BAD ${schema.spec.a}"}') },
      'object-name',
    ],
    ['the name of a nested instance', inner(`BAD${PASSWORD}`, 'x'), {}, 'object-name'],
    ['a label of nested objects', inner(PASSWORD, 'x'), {}, 'label-shortened'],
    [
      'errors below a nested instance',
      inner(PASSWORD, 'x'),
      { resources: map('t', 'metadata: {name: "BAD"}') },
      'object-name',
    ],
    ['admission of a nested instance', inner('in', PASSWORD), { a: 'string | enum="a,b"' }, 'instance-value'],
    [
      'rules of a nested instance',
      inner('in', PASSWORD),
      { a: 'string | validation="timestamp(self) == timestamp(self)"' },
      'rule-violated',
    ],
    [
      'status',
      `${inner('in', PASSWORD)}\n${map('r', 'metadata: {name: r}, data: {a: "${inner.status.?when.orValue(\'none\')}"}')}`,
      { status: '    status: {when: "${string(timestamp(schema.spec.a))}"}' },
      'status-failed',
    ],
    [
      'what reads a status',
      `${inner('in', PASSWORD)}\n${map('r', 'metadata: {name: r}, data: {a: "${string(timestamp(inner.status.copy))}"}')}`,
      { status: '    status: {copy: "${schema.spec.a + plain.metadata.name}"}' },
      'evaluation',
    ],
    [
      'a collision',
      `${map('a', `metadata: {name: "${PASSWORD}"}`)}\n${map('b', `metadata: {name: "${PASSWORD}"}`)}`,
      {},
      'identity-collision',
    ],
    [
      'an external reference',
      `    - id: e\n      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${PASSWORD}"}}`,
      {},
      'pending-reference',
    ],
    [
      'the namespace of an external reference',
      `    - id: e\n      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: "${PASSWORD}"}}`,
      {},
      'pending-reference',
    ],
    [
      'an object that another one waits for',
      `    - id: s\n      template: {apiVersion: v1, kind: Service, metadata: {name: "a${'${string(secret.data.password).substring(0, 30)}'}"}, spec: {ports: [{port: 80}]}}\n${map('r', 'metadata: {name: r}, data: {a: "${s.status.loadBalancer.ingress[0].ip}"}')}`,
      {},
      'pending-value',
    ],
    [
      'an iterator',
      `    - id: c\n      forEach: [{x: "${"${string(secret.data.password).split('h')}"}"}]\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "BAD${'${x}'}"}}`,
      {},
      'object-name',
    ],
    [
      'the size of a collection',
      `    - id: c\n      forEach: [{x: "${'${lists.range(int(string(secret.data.count)))}'}"}]\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "x${'${string(x)}'}"}}`,
      {},
      'collection-too-large',
    ],
    [
      'what a reference to a rendered object finds',
      `${map('copy', `metadata: {name: copy}, data: {a: "${PASSWORD}"}`)}\n    - id: ref\n      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: copy}}\n${map('r', 'metadata: {name: r}, data: {a: "${string(timestamp(ref.data.a))}"}')}`,
      {},
      'evaluation',
    ],
    [
      'a key of a computed map',
      `${map('copy', `metadata: {name: copy}, data: "${"${{string(secret.data.password): 'x'}}"}"`)}\n${map('r', 'metadata: {name: r}, data: {a: "${string(timestamp(copy.data.transformList(k, v, k)[0]))}"}')}`,
      {},
      'evaluation',
    ],
  ])('%s', (_, nodes, more, code) => {
    const { diagnostics } = render({ objects: [{ file: 'a.yaml', text: nested(nodes, more) }] });
    expect(diagnostics.map((one) => one.code)).toContain(code);
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunt|unter|nter2|ter2h|aHVu|5000/);
  });
});

describe('a value of a Secret inside an object of another kind is redacted', () => {
  const work = (field: string) =>
    `apiVersion: work.io/v1\nkind: Work\nmetadata: {name: w, namespace: default}\n${field}: {object: {apiVersion: v1, kind: Secret, stringData: {password: hunter2}}}\n`;
  const reference = '    - id: w\n      externalRef: {apiVersion: work.io/v1, kind: Work, metadata: {name: w}}\n';
  const node = '    - id: w\n      template: {apiVersion: work.io/v1, kind: Work, metadata: {name: w}, spec: {}}\n';
  const spec = '{a: object}';
  const instance = (a: string) =>
    `apiVersion: kro.run/v1alpha1\nkind: A\nmetadata: {name: one, namespace: default}\nspec: {a: ${a}}\n`;
  const rgd = (nodes: string) =>
    `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: a}\nspec:\n  schema: {apiVersion: v1alpha1, kind: A, spec: ${spec}}\n  resources:\n${nodes}\n---\n`;
  it.each([
    ['what a reference finds', reference, instance('{}'), work('spec'), '', 'w.spec.object.stringData.password'],
    ['what is observed', node, instance('{}'), '', work('status'), 'w.status.object.stringData.password'],
    [
      'an instance',
      '',
      instance('{apiVersion: v1, kind: Secret, stringData: {password: hunter2}}'),
      '',
      '',
      'schema.spec.a.stringData.password',
    ],
  ])('%s', (_, nodes, one, found, observed, read) => {
    const failing = `${map('fails', `metadata: {name: t}, data: {t: "\${string(timestamp(${read}))}"}`)}\n${map('named', `metadata: {name: "BAD \${${read}}"}`)}`;
    const text = `${rgd(nodes + failing)}${one}${found === '' ? '' : `---\n${found}`}`;
    const { diagnostics } = render({
      objects: [{ file: 'a.yaml', text }],
      ...(observed === '' ? {} : { observed: [{ file: 'live.yaml', text: observed }] }),
    });
    const codes = diagnostics.map((told) => told.code);
    expect(codes).toContain('evaluation');
    expect(codes).toContain('object-name');
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunt|nter2/);
  });
});

describe('a value unrelated to Secrets is printed', () => {
  const told = (nodes: string, more = {}): string =>
    JSON.stringify(render({ objects: [{ file: 'a.yaml', text: nested(nodes, more) }] }).diagnostics);
  it.each([
    [
      'the name of a Secret',
      map('m', 'metadata: {name: "BAD-${secret.metadata.name}"}'),
      "'BAD-credentials' is not a valid name",
    ],
    [
      'a neighbour of a copy',
      map('m', `metadata: {name: "BAD"}, data: {a: "${PASSWORD}"}`),
      "'BAD' is not a valid name",
    ],
    [
      'another expression beside one that reads it',
      map('m', `metadata: {name: m}, data: {a: "${PASSWORD}", b: "${'${string(timestamp(schema.spec.a))}'}"}`),
      'invalid RFC 3339 timestamp',
    ],
    ['a nested instance that is given something else', `${inner('in', '${schema.spec.a}')}`, 'supported values'],
    [
      'names of many Secrets',
      `    - id: all\n      externalRef: {apiVersion: v1, kind: Secret, metadata: {selector: {}}}\n    - id: c\n      forEach: [{x: "${"${all.filter(s, s.metadata.name != '')}"}"}]\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "BAD-${'${x.metadata.name}'}"}}`,
      "'BAD-credentials' is not a valid name",
    ],
  ])('%s', (_, nodes, words) => {
    expect(told(nodes, { a: 'string | enum="a,b"' })).toContain(words);
  });
});

it('an expression in a Secret is quoted unless it contains literals', () => {
  const text = (expression: string): string =>
    nested(
      `    - id: made\n      template: {apiVersion: v1, kind: Secret, metadata: {name: made}, stringData: {a: "${expression}"}}`,
    );
  const message = (expression: string): string =>
    render({ objects: [{ file: 'a.yaml', text: text(expression) }] }).diagnostics[0]?.message ?? '';
  expect(message('${timestamp(schema.spec.a).getHours()}')).toContain('expected string, got int');
  expect(message('${string(timestamp(schema.spec.a))}')).toMatch(
    /^'string\(timestamp\(schema.spec.a\)\)': timestamp\(\) failed/,
  );
  expect(message("${string(timestamp('hunter2' + schema.spec.a))}")).toMatch(/^an expression: timestamp\(\) failed/);
  expect(message('${hunter2}')).toMatch(/^'\(hidden\)' is neither 'schema' nor a node/);
  expect(message('${schema.spec.hunter2}')).toContain('hunter2');
  const bytes = `    - id: made\n      template: {apiVersion: v1, kind: Secret, metadata: {name: made}, data: {a: "\${bytes('hunter2')}"}}`;
  const { diagnostics } = render({ objects: [{ file: 'a.yaml', text: nested(bytes) }] });
  expect(diagnostics.map(({ code }) => code)).toContain('bytes-value');
  expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
});

// Words of an expression are no Secret if it reads a known name and contains no literal; others may be a password.
describe('an expression of a Secret that does not compile', () => {
  const told = (expression: string): unknown => {
    const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: keeper}
spec:
  schema: {apiVersion: v1alpha1, kind: Keeper, spec: {name: string}}
  resources:
    - id: kept
      template: {apiVersion: v1, kind: Secret, metadata: {name: kept}, stringData: {a: "\${${expression}}"}}
`;
    const [diagnostic] = render({ objects: [{ file: 'a.yaml', text }] }).diagnostics;
    return [diagnostic?.code, diagnostic?.message, diagnostic?.hint];
  };

  it.each([
    ['.schema.spec.name', ['unknown-name', "unknown name '.schema'", 'write schema.spec.name']],
    ['schema.spec.nme', ['expression-type', "undefined field 'nme'", "did you mean 'name'?"]],
  ])('shows the words of %s', (expression, shown) => {
    expect(told(expression)).toEqual(shown);
  });

  it.each(['hunter2', 'hunter2.x', 'hunter2 + schema.spec.name', ".hunter2 == 'a'"])('hides %s', (expression) => {
    expect(JSON.stringify(told(expression))).not.toContain('hunter2');
    expect(JSON.stringify(told(expression))).toContain('(hidden)');
  });
});
