/** A mistake of a new user, and the diagnostics that the command prints. */
export interface Mistake {
  /** The files of the folder, in which the command runs. */
  files: Readonly<Record<string, string>>;
  /** Default: `validate .` */
  args?: readonly string[];
  stdin?: string;
  code: number;
  /** Parts of the output of both streams; one with `^` is its start. */
  output: readonly string[];
  /** What it must not contain. */
  without?: readonly string[];
}

interface Parts {
  spec?: string;
  status?: string;
  resources?: string;
  kind?: string;
}

/** An RGD of the kind Website; lines of `resources` are indented as its items. */
export const website = ({ spec = 'image: string', status, resources = configMap(), kind = 'Website' }: Parts = {}) =>
  `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: website }
spec:
  schema:
    apiVersion: v1alpha1
    kind: ${kind}
    spec:
      ${spec}
${status === undefined ? '' : `    status:\n      ${status}\n`}  resources:
${resources}`;

/** A node with a ConfigMap. */
export const configMap = (data = 'image: ${schema.spec.image}', id = 'config', more = '') =>
  `    - id: ${id}
${more}      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}-${id.toLowerCase()}
        data:
          ${data}
`;

export const blog = (spec = 'image: nginx', name = 'blog') => `apiVersion: kro.run/v1alpha1
kind: Website
metadata:
  name: ${name}
spec:
  ${spec}
`;

const conditional = configMap('a: b', 'config', '      includeWhen: ["${schema.spec.enabled}"]\n');
const on = 'image: string\n      enabled: boolean | default=false';

const expression = (text: string, spec = 'image: string'): string =>
  website({ spec, resources: configMap(`image: \${${text}}`) });

const condition = (type: string): string =>
  website({
    spec: `on: ${type}`.replace('on:', '"on":'),
    resources: configMap('a: b', 'config', '      includeWhen: ["${schema.spec.on}"]\n'),
  });

/** A collection over `hosts`. */
const each = (type: string, data: string): string =>
  website({
    spec: `hosts: ${type}`,
    resources: configMap(data, 'config', '      forEach: [{ host: "${schema.spec.hosts}" }]\n').replace(
      '-config',
      '-${host}',
    ),
  });

export const mistakes: Readonly<Record<string, Mistake>> = {
  'a missing --- between an RGD and its instance': {
    files: { 'a.yaml': website() + blog() },
    code: 1,
    output: [
      "error[missing-separator]: 'apiVersion', 'kind', 'metadata', 'spec' appear twice: is a '---' missing before line 19?\n  --> a.yaml:19:1",
      '1 object in 1 file: 1 error',
    ],
  },
  'a missing --- between two instances, kind first': {
    files: {
      'a.yaml': `${website()}---\n${blog()}kind: Website\napiVersion: kro.run/v1alpha1\nmetadata: { name: b }\n`,
    },
    code: 1,
    output: ["is a '---' missing before line 26?"],
    without: ['duplicate-key'],
  },
  'a missing - between two resources': {
    files: { 'a.yaml': `${website({ resources: configMap() + configMap('a: b', 'other').replace('- id', '  id') })}` },
    code: 1,
    output: ['error[missing-separator]', '  --> a.yaml:19:7', "is a '-' missing before line 19?"],
  },
  'a missing --- in the input of render': {
    files: { 'a.yaml': website() + blog() },
    args: ['render', '.'],
    code: 1,
    output: ["is a '---' missing before line 19?"],
  },
  'a key twice': {
    files: { 'a.yaml': `${website()}---\n${blog('image: a\n  image: b')}` },
    code: 0,
    output: ['warning[duplicate-key]', '  --> a.yaml:26:3', "duplicate key 'image'; the last one wins"],
  },
  'ResourceGroup, the former kind of RGDs': {
    files: { 'a.yaml': `${website().replace('ResourceGraphDefinition', 'ResourceGroup')}---\n${blog()}` },
    code: 1,
    output: [
      'error[rgd-not-known]',
      '  --> a.yaml:2:7',
      'kro 0.2 renamed ResourceGroup to ResourceGraphDefinition; nothing is rendered from it',
      'hint: write kind: ResourceGraphDefinition',
    ],
  },
  'a kind ResourceGroup that an RGD defines': {
    files: {
      'a.yaml': `${website({ kind: 'ResourceGroup', spec: 'image: string\n      schema: string' })}---\n${blog('image: a\n  schema: b').replace('Website', 'ResourceGroup')}`,
    },
    code: 0,
    output: ['nothing reads schema.spec.schema'],
    without: ['rgd-not-known'],
  },
  'a node without a condition that reads a skipped one': {
    files: {
      'a.yaml': `${website({ spec: on, resources: conditional + configMap('image: ${schema.spec.image}\n          a: ${config.metadata.name}', 'app') })}---\n${blog()}`,
    },
    code: 0,
    output: [
      'warning[lint-contagious-skip]',
      '  --> a.yaml:29:16',
      "'app' is omitted whenever 'config' is omitted, although it has no includeWhen",
      "warning[nothing-rendered] Website/blog: renders nothing: 'config' is omitted, and 'app' reads it, so that it is omitted too",
    ],
  },
  'the same, rendered': {
    files: {
      'a.yaml': `${website({ spec: on, resources: conditional + configMap('image: ${schema.spec.image}\n          a: ${config.metadata.name}', 'app') })}---\n${blog()}`,
    },
    args: ['render', '.'],
    code: 1,
    output: ['warning[nothing-rendered]', 'error[empty-output]: nothing is rendered'],
    without: ['add an instance and its RGD'],
  },
  'an expression that never closes': {
    files: { 'a.yaml': `${website({ resources: configMap('image: "${schema.spec.image"') })}---\n${blog()}` },
    code: 0,
    output: ["unclosed '${' is kept as text; kro 0.10 rejects it", '1 warning'],
    without: ['lint-unread-field'],
  },
  'an expression that never closes, after another warning': {
    files: {
      'a.yaml': website({
        spec: 'image: string\n      unread: string',
        resources: configMap('image: "${schema.spec.image"'),
      }),
    },
    code: 0,
    output: ['warning[unclosed-expression]', '  --> a.yaml:19:19', 'warning[lint-unread-field]'],
  },
  'an expression that never closes, with --strict': {
    files: { 'a.yaml': `${website({ resources: configMap('image: "${schema.spec.image"') })}---\n${blog()}` },
    args: ['validate', '.', '--strict'],
    code: 1,
    output: ['error[unclosed-expression]'],
  },
  'a template of Helm in quotes': {
    files: { 'a.yaml': `${website({ resources: configMap('image: "{{ .Values.image }}"') })}---\n${blog()}` },
    code: 0,
    output: [
      "'{{ .Values.image }}' stays as text: Helm does not run here",
      'hint: an expression of an RGD is ${schema.spec.image}, and reads schema or another node',
      '1 warning',
    ],
    without: ['lint-unread-field'],
  },
  'a merge conflict': {
    files: {
      'a.yaml': website().replace(
        '    kind: Website\n',
        '<<<<<<< HEAD\n    kind: Website\n=======\n    kind: Site\n>>>>>>> theirs\n',
      ),
    },
    code: 1,
    output: ['error[yaml-syntax]', '  --> a.yaml:7:1', 'a merge conflict', 'hint: keep one of the two versions'],
  },
  'two equal instances': {
    files: { 'a.yaml': website(), 'b.yaml': blog(), 'c.yaml': blog() },
    code: 1,
    output: [
      '^error[identity-collision] Website/blog: is a duplicate: the package contains the instance already (b.yaml:4:9)\n  --> c.yaml:4:9 metadata.name\n',
      '3 objects in 3 files: 1 error',
    ],
  },
  'output in the folder of the input': {
    files: {
      'a.yaml': website(),
      'b.yaml': blog(),
      'out.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: blog-config
  labels: { app.kubernetes.io/managed-by: render-rgd, kro.run/instance-id: x }
`,
    },
    args: ['render', '.'],
    code: 1,
    output: [
      '^error[identity-collision]: out.yaml contains output of render-rgd',
      'hint: remove the file, leave it out with --exclude',
    ],
  },
  'an unknown field with a scalar': {
    files: {
      'a.yaml': `${website({ spec: 'replicas: integer', resources: configMap('a: ${string(schema.spec.replicas)}') })}---\n${blog('replica: 2')}`,
    },
    code: 1,
    output: ['error[instance-unknown-field] Website/blog', '  --> a.yaml:25:3 spec.replica\n'],
  },
  'a name of a folder in place of a command': {
    files: { 'base/a.yaml': website() },
    args: ['base'],
    code: 2,
    output: ['unknown command base; did you mean render-rgd render base?'],
  },
  '-f, as in kubectl': {
    files: { 'a.yaml': website(), 'b.yaml': blog() },
    args: ['validate', '-f', 'a.yaml', '--filename=b.yaml'],
    code: 0,
    output: ['2 objects in 2 files: nothing wrong'],
  },
  'an empty standard input without a command': {
    files: {},
    args: [],
    stdin: '',
    code: 1,
    output: ['error[resource-list]', 'Usage:'],
  },
  '--quiet beside a warning': {
    files: { 'a.yaml': website({ spec: 'image: string\n      unread: string' }) },
    args: ['validate', '.', '-q'],
    code: 0,
    output: ['^1 object in 1 file: 1 warning\n'],
  },
  '--disable with a code that is no lint': {
    files: { 'a.yaml': website() },
    args: ['validate', '.', '--disable', 'unknown-kind'],
    code: 2,
    output: ['a rule in render-rgd.yaml turns off other warnings'],
  },
  'golden tests that do not exist': {
    files: { 'a.yaml': website() },
    args: ['test', '.'],
    code: 1,
    output: [
      'error[nothing-to-read]',
      '. has no tests: a test is a folder with a test.yaml, which may be empty, and its input; --update writes',
    ],
  },
  'doctor, as JSON': {
    files: { 'a.yaml': website() },
    args: ['doctor', '.', '-o', 'json'],
    code: 1,
    output: ['^[\n  {\n    "severity": "error",\n    "code": "not-rendered"'],
  },
  'a default after a pipe, as in Helm': {
    files: { 'a.yaml': expression('schema.spec.image | default "x"') },
    code: 1,
    output: ['error[expression-syntax]', '  --> a.yaml:18:38', 'hint: write schema.spec.?image.orValue("x")\n'],
  },
  'another function after a pipe': {
    files: { 'a.yaml': expression('schema.spec.image | upper') },
    code: 1,
    output: ['functions are called: upperAscii(...)'],
  },
  'a function of templates that quotes': {
    files: { 'a.yaml': expression('schema.spec.image | quote') },
    code: 1,
    output: ['hint: leave it out'],
  },
  'a name that begins with a dot': {
    files: { 'a.yaml': expression('.spec.image') },
    code: 1,
    output: ["unknown name '.spec'", 'hint: write schema.spec.image\n', '1 object in 1 file: 1 error'],
  },
  'a value of Helm in an expression': {
    files: { 'a.yaml': expression('.Values.image + "x"') },
    code: 1,
    output: ['hint: write schema.spec.image\n', '1 object in 1 file: 1 error'],
  },
  'two pairs of braces': {
    files: { 'a.yaml': expression('{ schema.spec.image }') },
    code: 1,
    output: ['hint: write one pair of braces: ${...}'],
  },
  'typographic quotes around a default': {
    files: { 'a.yaml': website({ spec: 'image: string | default=“nginx”' }) },
    code: 0,
    output: ['warning[lint-typographic-quotes]', '  --> a.yaml:9:31', 'hint: write " in their place'],
  },
  'a condition by another word': {
    files: { 'a.yaml': website({ resources: configMap('a: b', 'config', '      conditional: ${true}\n') }) },
    code: 1,
    output: ["hint: use 'includeWhen'"],
  },
  'a comparison outside of the braces': {
    files: {
      'a.yaml': website({
        resources: configMap('a: b', 'config', '      includeWhen: ["${schema.spec.image} == \'x\'"]\n'),
      }),
    },
    code: 1,
    output: ['error[not-standalone]', "hint: write ${schema.spec.image == 'x'}\n"],
  },
  'a template that is a text': {
    files: { 'a.yaml': website().replace('template:', 'template: |') },
    code: 1,
    output: ['must be a map, got a string of several lines\n', 'hint: leave out the | or > that makes it a string'],
    without: ['got the string'],
  },
  'a template without a name': {
    files: { 'a.yaml': `${website().replace('name: ${schema.metadata.name}-config', 'labels: {}')}---\n${blog()}` },
    code: 1,
    output: ['the object has no metadata.name', 'hint: add it to the template: name: ${schema.metadata.name}\n'],
  },
  'an instance without a name': {
    files: { 'a.yaml': `${website()}---\n${blog().replace('name: blog', 'labels: {}')}` },
    code: 1,
    output: ['error[instance-metadata]', 'name is required', 'hint: add metadata.name\n'],
  },
  'a default that is not in the enum': {
    files: { 'a.yaml': website({ spec: 'image: string | enum="a,b" default=c' }) },
    code: 1,
    output: ['supported values: "a", "b"', 'hint: give a default that the other markers of the field accept'],
  },
  'a minimum above the maximum': {
    files: {
      'a.yaml': website({
        spec: 'size: integer | required=true minimum=5 maximum=2',
        resources: configMap('a: ${string(schema.spec.size)}'),
      }),
    },
    code: 0,
    output: ['warning[lint-contradictory-bounds]', '  --> a.yaml:9:45', 'minimum=5 is above maximum=2'],
  },
  'the whole spec in a text': {
    files: { 'a.yaml': expression('schema.spec') },
    code: 1,
    output: ['expected string, got object', 'hint: read one of its fields: schema.spec.image\n'],
  },
  'a list in a text': {
    files: { 'a.yaml': expression('schema.spec.hosts', 'hosts: "[]string"') },
    code: 1,
    output: ['hint: write json.marshal(schema.spec.hosts)\n'],
  },
  'the status of the instance': {
    files: { 'a.yaml': expression('schema.status.x') },
    code: 1,
    output: ["undefined field 'status'", 'hint: an instance has no status here: read the node that'],
  },
  'a template of Jinja': {
    files: {
      'a.yaml': website(),
      'j.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {% if a %}x{% endif %}\n',
    },
    code: 0,
    output: [
      'warning[template-file]',
      '1 file is a Helm template or similar templates',
      'j.yaml: a template of another tool',
    ],
  },
  'an item by another name': {
    files: { 'a.yaml': each('"[]string"', 'a: ${item}') },
    code: 1,
    output: ["'item' is neither 'schema' nor a node of this graph", 'hint: the items of forEach are called host here'],
  },
  'each in a template': {
    files: { 'a.yaml': each('"[]string"', 'a: ${each}') },
    code: 1,
    output: ['error[name-not-here]', 'hint: the items of forEach are called host here'],
  },
  'forEach over a string': {
    files: { 'a.yaml': each('string', 'a: b') },
    code: 1,
    output: ['hint: declare the field as a list, "[]string", or split it: schema.spec.hosts.split(",")'],
  },
  'forEach over a number': {
    files: { 'a.yaml': each('integer', 'a: b') },
    code: 1,
    output: ['hint: iterate over numbers: lists.range(schema.spec.hosts)'],
  },
  'a field of a string': {
    files: { 'a.yaml': each('"[]string"', 'a: ${host.name}') },
    code: 1,
    output: ["type 'string' does not support field selection", 'hint: host has no fields: write host\n'],
  },
  'a field of a list': {
    files: { 'a.yaml': expression('schema.spec.hosts.name', 'hosts: "[]string"') },
    code: 1,
    output: ['pick an item, schema.spec.hosts[0].name, or write schema.spec.hosts.map(item, item.name)'],
  },
  'a map in place of a list': {
    files: {
      'a.yaml': website({
        resources: `    - id: pod
      template:
        apiVersion: v1
        kind: Pod
        metadata: { name: pod }
        spec: { containers: { name: web, image: "\${schema.spec.image}" } }
`,
      }),
    },
    code: 1,
    output: ['expected array, got object', 'hint: write a list, with - before each item'],
  },
  'a string as a condition': {
    files: { 'a.yaml': condition('string') },
    code: 1,
    output: ['hint: compare it, for example schema.spec.on != ""'],
  },
  'a number as a condition': {
    files: { 'a.yaml': condition('integer') },
    code: 1,
    output: ['hint: compare it, for example schema.spec.on > 0'],
  },
  'a list as a condition': {
    files: { 'a.yaml': condition('"[]string"') },
    code: 1,
    output: ['hint: compare its size: size(schema.spec.on) > 0'],
  },
  'a status without braces': {
    files: { 'a.yaml': website({ status: 'name: config.metadata.name' }) },
    code: 1,
    output: ['hint: write ${config.metadata.name}\n'],
  },
  'a status with a type': {
    files: { 'a.yaml': website({ status: 'name: string' }) },
    code: 1,
    output: ['hint: for example ${config.metadata.name}\n'],
  },
  'a required field that is missing': {
    files: { 'a.yaml': `${website({ spec: 'image: string | required=true' })}---\n${blog('{}')}` },
    code: 1,
    output: ['error[instance-required] Website/blog: Required value', 'hint: add image: ...'],
  },
  'null in place of a list': {
    files: { 'a.yaml': `${each('"[]string"', 'a: b')}---\n${blog('hosts: null')}` },
    code: 1,
    output: ['declare a default, hosts: "[]string | default=[]",', '2 objects in 1 file: 1 error'],
    without: ['lint-optional-read-unguarded'],
  },
  'a list without a default': {
    files: { 'a.yaml': each('"[]string"', 'a: b') },
    args: ['validate', '.', '--verbose'],
    code: 0,
    output: [
      'info[lint-optional-read-unguarded]',
      'or add a default, hosts: "[]string | default=[]" (or required=true)',
    ],
  },
  'null to leave a field out': {
    files: {
      'a.yaml': expression('schema.spec.count > 0 ? schema.spec.count : null', 'count: integer').replace(
        /(\$\{.* : null\})/,
        '"$1"',
      ),
    },
    code: 1,
    output: ['hint: null does not leave a field out', '{?"field": CONDITION ? optional.of(VALUE) : optional.none()}'],
  },
  'a cycle': {
    files: {
      'a.yaml': website({
        resources: configMap('a: ${other.metadata.name}') + configMap('a: ${config.metadata.name}', 'other'),
      }),
    },
    code: 1,
    output: [
      'error[dependency-cycle]',
      '  --> a.yaml:18:16',
      'config -> other -> config (a.yaml:26:14)',
      'hint: leave out one of these reads',
    ],
  },
  'YAML errors in two documents': {
    files: { 'a.yaml': `a: [1\n---\n${website()}---\nb: {x\n` },
    code: 1,
    output: ['error[yaml-syntax]', '  --> a.yaml:1:6', 'error[yaml-syntax]', '  --> a.yaml:22:6', '2 errors'],
  },
  'a key with too few spaces': {
    files: { 'a.yaml': website().replace('    kind: Website', '   kind: Website') },
    code: 1,
    output: ["hint: align it with 'apiVersion' above (4 spaces), or with 'schema' above (2 spaces)"],
  },
  'a key with too many spaces': {
    files: { 'a.yaml': website().replace('    kind: Website', '     kind: Website') },
    code: 1,
    output: ["hint: align it with 'apiVersion' above (4 spaces)\n"],
  },
  'a kind that nothing describes': {
    files: { 'a.yaml': website({ resources: configMap().replace('v1', 'db.example.com/v1') }) },
    code: 0,
    output: [
      'add its CustomResourceDefinition to the input',
      'rules: [{code: unknown-kind, severity: off, reason: WHY}]',
    ],
  },
};
