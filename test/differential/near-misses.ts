import type { Disagreement, Outcome } from './compare.ts';
import { traces } from './first-commit.ts';
import { configMap, graphWith, packageWith, withCrd, withEarlier, withNested } from './on-purpose.ts';
import type { GeneratedPackage } from './packages.ts';

/** A disagreement that looks like that of a deliberate difference, and is another one: what differs from its sample. */
export interface NearMiss {
  found?: Partial<Disagreement>;
  input?: GeneratedPackage;
}

const plain = packageWith(configMap('a', 'name: x'));
const port = '{id: a, template: {apiVersion: example.com/v1, kind: Port, metadata: {name: x}, spec: {port: 80}}}';

/** A near miss of each deliberate difference from kro 0.9, by its reason. */
export const nearMisses: Readonly<Record<string, NearMiss>> = {
  'Two objects of one identity would overwrite each other for ever; kro compares those of one instance only.': {
    found: { stages: ['expand', ''], code: 'evaluation' },
  },
  'The API server would refuse such a name, namespace or label.': { found: { code: 'computed-reserved-key' } },
  'A computed key with a reserved prefix would pass for one of kro.': { found: { stages: ['expand', 'refused'] } },
  'The author wrote no such default; the instances that set the struct are fine.': {
    // The author wrote the default.
    input: packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | default=5 maximum=3'"),
  },
  'No instance can set such a field; one that leaves it out gets through an API server.': {
    found: { ours: 'crd-refused: the plural is no name' },
  },
  'Nobody reads the status: nothing that is rendered depends on it.': {
    // A template has the same expression.
    input: packageWith(configMap('a', 'name: x, labels: {b: c}'), 'name: string'),
  },
  'What one field of a status is wrong about says nothing of the others.': {
    // No field fails.
    input: withNested("{ready: '${a.metadata.name}'}", '${has(inner.status.ready) ? "x" : "y"}'),
  },
  'An estimate that is a little too high would refuse what the API server takes.': {
    found: { theirs: 'the rule does not compile' },
  },
  'A boolean that Go reads as true is true; kro pastes its text into the CRD.': {
    found: { theirs: 'openAPIV3Schema.properties[on].default: Invalid value: "string": must be of type boolean' },
  },
  'A backslash in a default is a backslash; kro reads the text as the inside of a JSON string.': {
    // Another backslash differs.
    input: packageWith(
      configMap('a', 'name: x', ', data: {a: "${schema.spec.text}"}'),
      `name: string, text: 'string | default="C:\\\\other"'`,
    ),
  },
  'A number is what Go reads; kro pastes its text into the CRD, which no API server can read.': {
    input: packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | default=7'"),
  },
  'Nobody knows what a cluster adds to an object, and it would be written into another one.': {
    found: { ours: "pending-value b v: 'a.data.k': no such key: k (waits for data.k of ConfigMap x)" },
  },
  'To CEL values of two kinds are not equal; those that were read from an object fail instead.': {
    found: { theirs: 'eval "schema.spec.name == schema.metadata.name": no such overload' },
  },
  'CEL has keys of four types; kro takes whatever Go can hash.': { found: { ours: 'evaluation: division by zero' } },
  'Lists compare, in a set as elsewhere; an API server fails on the instance.': {
    found: { stages: ['refused', 'refused'] },
  },
  'A set equals itself, also if a whole number is in it; an API server finds no whole number in such a set.': {
    // The items are no numbers.
    input: packageWith(
      configMap('a', 'name: x'),
      `name: string, sizes: '[]string | default=["a"] listType=set validation="self == self"'`,
    ),
  },
  'What is rendered has to be fit for a new cluster too.': {
    // The instance was never applied.
    input: packageWith(configMap('a', 'name: x'), "name: string, size: 'integer | maximum=3'", 'name: Web, size: 5'),
  },
  'A null is a value like any other.': { found: { theirs: 'no such key: team' } },
  'Nobody knows here what the instance was before.': {
    // The rule does not compare with an earlier value.
    input: withEarlier(packageWith(configMap('a', 'name: x'), 'name: \'string | validation="self != self"\'')),
  },
  'A field is called what its author calls it; kro prints the name that it has in CEL.': {
    // The value of the field is another one.
    found: { ours: '{"apiVersion":"v1","data":{"v":"{a-b: d}"},"kind":"ConfigMap"}' },
  },
  'kro 0.10 rejects what kro 0.9 keeps as text.': { found: { stages: ['refused', 'refused'] } },
  'What selects every object by accident is a mistake.': {
    found: { ours: "external-selector a: 'a b' is not a valid label key" },
  },
  'Its author gave the label no value, and an API server makes an empty text of it.': {
    found: { group: 'objects differ' },
  },
  'A label without a value is absent for the nodes that read it too. kro reads the null that it has written.': {
    found: { ours: 'pending-value c: no such key: data' },
  },
  'Bytes that kro cannot write are written here, and refused at once with --strict.': {
    found: { stages: ['refused', ''] },
    input: packageWith(configMap('a', 'name: x')),
  },
  'Rendering holds no object against the schema of its kind; validate does.': {
    // The field fits.
    input: withCrd(packageWith(port), 'port: {x-kubernetes-int-or-string: true}'),
  },
};

const refused: Disagreement = { stages: ['', 'refused'], group: '', ours: 'ok', theirs: '' };
const pending: Disagreement = { stages: ['pending', ''], code: 'pending-value', group: '', ours: '', theirs: 'ok' };
const expand: Disagreement = { stages: ['', 'expand'], group: '', ours: 'ok', theirs: 'no such overload' };

const failing = (error: string): Outcome => ({ subject: 'App/one', stage: 'expand', error });

/** An example and a near miss of each deliberate difference from kro 0.10, by what documents it. */
export const nextExamples: Readonly<Record<string, { found: Disagreement; input?: GeneratedPackage; not: NearMiss }>> =
  {
    'selectors as expressions': {
      found: { ...refused, theirs: 'spec.resources[0].externalRef.metadata.selector in body must be of type object' },
      not: { found: { theirs: 'spec.resources[0].externalRef.metadata.name in body must be of type string' } },
    },
    'a whole number in a `float` field is an int': {
      found: expand,
      not: { input: packageWith(configMap('a', 'name: x'), 'size: integer', 'size: 2') },
    },
    'escaped field names such as `schema.spec.__in__` are pending': {
      found: { ...refused, stages: ['', 'pending'], theirs: 'no such key: __in__' },
      not: { found: { theirs: 'no such key: name' } },
    },
    'keeps the text of an unclosed `${`': {
      found: { ...refused, stages: ['refused', ''], code: 'unclosed-expression' },
      not: { found: { code: 'expression-syntax' } },
    },
    'control characters in a Graph': {
      found: { ...refused, theirs: 'error converting YAML to JSON: yaml: control characters are not allowed' },
      not: { found: { theirs: 'unknown field "spec.nodes[0].other"' } },
    },
    '`each` in `readyWhen` of a collection with a computed kind': {
      found: { ...refused, theirs: "readyWhen[0]: undeclared reference to 'each'" },
      not: { found: { theirs: "forEach[0]: undeclared reference to 'each'" } },
    },
    'a node without a value in a nested graph is read as the one of its id around it': {
      found: pending,
      // Every id is there once.
      not: { input: graphWith("{id: odd, def: {a: '1'}}", "{id: box, graph: {nodes: [{id: other, def: {a: '2'}}]}}") },
    },
    'a blank `name` of an `externalRef` is an error': {
      found: {
        ...refused,
        stages: ['refused', 'pending'],
        code: 'external-ref-shape',
        theirs: 'external reference "default/ " not found',
      },
      not: { found: { theirs: 'external reference "default/x" not found' } },
    },
    'the status of an instance that a Graph renders is pending': {
      found: {
        ...pending,
        ours: "pending-value out: 'app.status.name': no such key: status (waits for status.name of App two)",
      },
      // Nothing renders the instance but an RGD.
      not: { input: plain },
    },
    [traces.forEachFails.documented]: {
      found: {
        ...pending,
        stages: ['pending', 'expand'],
        outcomes: [
          failing('apply "a": resolve: node "a": forEach "one": eval: eval "s.status.x": no such key: status'),
        ],
      },
      not: { found: { outcomes: [failing('node "a": forEach "one": eval: eval "1 / 0": division by zero')] } },
    },
    [traces.optionalConditionFails.documented]: {
      found: {
        ...expand,
        outcomes: [failing('apply "a": node "a": includeWhen "schema.spec.?shown" returned <nil>, want bool')],
      },
      not: { found: { outcomes: [failing('apply "a": node "a": includeWhen "x" returned string, want bool')] } },
    },
    [traces.statusElementBlocks.documented]: {
      found: {
        ...pending,
        stages: ['', 'pending'],
        code: '',
        outcomes: [{ subject: 'App/one', stage: 'pending', waits: ['a', 'instance'] }],
      },
      // A node waits, and not the status.
      not: { found: { outcomes: [{ subject: 'App/one', stage: 'pending', waits: ['a'] }] } },
    },
    [traces.statusWritesEmptyMaps.documented]: {
      found: { ...pending, outcomes: [{ subject: 'Inner/i', status: { box: {}, word: 'x' } }] },
      not: { found: { outcomes: [{ subject: 'Inner/i', status: { box: { a: '' }, word: 'x' } }] } },
    },
    [traces.statusNeedsFields.documented]: {
      found: {
        ...refused,
        stages: ['', 'expand'],
        outcomes: [
          failing(
            'rgdadapter: compile: build node "instance": parse patch payload: error getting field schema for path status.empty: schema not found',
          ),
        ],
      },
      not: {
        found: { outcomes: [failing('build node "a": error getting field schema for path spec.empty: not found')] },
      },
    },
    [traces.statusNeedsOneType.documented]: {
      found: {
        ...refused,
        stages: ['', 'expand'],
        outcomes: [
          failing(
            'rgdadapter: compile: compile node "instance": type mismatch in node "instance" at path "status.l[1]": expression',
          ),
        ],
      },
      // No list.
      not: {
        found: {
          outcomes: [
            failing('compile node "instance": type mismatch in node "instance" at path "status.word": expression'),
          ],
        },
      },
    },
    'A status field that reads a collection that is omitted reads an empty list in the commit': {
      found: pending,
      not: { input: packageWith(configMap('a', 'name: x')) },
    },
    'A field `state` in the status of the author is written by the commit': {
      found: pending,
      not: { input: packageWith(configMap('a', 'name: x'), "name: string}, status: {word: '${a.metadata.name}'") },
    },
  };

/** An example and a near miss of what a published version lacks, by version and row. */
export const lackExamples: Readonly<
  Record<string, Readonly<Record<string, { found: Disagreement; not: Partial<Disagreement> }>>>
> = {
  'v0.9.3': {
    'it has no function deepMerge': {
      found: { ...refused, theirs: "ERROR: <input>:1:12: undeclared reference to 'deepMerge' (in container '')" },
      not: { theirs: "ERROR: <input>:1:12: undeclared reference to 'merge' (in container '')" },
    },
    'it has no short names and categories': {
      found: { ...refused, theirs: 'unknown fields: [spec.schema.categories spec.schema.shortNames]' },
      not: { theirs: 'unknown fields: [spec.schema.categories spec.schema.other]' },
    },
    'a selector is a literal': {
      found: {
        ...refused,
        theirs: 'spec.resources[0].externalRef.metadata.selector.matchLabels in body must be of type object',
      },
      not: { theirs: 'spec.resources[0].externalRef.metadata.name in body must be of type string' },
    },
    'it checks a selector when it reads it': {
      found: { ...refused, stages: ['refused', 'expand'], code: 'selector-shape' },
      not: { stages: ['refused', ''] },
    },
    'it writes bytes and large unsigned integers, or crashes': {
      found: {
        ...expand,
        stages: ['expand', ''],
        ours: 'unsupported type: uint value 18446744073709551614 overflows int64',
      },
      not: { ours: 'unsupported type: a type' },
    },
    'annotations with the prefix internal.kro.run/ are not reserved': {
      found: {
        ...refused,
        stages: ['refused', ''],
        code: 'reserved-key',
        ours: "the prefix 'internal.kro.run/' is reserved",
      },
      not: { ours: "the prefix 'kro.run/' is reserved" },
    },
  },
};
