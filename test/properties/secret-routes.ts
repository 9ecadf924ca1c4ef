import fc from 'fast-check';
import { BESIDE, graphTemplates, stageTemplates } from './secret-stages.ts';

/** A package in which a value of a Secret flows somewhere and something fails. `PLANTED` stands for the value. */
export interface Planted {
  /** The documents of the package for a value. */
  documents: (value: string) => readonly string[];
  /** The combined routes. */
  ways: string;
}

const base64 = (value: string): string => Buffer.from(value).toString('base64');

/** How a Secret gets into the input. The value is at the end of a line, so that no column shows its length. */
const ENTRIES: Readonly<Record<string, (value: string) => string>> = {
  block: (value) =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: kept, namespace: default}\ndata:\n  p: ${base64(value)}\n`,
  json: (value) =>
    `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"kept","namespace":"default"},"data":{"p":"${base64(value)}"}}`,
  list: (value) =>
    `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: kept, namespace: default}, data: {p: ${base64(value)}}}\n`,
  secretList: (value) =>
    `apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: kept, namespace: default}\n  data: {p: ${base64(value)}}\n`,
  observed: (value) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: kept\n  namespace: default\n  annotations: {render-rgd.dev/observed: "true"}\ndata:\n  p: ${base64(value)}\n`,
  annotated: (value) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: kept\n  namespace: default\n  annotations: {copy: "${value}"}\ndata:\n  p: ${base64(value)}\n`,
};

/** Nodes through which an expression, which returns a string, reads the value. */
const SOURCES: Readonly<Record<string, { nodes: string; expression: string }>> = {
  byName: {
    nodes: reference('secret', 'Secret', 'name: kept'),
    expression: 'string(secret.data.p)',
  },
  bySelector: {
    nodes: reference('secrets', 'Secret', 'selector: {}'),
    expression: 'string(secrets[0].data.p)',
  },
  ofAll: {
    nodes: reference('secrets', 'Secret', 'selector: {}'),
    expression: "secrets.map(s, string(s.data.p)).join('')",
  },
  annotation: {
    nodes: reference('secret', 'Secret', 'name: kept'),
    expression: 'secret.metadata.?annotations.?copy.orValue(string(secret.data.p))',
  },
  written: {
    nodes: `${reference('secret', 'Secret', 'name: kept')}    - id: own\n      template: {apiVersion: v1, kind: Secret, metadata: {name: own}, stringData: {p: "\${string(secret.data.p)}"}}\n`,
    expression: 'own.stringData.p',
  },
  literal: {
    nodes:
      '    - id: own\n      template:\n        apiVersion: v1\n        kind: Secret\n        metadata: {name: own}\n        stringData:\n          p: PLANTED\n',
    expression: 'own.stringData.p',
  },
};

/** Operations on the expression before it fails. */
const DETOURS: Readonly<
  Record<string, (expression: string) => { nodes: string; expression: string; forEach?: string }>
> = {
  none: (expression) => ({ nodes: '', expression }),
  copied: (expression) => ({
    nodes: configMap('copy', 'name: copy', `{v: "\${${expression}}"}`),
    expression: 'copy.data.v',
  }),
  key: (expression) => ({
    nodes: configMap('copy', 'name: copy', `"\${{'k' + ${expression}: 'v'}}"`),
    expression: 'copy.data.transformList(k, v, k)[0]',
  }),
  referenced: (expression) => ({
    nodes: `${configMap('copy', 'name: copy', `{v: "\${${expression}}"}`)}${reference('again', 'ConfigMap', 'name: copy')}`,
    expression: 'again.data.v',
  }),
  label: (expression) => ({
    nodes: configMap('copy', `name: copy, labels: {l: "\${${expression}}"}`, '{}'),
    expression: 'copy.metadata.labels.l',
  }),
  encoded: (expression) => ({ nodes: '', expression: `base64.encode(bytes(${expression}))` }),
  cut: (expression) => ({ nodes: '', expression: `${expression}.substring(2, 12)` }),
  split: (expression) => ({ nodes: '', expression: `${expression}.split('').map(c, c + '').join('')` }),
  bound: (expression) => ({ nodes: '', expression: `cel.bind(x, ${expression}, x + x)` }),
  chosen: (expression) => ({ nodes: '', expression: `(schema.spec.a == 'x' ? ${expression} : 'none')` }),
  nested: (expression) => ({ nodes: instance('through', 'through', expression), expression: 'through.spec.a' }),
  status: (expression) => ({ nodes: instance('through', 'through', expression), expression: 'through.status.copy' }),
  inner: (expression) => ({ nodes: instance('through', 'through', expression), expression: 'through.status.inner' }),
  iterated: (expression) => ({ nodes: '', expression: 'it', forEach: `[${expression}]` }),
  cutUp: (expression) => ({ nodes: '', expression: 'it', forEach: `${expression}.split('q')` }),
  made: (expression) => ({
    nodes: '',
    expression: 'it.metadata.name',
    forEach: `[{'metadata': {'name': ${expression}}}]`,
  }),
};

/** Failing templates. Items of a collection have unique names unless the name is what fails. */
const FAILURES: Readonly<Record<string, (expression: string) => string>> = {
  name: (e) => body('ConfigMap', `{name: "BAD_\${${e}}"}`),
  namespace: (e) => body('ConfigMap', `{name: f, namespace: "BAD_\${${e}}"}`),
  label: (e) => body('ConfigMap', `{name: f, labels: {l: "-\${${e}}-"}}`),
  labelKey: (e) => body('ConfigMap', `{name: f, labels: "\${{'-' + ${e}: 'v'}}"}`),
  annotationKey: (e) => body('ConfigMap', `{name: f, annotations: "\${{'/' + ${e}: 'v'}}"}`),
  reservedKey: (e) =>
    body(
      'ConfigMap',
      `{name: f, annotations: "\${{'config.kubernetes.io/' + ${e}: 'v', 'internal.config.kubernetes.io/' + ${e}: 'v'}}"}`,
    ),
  ...Object.fromEntries(
    [
      'timestamp(X).getHours()',
      'duration(X).getSeconds()',
      'int(X)',
      'double(X)',
      'uint(X)',
      'bool(X)',
      'url(X).getPort()',
      'url("http://" + X + ":" + X).getPort()',
      'quantity(X).asInteger()',
      'semver(X).major()',
      'ip(X).family()',
      'cidr(X).prefixLength()',
      'json.unmarshal(X)',
      'json.unmarshal("{" + X)',
      '"a".matches("(" + X)',
      '"a".matches("[" + X)',
      'X.charAt(1000)',
      'X.substring(size(X) + 3)',
      '{"k": "v"}[X]',
      '["a"][size(X)]',
      'dyn(schema)[X]',
      'dyn({"a": 1})[X].b',
      '("%" + X).format([1])',
      '"%d".format([dyn(X)])',
      'base64.decode("!" + X)',
      'timestamp("2020-01-01T00:00:00Z").getHours(X)',
      'dyn(X) + 1',
      'dyn(X).nothing',
      '[1][dyn(X)]',
      'lists.range(size(X) * 10000000)',
      'X.find("(" + X)',
      'X.replace("a", "b", -2).format(["x"])',
      '{X: 1, X: 2}',
      'random.seededString(0 - size(X), X)',
      'X.split("").map(c, int(c))',
      'X.split("").all(c, int(c) >= 0)',
    ].map((text) => [text, (e: string) => value(text.replaceAll('X', `(${e})`).replaceAll('"', "'"))]),
  ),
  wrongType: (e) => `{apiVersion: v1, kind: Service, metadata: {name: f}, spec: {ports: [{port: "\${dyn(${e})}"}]}}`,
  pending: (e) =>
    `{apiVersion: v1, kind: Service, metadata: {name: "s-\${${e}.substring(0, 6)}"}, spec: {ports: [{port: 80}]}}`,
  owner: (e) =>
    body(
      'ConfigMap',
      `{name: "o-\${${e}}", ownerReferences: [{apiVersion: v1, kind: A, name: "\${${e}}", uid: "\${schema.metadata.uid}"}]}`,
    ),
  twice: (e) => body('ConfigMap', `{name: "t-\${${e}}"}`),
  enum: (e) => inner('Picky', 'in', `e: "\${${e}}"`),
  pattern: (e) => inner('Picky', 'in', `p: "\${${e}}"`),
  length: (e) => inner('Picky', 'in', `l: "\${${e}}"`),
  rule: (e) => inner('Picky', 'in', `r: "\${${e}}"`),
  unknown: (e) => inner('Picky', 'in', '', `"\${{${e}: 'x'}}"`),
  set: (e) => inner('Picky', 'in', `s: ["\${${e}}", "\${${e}}"]`),
  within: (e) => inner('Strict', 'in', `a: "\${${e}}"`),
  nestedName: (e) => inner('Strict', `\${${e}}`, "a: 'x'"),
  longName: (e) => inner('Strict', `\${'${'x'.repeat(60)}' + ${e}}`, 'a: "2020-01-01T00:00:00Z"'),
  nestedBadName: (e) => inner('Strict', `BAD_\${${e}}`, "a: 'x'"),
  statusFails: (e) => inner('Failing', 'in', `a: "\${${e}}"`),
  setName: (e) => set(`set-\${${e}}`, '', 'name: plain'),
  setInput: (e) => set('set', `\${${e}}`, 'name: "<< inputs.a >>"'),
  setInputInName: (e) => set('set', `\${${e}}`, 'name: "BAD_<< inputs.a >>"'),
  setInputInLabel: (e) => set('set', `\${${e}}`, 'name: plain, labels: {l: "-<< inputs.a >>-"}'),
  setFunction: (e) => set('set', `\${${e}}`, 'name: "<< fail inputs.a >>"'),
  setTwice: (e) =>
    set('set', `\${${e}}`, 'name: plain, namespace: "<< inputs.a >>"', 'name: plain, namespace: "<< inputs.a >>"'),
  setText: (e) => set('set', `\${${e}}`, 'name: plain, labels: {<< inputs.a >>: [}'),
};

/** Failing nodes beside the one with a template. */
const OTHERS: Readonly<Record<string, (expression: string) => string>> = {
  includeWhen: (e) => configMap('f', 'name: f', '{}', `\n      includeWhen: ["\${timestamp(${e}).getHours() == 1}"]`),
  forEach: (e) => configMap('f', `name: "f-\${x}"`, '{}', `\n      forEach: [{x: "\${json.unmarshal(${e})}"}]`),
  tooMany: (e) =>
    configMap('f', `name: "f-\${string(x)}"`, '{}', `\n      forEach: [{x: "\${lists.range(size(${e}) * 1000)}"}]`),
  missing: (e) => reference('f', 'ConfigMap', `name: "\${${e}}"`),
  elsewhere: (e) => reference('f', 'ConfigMap', `name: x, namespace: "\${${e}}"`),
  selector: (e) => reference('f', 'ConfigMap', `selector: {matchExpressions: [{key: k, operator: "\${${e}}"}]}`),
  selectorKey: (e) => reference('f', 'ConfigMap', `selector: {matchLabels: "\${{${e}: 'x'}}"}`),
};

const plantedBy = (failures: readonly string[], maxLength: number): fc.Arbitrary<Planted> =>
  fc
    .record({
      entry: fc.constantFrom(...Object.keys(ENTRIES)),
      source: fc.constantFrom(...Object.keys(SOURCES)),
      detours: fc.array(fc.constantFrom(...Object.keys(DETOURS)), { maxLength }),
      failure: fc.constantFrom(...failures),
    })
    .map(({ entry, source, detours, failure }): Planted => {
      let { nodes, expression } = SOURCES[source] as (typeof SOURCES)[string];
      let forEach = '';
      const taken = new Set<string>();
      for (const detour of detours) {
        // Base64 of two values may contain the separator a different number of times.
        if (detour === 'cutUp' && detours.includes('encoded')) continue;
        const made = (DETOURS[detour] as (typeof DETOURS)[string])(expression);
        // Every node is rendered once, and there is one iterator.
        const id = /- id: (\w+)/.exec(made.nodes)?.[1] ?? made.forEach ?? '';
        if ((id !== '' && taken.has(id)) || (forEach !== '' && (made.nodes !== '' || made.forEach !== undefined)))
          continue;
        taken.add(id);
        nodes += made.nodes;
        expression = made.expression;
        if (made.forEach !== undefined) forEach = `\n      forEach: [{it: "\${${made.forEach}}"}]`;
      }
      const nameOfItem = (text: string): string =>
        forEach === ''
          ? text
          : text.replace(/name: "?(f|in)"?(?=[,}])/, `name: "$1${'$'}{${expression}.substring(0, 0)}"`);
      const other = OTHERS[failure];
      if (other !== undefined && forEach === '') nodes += other(expression);
      else {
        const template = FAILURES[failure] ?? stageTemplates[failure] ?? FAILURES.name;
        nodes += `    - id: f${forEach}\n      template: ${nameOfItem((template as (e: string) => string)(expression))}\n`;
        if (failure === 'twice')
          nodes += `    - id: g${forEach}\n      template: ${(template as (e: string) => string)(expression)}\n`;
        if (failure === 'pending' && forEach === '')
          nodes += configMap('g', 'name: g', '{v: "${f.status.loadBalancer.ingress[0].ip}"}');
        if (failure === 'statusFails' && forEach === '')
          nodes += configMap('g', 'name: g', '{v: "${f.status.?when.orValue(\'none\')}"}');
      }
      return {
        ways: [entry, source, ...detours, failure].join(' > '),
        documents: (value) => [
          outer(nodes).replaceAll('PLANTED', value),
          'apiVersion: kro.run/v1alpha1\nkind: Outer\nmetadata: {name: one, namespace: default}\nspec: {a: x}\n',
          (ENTRIES[entry] as (value: string) => string)(value),
          ...INNER,
          ...(failure.startsWith('stage') ? [BESIDE] : []),
        ],
      };
    });

/** A value that makes something fail. */
export const planted: fc.Arbitrary<Planted> = plantedBy([...Object.keys(FAILURES), ...Object.keys(OTHERS)], 2);

/** A value in a field of an object that a later stage reads. */
export const plantedInStage: fc.Arbitrary<Planted> = fc.oneof(
  { weight: 4, arbitrary: plantedBy(Object.keys(stageTemplates), 1) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(graphTemplates)).map(plantedInGraph) },
);

/** A Graph with a node that reads a Secret, and one with the value in a field. */
function plantedInGraph(way: string): Planted {
  const template = (graphTemplates[way] as (expression: string) => string)('string(secret.data.p)');
  const secret = '{id: secret, ref: {apiVersion: v1, kind: Secret, metadata: {name: kept}}}';
  const nodes = `[{id: seed, def: {a: b}}, ${secret}, {id: f, template: ${template}}]`;
  return {
    ways: way,
    documents: (value) => [
      `{apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: one, namespace: default}, spec: {nodes: ${nodes}}}`,
      (ENTRIES.block as (value: string) => string)(value),
      BESIDE,
    ],
  };
}

function reference(id: string, kind: string, metadata: string): string {
  return `    - id: ${id}\n      externalRef: {apiVersion: v1, kind: ${kind}, metadata: {${metadata}}}\n`;
}

function configMap(id: string, metadata: string, data: string, more = ''): string {
  return `    - id: ${id}${more}\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {${metadata}}, data: ${data}}\n`;
}

function instance(id: string, name: string, expression: string): string {
  return `    - id: ${id}\n      template: {apiVersion: kro.run/v1alpha1, kind: Through, metadata: {name: ${name}}, spec: {a: "\${${expression}}"}}\n`;
}

function body(kind: string, metadata: string): string {
  return `{apiVersion: v1, kind: ${kind}, metadata: ${metadata}}`;
}

function value(expression: string): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: f}, data: {v: "\${json.marshal(${expression})}"}}`;
}

function inner(kind: string, name: string, spec: string, whole = `{${spec}}`): string {
  return `{apiVersion: kro.run/v1alpha1, kind: ${kind}, metadata: {name: "${name}"}, spec: ${whole}}`;
}

/** A ResourceSet with one input, and an object for each metadata. */
function set(name: string, input: string, ...metadata: readonly string[]): string {
  const resources = metadata.map((one) => `{apiVersion: v1, kind: ConfigMap, metadata: {${one}}}`);
  const template = resources.join('\\n---\\n').replaceAll('"', '\\"');
  const spec = `{inputs: [{a: "${input}"}], resourcesTemplate: "${template}"}`;
  return `{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, metadata: {name: "${name}"}, spec: ${spec}}`;
}

function outer(nodes: string): string {
  return `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: outer}\nspec:\n  schema: {apiVersion: v1alpha1, kind: Outer, spec: {a: string}}\n  resources:\n${nodes}`;
}

const rgd = (kind: string, schema: string, nodes: string): string =>
  `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: ${kind.toLowerCase()}}\nspec:\n  schema:\n    apiVersion: v1alpha1\n    kind: ${kind}\n${schema}\n  resources:\n${nodes}`;

/** RGDs that the one with the Secret renders. */
const INNER = [
  rgd(
    'Through',
    '    spec: {a: string}\n    status: {copy: "${schema.spec.a + plain.metadata.name.substring(0, 0)}", inner: "${plain.data.v}"}',
    configMap('plain', 'name: "${schema.metadata.name}"', '{v: "${schema.spec.a}"}'),
  ),
  rgd(
    'Picky',
    [
      '    spec:',
      '      e: string | enum="a,b"',
      '      p: string | pattern="^[0-9]$"',
      '      l: string | maxLength=2',
      '      r: string | validation="timestamp(self) == timestamp(self)"',
      '      s: "[]string | uniqueItems=true"',
    ].join('\n'),
    configMap('plain', 'name: picky', '{}'),
  ),
  rgd(
    'Strict',
    '    spec: {a: string}',
    configMap('plain', 'name: strict', '{v: "${string(timestamp(schema.spec.a))}"}'),
  ),
  rgd(
    'Failing',
    '    spec: {a: string}\n    status: {when: "${string(timestamp(schema.spec.a + plain.metadata.name))}"}',
    configMap('plain', 'name: failing', '{}'),
  ),
];
