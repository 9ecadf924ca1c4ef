import type { Code, Severity } from '../../../src/core/diagnostics/index.ts';

type LintCode = Extract<Code, `lint-${string}`>;

interface RgdParts {
  /** `spec.schema.spec`, and more of `spec.schema` with it. */
  spec?: object;
  types?: object;
  status?: object;
  annotations?: object;
  resources: readonly object[];
}

/** An RGD as JSON, which is YAML too; block scalars are texts that end in a line break. */
export const rgd = ({ spec = {}, types, status, annotations, resources }: RgdParts): string =>
  JSON.stringify({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'x', ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      schema: {
        apiVersion: 'v1alpha1',
        kind: 'X',
        spec,
        ...(types === undefined ? {} : { types }),
        ...(status === undefined ? {} : { status }),
      },
      resources,
    },
  });

/** A ResourceSet with a text in its only object. */
const set = (inputs: readonly object[], text: string, strategy = 'Flatten'): string =>
  JSON.stringify({
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'set', namespace: 'default' },
    spec: {
      inputs,
      inputStrategy: { name: strategy },
      resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { text: `x${text}` } }],
    },
  });

const map = (data: object, more: object = {}, id = 'a', name = `${id}-map`): object => ({
  id,
  ...more,
  template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
});
const pod = (container: object, spec: object = {}): object => ({
  id: 'pod',
  template: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pod' },
    spec: { containers: [{ name: 'c', ...container }], ...spec },
  },
});
const endpoints = (apiVersion: string, kind: string, fields: object): object => ({
  id: 'endpoints',
  template: { apiVersion, kind, metadata: { name: 'a' }, ...fields },
});
const hosts = { hosts: '[]string' };
const tags = { tags: 'map[string]string' };
const collection = (
  forEach: object,
  name: string,
  data: object = { a: '${string(schema.spec.hosts.size())}' },
): string => rgd({ spec: hosts, resources: [map(data, { forEach: [forEach] }, 'a', name)] });

const conditional = map({ a: 'b' }, { includeWhen: ['${schema.spec.on}'] });
const on = { on: 'boolean' };

const keda = { apiVersion: 'keda.sh/v1alpha1', scaler: 'ScaledObject' };

/** A Deployment, and an object that scales it. */
const scaled = (
  { replicas, includeWhen }: { replicas?: number | undefined; includeWhen?: string[] },
  given: Record<string, unknown>,
): string => {
  const {
    apiVersion,
    scaler,
    field,
    name,
    kind,
    includeWhen: scaledWhen,
  } = {
    ...{ apiVersion: 'autoscaling/v2', scaler: 'HorizontalPodAutoscaler', field: 'scaleTargetRef' },
    ...{ name: '${schema.metadata.name}', kind: 'Deployment', includeWhen: undefined },
    ...given,
  };
  const labels = { app: 'web' };
  return rgd({
    spec: on,
    resources: [
      {
        id: 'web',
        includeWhen,
        template: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: '${schema.metadata.name}', annotations: { on: '${string(schema.spec.on)}' } },
          spec: {
            replicas,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'a' }] } },
          },
        },
      },
      {
        id: 'scaler',
        includeWhen: scaledWhen,
        template: {
          apiVersion,
          kind: scaler,
          metadata: { name: 'web' },
          spec: { maxReplicas: 3, [field]: { apiVersion: 'apps/v1', kind, name } },
        },
      },
    ],
  });
};

interface LintCases {
  found: Record<string, string>;
  near: Record<string, string>;
  /** Default: warning. */
  severity?: Severity;
}

/** For each lint, input that it reports and similar input that it accepts. */
export const lintCases: Readonly<Record<LintCode, LintCases>> = {
  'lint-index-identity': {
    found: {
      'an index of a list': collection({ i: '${lists.range(size(schema.spec.hosts))}' }, 'a-${string(i)}'),
      'an index that is added to': collection(
        { i: '${lists.range(schema.spec.hosts.size())}' },
        '${"a-" + string(i + 1)}',
      ),
      'the number of items': rgd({
        spec: hosts,
        resources: [map({}, {}, 'a', 'a-${string(size(schema.spec.hosts))}')],
      }),
      'an index in the items of the list': collection(
        { one: '${schema.spec.hosts.transformList(i, host, {"index": string(i), "host": host})}' },
        'a-${one.index}',
      ),
    },
    near: {
      'a number that the instance gives': rgd({
        spec: { shards: 'integer' },
        resources: [map({}, { forEach: [{ i: '${lists.range(schema.spec.shards)}' }] }, 'a', 'a-${string(i)}')],
      }),
      'the item itself': collection({ host: '${schema.spec.hosts}' }, 'a-${host}'),
      'an index that finds the item': collection(
        { i: '${lists.range(size(schema.spec.hosts))}' },
        'a-${schema.spec.hosts[i]}',
      ),
      'the length of a text': rgd({
        spec: { name: 'string' },
        resources: [
          map({}, {}, 'a', '${size(schema.spec.name) > 10 ? schema.spec.name.substring(0, 10) : schema.spec.name}'),
        ],
      }),
      'a number that is compared': rgd({
        spec: hosts,
        resources: [map({}, {}, 'a', '${size(schema.spec.hosts) > 1 ? "many" : "one"}')],
      }),
      'an index beside the name': collection(
        { i: '${lists.range(size(schema.spec.hosts))}' },
        '${schema.spec.hosts[i]}',
        {
          i: '${string(i)}',
        },
      ),
    },
  },
  'lint-unsorted-list': {
    found: {
      'arguments of a program': rgd({ spec: tags, resources: [pod({ args: '${schema.spec.tags.map(k, "--" + k)}' })] }),
      'a text': rgd({ spec: tags, resources: [map({ a: '${schema.spec.tags.map(k, k).join(",")}' })] }),
      'the first of them': rgd({ spec: tags, resources: [map({ a: '${schema.spec.tags.map(k, k)[0]}' })] }),
      'two variables': rgd({
        spec: tags,
        resources: [map({ a: '${schema.spec.tags.transformList(k, v, k + v).join(",")}' })],
      }),
      'a bound one': rgd({
        spec: tags,
        resources: [map({ a: '${cel.bind(keys, schema.spec.tags.map(k, k), keys.join(","))}' })],
      }),
    },
    near: {
      sorted: rgd({ spec: tags, resources: [map({ a: '${schema.spec.tags.map(k, k).sort().join(",")}' })] }),
      'sorted by a key': rgd({
        spec: tags,
        resources: [map({ a: '${schema.spec.tags.map(k, k).sortBy(k, k).join(",")}' })],
      }),
      counted: rgd({ spec: tags, resources: [map({ a: '${string(schema.spec.tags.map(k, k).size())}' })] }),
      searched: rgd({ spec: tags, resources: [map({ a: '${string("a" in schema.spec.tags.map(k, k))}' })] }),
      'a list of items with keys': rgd({
        spec: tags,
        resources: [pod({ env: '${schema.spec.tags.map(k, {"name": k, "value": schema.spec.tags[k]})}' })],
      }),
      'a list': rgd({ spec: hosts, resources: [map({ a: '${schema.spec.hosts.map(h, h).join(",")}' })] }),
      'a forEach, whose items have names': rgd({
        spec: tags,
        resources: [map({}, { forEach: [{ k: '${schema.spec.tags.map(k, k)}' }] }, 'a', '${k}')],
      }),
    },
  },
  'lint-trailing-newline': {
    found: {
      'a block scalar': rgd({ spec: { image: 'string' }, resources: [pod({ image: '${schema.spec.image}\n' })] }),
      'a name': rgd({ resources: [map({}, {}, 'a', '${schema.metadata.name}\n')] }),
    },
    near: {
      'no line break': rgd({ spec: { image: 'string' }, resources: [pod({ image: '${schema.spec.image}' })] }),
      'a file': rgd({ spec: { file: 'string' }, resources: [map({ 'a.conf': '${schema.spec.file}\n' })] }),
      'a text of several lines': rgd({
        spec: { image: 'string' },
        resources: [pod({ image: 'c', args: ['set -e\n${schema.spec.image}\n'] })],
      }),
      'a line break in the expression': rgd({
        spec: { image: 'string' },
        resources: [pod({ image: '${\n  schema.spec.image\n}' })],
      }),
    },
  },
  'lint-never-included': {
    found: {
      false: rgd({ resources: [map({}, { includeWhen: ['${1 > 2}'] })] }),
      'a constant part': rgd({ spec: on, resources: [map({}, { includeWhen: ['${schema.spec.on && false}'] })] }),
      'a value that an enum does not have': rgd({
        spec: { env: 'string | enum="dev,prod"' },
        resources: [map({}, { includeWhen: ['${schema.spec.env == "production"}'] })],
      }),
    },
    near: {
      true: rgd({ resources: [map({}, { includeWhen: ['${true}'] })] }),
      'a value of an enum': rgd({
        spec: { env: 'string | enum="dev,prod"' },
        resources: [map({}, { includeWhen: ['${schema.spec.env == "prod"}'] })],
      }),
      'another value, or a flag': rgd({
        spec: { ...on, env: 'string | enum="dev,prod"' },
        resources: [map({}, { includeWhen: ['${schema.spec.env == "test" || schema.spec.on}'] })],
      }),
      'a field without an enum': rgd({
        spec: { env: 'string' },
        resources: [map({}, { includeWhen: ['${schema.spec.env == "prod"}'] })],
      }),
    },
  },
  'lint-unread-field': {
    found: {
      'a field': rgd({ spec: on, resources: [map({})] }),
      'a field of a struct': rgd({
        spec: { server: { name: 'string', port: 'integer' } },
        resources: [map({ a: '${schema.spec.server.name}' })],
      }),
      'a field that a text mentions': rgd({ spec: on, resources: [map({ a: 'see schema.spec.on' })] }),
    },
    near: {
      'in a condition': rgd({ spec: on, resources: [map({}, { includeWhen: ['${schema.spec.on}'] })] }),
      'in the status': rgd({ spec: on, status: { on: '${schema.spec.on}' }, resources: [map({})] }),
      'with a name that CEL reserves': rgd({
        spec: { in: 'string' },
        resources: [map({ a: '${schema.spec.__in__}' })],
      }),
      'of a map with a computed key': rgd({
        spec: { m: 'map[string]string', k: 'string' },
        resources: [map({ a: '${schema.spec.m[schema.spec.k]}' })],
      }),
      'by has()': rgd({ spec: on, resources: [map({ a: '${string(has(schema.spec.on))}' })] }),
      'with the whole spec': rgd({ spec: on, resources: [map({ a: '${json.marshal(schema.spec)}' })] }),
      'as an item of a list': rgd({
        spec: { servers: '[]Server' },
        types: { Server: { name: 'string', port: 'integer' } },
        resources: [map({ a: '${schema.spec.servers.map(s, s.name).join(",")}' })],
      }),
      'by a key that is computed': rgd({
        spec: { which: 'string', a: 'string' },
        resources: [map({ a: '${string(dyn(schema.spec)[schema.spec.which])}' })],
      }),
      'in a rule of its own': rgd({
        spec: { confirmed: 'string | validation="self == \'yes\'"' },
        resources: [map({})],
      }),
    },
  },
  'lint-contagious-skip': {
    found: {
      'behind ?': rgd({
        spec: on,
        resources: [conditional, map({ a: '${a.?data.?a.orValue("none")}' }, {}, 'b')],
      }),
      'in an arm': rgd({
        spec: on,
        resources: [conditional, map({ a: '${schema.spec.on ? a.metadata.name : "none"}' }, {}, 'b')],
      }),
      'in a node without a condition': rgd({
        spec: on,
        resources: [conditional, map({ a: '${a.metadata.name}' }, {}, 'b')],
      }),
      'in has()': rgd({
        spec: on,
        resources: [conditional, map({ a: '${string(has(a.metadata))}' }, {}, 'b')],
      }),
    },
    near: {
      'in a node with another condition': rgd({
        spec: { ...on, off: 'boolean' },
        resources: [conditional, map({ a: '${a.metadata.name}' }, { includeWhen: ['${!schema.spec.off}'] }, 'b')],
      }),
      'with the same condition': rgd({
        spec: on,
        resources: [
          conditional,
          map({ a: '${a.?data.?a.orValue("none")}' }, { includeWhen: ['${ schema.spec.on }'] }, 'b'),
        ],
      }),
      'a node without a condition': rgd({
        resources: [map({ a: 'b' }), map({ a: '${a.?data.?a.orValue("none")}' }, {}, 'b')],
      }),
      'a field that may be missing, in a node with another condition': rgd({
        spec: { ...on, off: 'boolean' },
        resources: [
          conditional,
          map({ a: '${a.data.?c.orValue("none")}' }, { includeWhen: ['${!schema.spec.off}'] }, 'b'),
        ],
      }),
      'in the status': rgd({
        spec: on,
        status: { name: '${a.?metadata.?name.orValue("none")}' },
        resources: [conditional],
      }),
    },
  },
  'lint-null-value': {
    found: {
      'a field': rgd({ spec: { image: 'string' }, resources: [pod({ image: '${schema.spec.?image}' })] }),
      'optional.of': rgd({
        spec: { image: 'string' },
        resources: [pod({ image: '${optional.of(schema.spec.image)}' })],
      }),
      'null in a field with a default': rgd({
        spec: on,
        resources: [pod({ image: 'a', imagePullPolicy: '${schema.spec.on ? dyn("Always") : dyn(null)}' })],
      }),
    },
    near: {
      'with a fallback': rgd({
        spec: { image: 'string' },
        resources: [pod({ image: '${schema.spec.?image.orValue("a")}' })],
      }),
      'a key that may be missing': rgd({
        spec: { cpu: 'string' },
        resources: [pod({ image: 'a', resources: { limits: '${{?"cpu": schema.spec.?cpu}}' } })],
      }),
      'a condition': rgd({ spec: on, resources: [map({}, { includeWhen: ['${schema.spec.?on}'] })] }),
      'null in a field without a default': rgd({
        spec: on,
        resources: [pod({ image: 'a', workingDir: '${schema.spec.on ? dyn("/a") : dyn(null)}' })],
      }),
      'a label': rgd({
        spec: { team: 'string' },
        resources: [
          {
            id: 'a',
            template: {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { name: 'a', labels: { team: '${schema.spec.?team}' } },
            },
          },
        ],
      }),
    },
  },
  'lint-scaled-replicas': {
    found: {
      'an autoscaler': scaled({ replicas: 2 }, {}),
      'the name of the node': scaled({ replicas: 2 }, { name: '${ web.metadata.name }' }),
      'a ScaledObject, which scales a Deployment by default': scaled({ replicas: 2 }, { ...keda, kind: undefined }),
      'a Rollout': scaled(
        { replicas: 2 },
        { apiVersion: 'argoproj.io/v1alpha1', scaler: 'Rollout', field: 'workloadRef' },
      ),
      'a condition': scaled({ replicas: 2 }, { includeWhen: ['${schema.spec.on}'] }),
    },
    near: {
      'no replicas': scaled({}, {}),
      'no replicas beside a Rollout': scaled(
        { replicas: 0 },
        { apiVersion: 'argoproj.io/v1alpha1', scaler: 'Rollout', field: 'workloadRef' },
      ),
      'another object': scaled({ replicas: 2 }, { name: 'other' }),
      'another kind': scaled({ replicas: 2 }, { kind: 'StatefulSet' }),
      'an alternative': scaled(
        { replicas: 2, includeWhen: ['${!schema.spec.on}'] },
        { includeWhen: ['${schema.spec.on}'] },
      ),
    },
  },
  'lint-unused-variable': {
    found: {
      'in exists': rgd({
        spec: { ...hosts, ...on },
        resources: [map({ a: '${string(schema.spec.hosts.exists(h, schema.spec.on))}' })],
      }),
      'in map': rgd({ spec: hosts, resources: [map({ a: '${schema.spec.hosts.map(h, "x").join(",")}' })] }),
      'in bind': rgd({ spec: hosts, resources: [map({ a: '${cel.bind(h, schema.spec.hosts, "x")}' })] }),
    },
    near: {
      read: rgd({ spec: hosts, resources: [map({ a: '${schema.spec.hosts.map(h, h + "x").join(",")}' })] }),
      'one of two': rgd({
        spec: hosts,
        resources: [map({ a: '${schema.spec.hosts.transformList(i, h, h).join(",")}' })],
      }),
      'named so on purpose': rgd({
        spec: hosts,
        resources: [map({ a: '${schema.spec.hosts.map(_h, "x").join(",")}' })],
      }),
      'in the filter only': rgd({
        spec: hosts,
        resources: [map({ a: '${schema.spec.hosts.map(h, h != "", "x").join(",")}' })],
      }),
      'of a macro itself': rgd({ spec: hosts, resources: [map({ a: '${schema.spec.hosts.sortBy(h, h).join(",")}' })] }),
    },
  },
  'lint-default-expression': {
    found: {
      'an expression': rgd({
        spec: { a: 'string | default=${schema.spec.b}', b: 'string' },
        resources: [map({ a: '${schema.spec.a + schema.spec.b}' })],
      }),
      'an expression in quotes': rgd({
        spec: { a: 'string | default="${schema.metadata.name}-x"' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
    },
    near: {
      'a dollar': rgd({ spec: { a: 'string | default="$5 {a}"' }, resources: [map({ a: '${schema.spec.a}' })] }),
      'another marker': rgd({
        spec: { a: 'string | description="as in ${x}" default="a"' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
    },
  },
  'lint-typographic-quotes': {
    found: {
      'a default': rgd({ spec: { a: 'string | default=“nginx”' }, resources: [map({ a: '${schema.spec.a}' })] }),
      'a marker of a type': rgd({
        spec: { a: 'A' },
        types: { A: { b: 'string | required=true description=‘x’' } },
        resources: [map({ a: '${schema.spec.a.b}' })],
      }),
      'a text': rgd({ spec: { a: 'string' }, resources: [map({ a: '“x”', b: '${schema.spec.a}' })] }),
      'a text around an expression': rgd({ spec: { a: 'string' }, resources: [map({ a: '„${schema.spec.a}“' })] }),
    },
    near: {
      'quotes in a sentence': rgd({
        spec: { a: 'string | description="a “name” of it"' },
        resources: [map({ a: 'the “name” ${schema.spec.a}' })],
      }),
      'an apostrophe': rgd({ spec: { a: 'string' }, resources: [map({ a: '’tis', b: '${schema.spec.a}’' })] }),
    },
  },
  'lint-plain-reference': {
    found: {
      braces: rgd({ spec: { a: 'string' }, resources: [map({ a: 'x-{schema.spec.a}', b: '${schema.spec.a}' })] }),
      'braces of a template': rgd({
        spec: { a: 'string' },
        resources: [map({ a: '{{ schema.spec.a }}', b: '${schema.spec.a}' })],
      }),
      parentheses: rgd({
        spec: { a: 'string' },
        resources: [map({ a: '$(schema.metadata.name)', b: '${schema.spec.a}' })],
      }),
      'no braces': rgd({ spec: { a: 'string' }, resources: [map({ a: '$schema.spec.a/x', b: '${schema.spec.a}' })] }),
      'the whole text': rgd({ spec: { a: 'string' }, resources: [map({ a: 'schema.spec.a', b: '${schema.spec.a}' })] }),
      'a value of Helm': rgd({ spec: { a: 'string' }, resources: [map({ a: 'x-{{ .Values.a | quote }}' })] }),
      'a release of Helm': rgd({ spec: {}, resources: [map({ a: '{{- .Release.Name }}' })] }),
    },
    near: {
      'an expression': rgd({ spec: { a: 'string' }, resources: [map({ a: 'x-${schema.spec.a}' })] }),
      'a name of something else': rgd({
        spec: { a: 'string' },
        resources: [map({ a: '{other.spec.a} $(POD_NAME)', b: '${schema.spec.a}' })],
      }),
    },
  },
  'lint-required-default': {
    found: {
      'a field': rgd({
        spec: { a: 'string | required=true default="x"' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
      'a field of a type': rgd({
        spec: { server: 'Server' },
        types: { Server: { port: 'integer | default=80 required=true' } },
        resources: [map({ a: '${string(schema.spec.server.port)}' })],
      }),
    },
    near: {
      'required=false': rgd({
        spec: { a: 'string | required=false default="x"' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
      'only required': rgd({ spec: { a: 'string | required=true' }, resources: [map({ a: '${schema.spec.a}' })] }),
      'in a text': rgd({
        spec: { a: 'string | default="required=true"' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
    },
  },
  'lint-contradictory-bounds': {
    found: {
      'an integer': rgd({
        spec: { a: 'integer | minimum=5 maximum=2' },
        resources: [map({ a: '${string(schema.spec.?a.orValue(1))}' })],
      }),
      'a length': rgd({
        spec: { a: 'string | required=true maxLength=2 minLength=10' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
      'items, in a type': rgd({
        spec: { server: 'Server | required=true' },
        types: { Server: { hosts: '[]string | required=true minItems=3 maxItems=2' } },
        resources: [map({ a: '${schema.spec.server.hosts.join(",")}' })],
      }),
    },
    near: {
      'equal bounds': rgd({
        spec: { a: 'string | required=true minLength=2 maxLength=2' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
      'one bound': rgd({
        spec: { a: 'string | required=true minLength=2' },
        resources: [map({ a: '${schema.spec.a}' })],
      }),
    },
  },
  'lint-optional-read-unguarded': {
    severity: 'info',
    found: {
      'a field': rgd({ spec: { a: 'string' }, resources: [map({ a: '${schema.spec.a}' })] }),
      'a field that is read twice': rgd({
        spec: { a: 'string' },
        resources: [map({ a: '${schema.spec.a}', b: 'x${schema.spec.a}' })],
      }),
      'a field in an optional field': rgd({
        spec: { a: { b: 'string' } },
        resources: [map({ a: '${schema.spec.a.b}' })],
      }),
      'a field of an item': rgd({
        spec: { a: '[]Item | required=true' },
        types: { Item: { b: 'string' } },
        resources: [map({ a: '${schema.spec.a.map(i, i.b).join(",")}' })],
      }),
      'a condition': rgd({ spec: on, resources: [map({}, { includeWhen: ['${schema.spec.on}'] })] }),
      'an iterator': rgd({
        spec: hosts,
        resources: [map({}, { forEach: [{ host: '${schema.spec.hosts}' }] }, 'a', '${host}')],
      }),
    },
    near: {
      'a required field': rgd({ spec: { a: 'string | required=true' }, resources: [map({ a: '${schema.spec.a}' })] }),
      'a default': rgd({ spec: { a: 'string | default="x"' }, resources: [map({ a: '${schema.spec.a}' })] }),
      'a default above': rgd({
        spec: { a: { b: 'string | default="x"' } },
        resources: [map({ a: '${schema.spec.a.b}' })],
      }),
      'a question mark': rgd({
        spec: { a: 'string' },
        resources: [map({ a: '${schema.spec.?a.orValue("x")}' })],
      }),
      'a test': rgd({
        spec: { a: 'string' },
        resources: [map({ a: '${has(schema.spec.a) ? schema.spec.a : "x"}' })],
      }),
      'a condition of the node': rgd({
        spec: { a: 'string' },
        resources: [map({ a: '${schema.spec.a}' }, { includeWhen: ['${has(schema.spec.a)}'] })],
      }),
    },
  },
  'lint-deprecated-api': {
    found: {
      'a kind that is deprecated without a removal': rgd({
        resources: [endpoints('v1', 'Endpoints', { subsets: [] })],
      }),
      'a version with a planned removal': rgd({
        resources: [endpoints('resource.k8s.io/v1beta1', 'DeviceClass', { spec: {} })],
      }),
    },
    near: {
      'its replacement': rgd({
        resources: [endpoints('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [] })],
      }),
      'a version whose deprecation is planned': rgd({
        resources: [endpoints('scheduling.k8s.io/v1beta1', 'Workload', {})],
      }),
    },
  },
  'lint-unread-input': {
    found: {
      'an input': set([{ a: 1, b: 2 }], '<< inputs.a >>'),
      'a key of an input': set([{ a: { b: 1, c: 2 } }], '<< inputs.a.b >>'),
      'an input of several sets': set(
        [
          { a: 1, b: 2 },
          { a: 1, b: 3 },
        ],
        '<< inputs.a >>',
      ),
      'one that is only put into a variable': set([{ a: 1 }], '<< $x := inputs.a >>x'),
      'one that is permuted': set([{ a: 1, b: 2 }], '<< inputs.set.a >>', 'Permute'),
    },
    near: {
      'read by a key': set([{ 'a-b': 1 }], '<< get inputs "a-b" >>'),
      'read by way of a variable': set([{ a: { b: 1 } }], '<< $x := inputs.a >><< $x.b >>'),
      'read in a condition': set([{ a: true }], '<< if inputs.a >>x<< end >>'),
      'read as an item': set([{ a: [{ b: 1, c: 2 }] }], '<< range inputs.a >><< .b >><< end >>'),
      'read with all others': set([{ a: 1, b: 2 }], '<< inputs | toJson | quote >>'),
      'read by a key that is computed': set([{ a: 1, b: 2 }], '<< range list "a" "b" >><< index inputs . >><< end >>'),
    },
  },
};
