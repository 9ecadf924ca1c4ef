import { describe, expect, it } from 'vitest';
import type { CompletionItem, DocumentSymbol } from 'vscode-languageserver';
import { Language } from './language.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: web
spec:
  schema:
    apiVersion: v1alpha1
    kind: Web
    group: example.com
    spec:
      image: string | default="nginx" description="What runs."
      size: integer | required=true minimum=1 maximum=9
      names: "[]string"
      note: string
      ports: "[]Port"
    types:
      Port:
        number: integer
        kind: string | enum="a,b"
    status:
      first: \${server.metadata.name}
  resources:
    - id: config
      externalRef:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: settings
    - id: many
      forEach:
        - word: \${schema.spec.names}
      readyWhen:
        - \${each.metadata.name != ""}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${word}
    - id: server
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}
          labels:
            names: \${many.map(m, m.metadata.name).join("-")}
        spec:
          replicas: \${schema.spec.ports.map(p, p.number)[0]}
          selector:
            matchLabels: {app: web}
          template:
            metadata:
              labels: {app: web}
            spec:
              containers:
                - name: web
                  image: \${schema.spec.image}
`;
const INSTANCE = `apiVersion: example.com/v1alpha1
kind: Web
metadata: {name: a, namespace: b}
spec:
  size: 2
  names: [x, w]
  ports: [{number: 3}]
`;
const URI = 'file:///app/rgd.yaml';
const INSTANCE_URI = 'file:///app/a.yaml';
/** A workspace in which `¦` is the cursor. */
function at(marked: string): { language: Language; position: { line: number; character: number } } {
  const offset = marked.indexOf('¦');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const before = marked.slice(0, offset).split('\n');
  const language = new Language();
  language.workspace.open(URI, text, 1);
  language.workspace.open(INSTANCE_URI, INSTANCE, 1);
  while (language.checkNext());
  return { language, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
}

/** The expression that the rows replace. */
const IMAGE = '${schema.spec.image}';

function replaced(from: string, to: string): string {
  expect(RGD).toContain(from);
  return RGD.replace(from, () => to);
}

const cel = (text: string, ...more: string[]): string => [`\`\`\`cel\n${text}\n\`\`\``, ...more].join('\n\n');
const yaml = (text: string, ...more: string[]): string => [`\`\`\`yaml\n${text}\n\`\`\``, ...more].join('\n\n');

const GUARD = 'It may be omitted: `?` or `has()` guards it.';
const BOUNDS = ['- at least 1', '- at most 9'];

describe('hover describes', () => {
  it.each<[string, string, string, string | undefined]>([
    [
      'the instance',
      IMAGE,
      '${sch¦ema.spec.image}',
      cel('schema: object', 'The instance, a Web of `example.com/v1alpha1`.'),
    ],
    [
      'an iterator',
      '${word}',
      '${wo¦rd}',
      cel('word: string', 'An iterator of `many`: each item of `${schema.spec.names}`.'),
    ],
    ['an external object', IMAGE, '${con¦fig.data.tag}', cel('config: object', 'Reads ConfigMap (`v1`).')],
    [
      'a collection',
      IMAGE,
      '${ma¦ny[0].metadata.name}',
      cel('many: list(object)', 'Renders a list of ConfigMap (`v1`).'),
    ],
    [
      'a node',
      '${server.metadata.name}',
      '${ser¦ver.metadata.name}',
      cel('server: object', 'Renders Deployment (`apps/v1`).'),
    ],
    ['an object of a collection', '${each.', '${ea¦ch.', cel('each: object', 'One object of the collection.')],
    [
      'a macro',
      IMAGE,
      '${ha¦s(schema.spec.note) ? "a" : "b"}',
      cel('has(object.field) -> bool', 'Reports whether a field is there.'),
    ],
    [
      'a macro of lists',
      IMAGE,
      '${schema.spec.ports.ma¦p(p, p.kind)[0]}',
      cel('list.map(item, value) -> list', 'Makes a list of a value for each item.'),
    ],
    ['the overload of a function', IMAGE, '${string(si¦ze(schema.spec.image))}', cel('size(string) -> int')],
    [
      'the overload of a method',
      IMAGE,
      '${schema.spec.image.sp¦lit(",")[0]}',
      cel('string.split(string) -> list(string)'),
    ],
    ['a field that may be absent', IMAGE, '${schema.spec.no¦te}', cel('note: string', GUARD)],
    ['an optional field', IMAGE, '${schema.spec.?no¦te.orValue("")}', cel('note: string', GUARD)],
    ['a required field', IMAGE, '${string(schema.spec.si¦ze)}', cel('size: int', ...BOUNDS)],
    [
      'a field with a default',
      IMAGE,
      '${schema.spec.ima¦ge}',
      cel('image: string', 'What runs.', 'Default: `"nginx"`'),
    ],
    [
      'a field of an item',
      IMAGE,
      '${schema.spec.ports.map(p, p.ki¦nd)[0]}',
      cel('kind: string', '- one of "a", "b"', GUARD),
    ],
    ['the variable of a macro', IMAGE, '${schema.spec.ports.map(p, ¦p.kind)[0]}', cel('p: object')],
    ['no text', IMAGE, '${"a¦b"}', undefined],
    ['a declaration', '      size:', '      si¦ze:', yaml('size: integer', ...BOUNDS)],
    [
      'a declaration, with what reads it',
      '      names:',
      '      na¦mes:',
      yaml('names: list of string', 'Read by\n- `many` (ConfigMap), its `forEach`'),
    ],
    ['a node, with what reads it', '- id: many', '- id: ma¦ny', undefined],
    ['a marker', 'minimum=1', 'mini¦mum=1', '`minimum`: The smallest allowed number.'],
    [
      'a type of its own',
      '"[]Port"',
      '"[]Po¦rt"',
      yaml('Port: {\n  "number": "integer",\n  "kind": "string | enum=\\"a,b\\""\n}'),
    ],
    [
      'a field of an RGD',
      '    group:',
      '    gro¦up:',
      yaml('group: string', 'The group of the kind.', 'Default: `"kro.run"`'),
    ],
    [
      'the id of a node',
      '- id: server',
      '- i¦d: server',
      yaml('id: string', 'The name by which expressions read this node.', '- matches ^[a-z][a-zA-Z0-9]*$'),
    ],
    ['a field of a template', '          replicas', '          repl¦icas', yaml('replicas: integer')],
    [
      'the kind of an external object',
      'kind: ConfigMap\n        metadata:\n          name: settings',
      'kind: Config¦Map\n        metadata:\n          name: settings',
      yaml('apiVersion: v1\nkind: ConfigMap', 'Namespaced.'),
    ],
  ])('%s', (_, from, to, expected) => {
    const { language, position } = at(replaced(from, to));
    const contents = language.hover(URI, position)?.contents;
    expect(contents).toEqual(expected === undefined ? undefined : { kind: 'markdown', value: expected });
  });

  it('a name at its first and its last character, and nothing beside it', () => {
    const range = { start: { line: 56, character: 39 }, end: { line: 56, character: 44 } };
    const hoverAt = (character: number): unknown => at(`¦${RGD}`).language.hover(URI, { line: 56, character })?.range;
    expect([39, 44].map(hoverAt)).toEqual([range, range]);
    expect(hoverAt(38)).toEqual({ start: { line: 56, character: 34 }, end: { line: 56, character: 38 } });
    expect(hoverAt(46)).toBeUndefined();
  });
});

const SPLIT = ['string.split(string) -> list(string)', 'string.split(string, int) -> list(string)'];
const REPLACE = ['string.replace(string, string) -> string', 'string.replace(string, string, int) -> string'];

describe('signature help', () => {
  it.each<[string, string[] | undefined, number, number]>([
    ['${schema.spec.image.split(¦)}', SPLIT, 0, 0],
    ['${schema.spec.image.split(",", ¦)}', SPLIT, 1, 1],
    ['${schema.spec.image.split(",", 1, ¦)}', SPLIT, 0, 2],
    ['${schema.spec.image.replace("a", ["x", "y"][0], ¦)}', REPLACE, 1, 2],
    ['${schema.spec.image.replace("a", {"x": "y", "z": ¦})}', REPLACE, 0, 1],
    ['${lists.range(¦)}', ['lists.range(int) -> list(int)'], 0, 0],
    ['${schema.spec.names.map(x, ¦)}', ['list.map(item, value) -> list'], 0, 1],
    ['${has(¦)}', ['has(object.field) -> bool'], 0, 0],
    ['${schema.spec.image.split(schema.spec.note.replace(¦))}', REPLACE, 0, 0],
    ['${[1, 2, ¦]}', undefined, 0, 0],
    ['${nothing(¦)}', undefined, 0, 0],
    ['${schema.spec.image¦.split(",")}', undefined, 0, 0],
    ['${schema.spec.image.split¦(",")}', undefined, 0, 0],
    ['${schema.spec.image.split(",")¦}', undefined, 0, 0],
  ])('%s', (to, labels, activeSignature, activeParameter) => {
    const { language, position } = at(replaced(IMAGE, to));
    const help = language.signature(URI, position);
    expect(help?.signatures.map(({ label }) => label)).toEqual(labels);
    if (labels === undefined) return;
    expect({ ...help, signatures: [] }).toEqual({ signatures: [], activeSignature, activeParameter });
    for (const { label, parameters = [] } of help?.signatures ?? [])
      expect(label).toContain(`(${parameters.map((one) => String(one.label)).join(', ')})`);
  });
});

/** Numbers of the Language Server Protocol. */
const KIND = { method: 2, function: 3, field: 5, variable: 6, value: 12, keyword: 14, snippet: 15 } as const;

const shown = ({ label, kind, detail = '' }: CompletionItem): string =>
  `${label} (${Object.entries(KIND).find(([, number]) => number === kind)?.[0]}): ${detail}`;

const textOf = ({ textEdit }: CompletionItem): string => (textEdit as { newText: string }).newText;

describe('completion offers', () => {
  const items = (from: string, to: string, snippets = true): CompletionItem[] => {
    const { language, position } = at(replaced(from, to));
    return language.completions(URI, position, snippets);
  };

  const OF_SPEC = [
    'image (field): string, optional',
    'note (field): string, optional',
    'size (field): int',
    'names (field): list(string), optional',
    'ports (field): list(object), optional',
  ];

  it.each<[string, string, string[]]>([
    [
      'the fields of an object, those of the expected type first, and those that may be absent again as optionals',
      '${schema.spec.¦}',
      [
        ...OF_SPEC,
        'deepMerge (method): dyn.deepMerge(dyn) -> dyn',
        '?names (field): optional(list(string))',
        '?note (field): optional(string)',
        '?ports (field): optional(list(object))',
      ],
    ],
    ['the fields alone behind a question mark', '${schema.spec.?¦}', OF_SPEC],
    [
      'the fields of the instance',
      '${schema.¦}',
      [
        'spec (field): object, optional',
        'metadata (field): object, optional',
        'kind (field): string, optional',
        'apiVersion (field): string, optional',
        'deepMerge (method): dyn.deepMerge(dyn) -> dyn',
      ],
    ],
    [
      'the keys of an object in quotes',
      '${schema.spec["¦"]}',
      [
        'image (field): string',
        'names (field): list(string)',
        'note (field): string',
        'ports (field): list(object)',
        'size (field): int',
      ],
    ],
    [
      'the functions of a namespace',
      '${lists.¦}',
      [
        'insertAtIndex (function): lists.insertAtIndex(list(T), int, T) -> list(T)',
        'range (function): lists.range(int) -> list(int)',
        'removeAtIndex (function): lists.removeAtIndex(list(T), int) -> list(T)',
        'setAtIndex (function): lists.setAtIndex(list(T), int, T) -> list(T)',
      ],
    ],
    ['the macro of a namespace', '${cel.¦}', ['bind (snippet): cel.bind(name, value, expression)']],
    ['nothing in a number', '${1¦}', []],
    ['nothing in a text', '${"a¦"}', []],
    ['nothing in a text of bytes', '${b"a¦"}', []],
  ])('%s', (_, to, expected) => {
    expect(items(IMAGE, to).map(shown)).toEqual(expected);
  });

  it('variables first, then what other nodes read, macros, functions and words', () => {
    const found = items(IMAGE, '${schema.spec.ports.map(port, ¦)}').map(shown);
    expect(found.slice(0, 5)).toEqual([
      'port (variable): object',
      'schema (variable): object',
      'config (variable): object',
      'many (variable): list(object)',
      'has (snippet): has(object.field) -> bool',
    ]);
    expect(found).toContain('true (keyword): ');
    expect(found).toContain('lists (keyword): functions');
    expect(found).not.toContain('server (variable): object');
  });

  it('what begins with the written text first, then what contains it', () => {
    const labels = items(IMAGE, '${schema.spec.image.in¦}').map(({ label }) => label);
    const rankOf = (label: string): number =>
      label.toLowerCase().startsWith('in') ? 0 : label.toLowerCase().includes('in') ? 1 : 2;
    expect(labels.map(rankOf)).toEqual(labels.map(rankOf).sort());
    expect(new Set(labels.map(rankOf))).toEqual(new Set([0, 1, 2]));
  });

  it('what replaces the written text, with a placeholder where the editor has them', () => {
    const range = { start: { line: 56, character: 45 }, end: { line: 56, character: 48 } };
    const [first] = items(IMAGE, '${schema.spec.image.sub¦}');
    expect(first).toMatchObject({
      label: 'substring',
      insertTextFormat: 2,
      textEdit: { range, newText: 'substring($1)' },
    });
    const [plain] = items(IMAGE, '${schema.spec.image.sub¦}', false);
    expect(plain).toMatchObject({ label: 'substring', textEdit: { range, newText: 'substring(' } });
    expect(plain).not.toHaveProperty('insertTextFormat');
    expect(items(IMAGE, '${optional.¦}').map(textOf)).toEqual(['none()', 'of($1)', 'ofNonZeroValue($1)', 'unwrap($1)']);
  });

  it('the description, the default and the bounds of a field, and the other overloads of a function', () => {
    const docs = new Map(items(IMAGE, '${schema.spec.¦}').map(({ label, documentation }) => [label, documentation]));
    const text = (value: string): unknown => ({ kind: 'markdown', value });
    expect(docs.get('image')).toEqual(text('What runs.\n\nDefault: `"nginx"`'));
    expect(docs.get('size')).toEqual(text(BOUNDS.join('\n\n')));
    expect(docs.get('note')).toBeUndefined();
    expect(docs.get('?note')).toEqual(text('Yields an optional, for a field that may not be there.'));
    const overloads = items(IMAGE, '${schema.spec.image.substring¦}')[0]?.documentation;
    expect(overloads).toEqual(text('`string.substring(int, int) -> string`'));
  });
});

describe('completion of YAML offers', () => {
  const itemsIn = (text: string): CompletionItem[] => {
    const { language, position } = at(text);
    return language.completions(URI, position, false);
  };

  /** In the RGD, with one place replaced. */
  const inRgd = (from: string, to: string): string[] =>
    itemsIn(replaced(from, to)).map(({ label, detail = '' }) => `${label}: ${detail}`);

  it.each<[string, string, string, string[]]>([
    [
      'the kinds of an apiVersion',
      'kind: Deployment',
      'kind: ¦',
      [
        'Deployment: apps/v1',
        'StatefulSet: apps/v1',
        'DaemonSet: apps/v1',
        'ControllerRevision: apps/v1',
        'ReplicaSet: apps/v1',
      ],
    ],
    ['the apiVersion of a kind', 'apiVersion: apps/v1', 'apiVersion: ¦', ['apps/v1: Deployment']],
    ['the id after the kind', '    - id: server', '    - id: ¦', ['deployment: after its kind']],
    [
      'the types of SimpleSchema, and those of the RGD',
      'note: string',
      'note: ¦',
      [
        'string: type',
        'integer: type',
        'boolean: type',
        'Port: custom type',
        'float: type',
        'object: type',
        '[]: list of',
        'map[string]: map of',
      ],
    ],
    [
      'the types of items',
      '"[]Port"',
      '"[]P¦"',
      [
        'Port: custom type',
        'map[string]: map of',
        'boolean: type',
        'float: type',
        'integer: type',
        'object: type',
        'string: type',
        '[]: list of',
      ],
    ],
    [
      'the words of a boolean',
      '          selector:',
      '          paused: ¦\n          selector:',
      ['false: boolean', 'true: boolean'],
    ],
    ['no value of a text', '                - name: web\n', '                - name: ¦\n', []],
    ['nothing in a comment', '          selector:', '          # sel¦\n          selector:', []],
    ['nothing in a flow map', '{app: web}', '{¦app: web}', []],
  ])('%s', (_, from, to, expected) => {
    const found = inRgd(from, to);
    const isWrittenPart = to.includes('P¦');
    expect(isWrittenPart ? [...found].sort() : found).toEqual(isWrittenPart ? [...expected].sort() : expected);
    if (isWrittenPart) expect(found[0]).toBe(expected[0]);
  });

  it('the names of objects that a reference may have', () => {
    const text = replaced('name: settings', 'name: ¦');
    const { language, position } = at(text);
    const map = (name: string, kind = 'ConfigMap'): string =>
      `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: x}\n`;
    const others = [map('one'), map('two'), map('none', 'Service')];
    language.workspace.open('file:///app/maps.yaml', others.join('---\n'), 1);
    while (language.checkNext());
    expect(language.completions(URI, position).map(({ label, detail }) => [label, detail])).toEqual([
      ['one', 'ConfigMap'],
      ['two', 'ConfigMap'],
    ]);
  });

  it('the markers that are not written yet', () => {
    const markers = inRgd('integer | required=true minimum=1 maximum=9', 'integer | required=true ¦');
    expect(markers).toEqual(
      expect.arrayContaining([
        'default: marker',
        'description: marker',
        'enum: marker',
        'maximum: marker',
        'minimum: marker',
        'pattern: marker',
      ]),
    );
    expect(markers).not.toContain('required: marker');
    expect(inRgd('integer | required=true minimum=1 maximum=9', 'integer | min¦')[0]).toMatch(/^min/);
    expect(inRgd('integer | required=true minimum=1 maximum=9', 'integer | required=tr¦')).toEqual([
      'true: required',
      'false: required',
    ]);
  });

  it('the fields of a node that it lacks', () => {
    const found = inRgd('    - id: server\n', '    - id: server\n      ¦\n').map((one) => one.split(':')[0]);
    // The fields of a resource in kro's CRD.
    const all = ['externalRef', 'forEach', 'id', 'includeWhen', 'readyWhen', 'template'];
    expect(all.filter((name) => found.includes(name))).toEqual(['externalRef', 'forEach', 'includeWhen', 'readyWhen']);
  });

  it('the fields of an instance, the required ones first', () => {
    const language = new Language();
    language.workspace.open(URI, RGD, 1);
    const text =
      'apiVersion: example.com/v1alpha1\nkind: Web\nmetadata: {name: a, namespace: b}\nspec:\n  note: x\n  \n';
    language.workspace.open(INSTANCE_URI, text, 1);
    while (language.checkNext());
    const items = language.completions(INSTANCE_URI, { line: 5, character: 2 });
    expect(items.map(({ label, detail }) => [label, detail])).toEqual([
      ['size', 'integer, required'],
      ['image', 'string, default "nginx"'],
      ['ports', 'list of object'],
      ['names', 'list of string'],
    ]);
    expect(items.map(textOf)).toEqual(['size: ', 'image: ', 'ports:', 'names:']);
    expect(items[0]?.documentation).toEqual({ kind: 'markdown', value: BOUNDS.join('\n\n') });
    language.workspace.open(INSTANCE_URI, text.replace('\n  \n', '\n  na: [x]\n'), 2);
    const before = language.completions(INSTANCE_URI, { line: 5, character: 4 });
    expect(before[0]?.textEdit).toEqual({
      range: { start: { line: 5, character: 2 }, end: { line: 5, character: 4 } },
      newText: 'names',
    });
  });
});

const SET = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: s }
spec:
  inputs:
    - team: red
      size: { cpu: 2 }
      zones: [a]
  resourcesTemplate: |
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: << inputs.team >> }
`;

describe('completion in a ResourceSet offers', () => {
  const offered = (to: string): string[] => {
    const offset = SET.indexOf('<< inputs.team >>');
    expect(offset).toBeGreaterThan(0);
    const text = SET.replace('<< inputs.team >>', () => to);
    const at = text.indexOf('¦');
    const before = text.slice(0, at).split('\n');
    const language = new Language();
    language.workspace.open(URI, text.replace('¦', ''), 1);
    while (language.checkNext());
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return language.completions(URI, position).map(({ label, detail }) => `${label}: ${detail}`);
  };

  it.each([
    [
      '<< inputs.¦ >>',
      [
        'size: map',
        'team: for example red',
        'zones: list',
        'id: the id of the input set',
        'provider: where the inputs come from',
      ],
    ],
    ['<< inputs.size.¦ >>', ['cpu: for example 2']],
    [
      '<< inputs.te¦ >>',
      [
        'team: for example red',
        'size: map',
        'zones: list',
        'id: the id of the input set',
        'provider: where the inputs come from',
      ],
    ],
    ['<< other.¦ >>', []],
    ['<< inputs.team >> ¦', []],
  ])('%s', (to, expected) => {
    const found = offered(to);
    expect([...found].sort()).toEqual([...expected].sort());
    expect(found[0]).toBe(expected[0]);
  });

  it('the inputs first, and then functions', () => {
    const found = offered('<< ¦ >>');
    expect(found[0]).toBe('inputs: the inputs');
    expect(found).toEqual(expect.arrayContaining(['upper: function', 'default: function', 'printf: function']));
  });
});

describe('the outline', () => {
  /** A symbol, and those in it. */
  type Outline = [name: string, detail: string | undefined, lines: string, Outline[]];

  const outlineOf = ({ name, detail, range, children = [] }: DocumentSymbol): Outline => [
    name,
    detail,
    `${range.start.line}-${range.end.line}`,
    children.map(outlineOf),
  ];

  it('has the fields, the types, the status and the nodes of an RGD', () => {
    expect(at(`¦${RGD}`).language.symbols(URI).map(outlineOf)).toEqual([
      [
        'ResourceGraphDefinition web',
        undefined,
        '0-57',
        [
          [
            'spec',
            undefined,
            '9-15',
            [
              ['image', 'string | default="nginx" description="What runs."', '10-10', []],
              ['size', 'integer | required=true minimum=1 maximum=9', '11-11', []],
              ['names', '"[]string"', '12-12', []],
              ['note', 'string', '13-13', []],
              ['ports', '"[]Port"', '14-14', []],
            ],
          ],
          [
            'types',
            undefined,
            '15-19',
            [
              [
                'Port',
                undefined,
                '16-19',
                [
                  ['number', 'integer', '17-17', []],
                  ['kind', 'string | enum="a,b"', '18-18', []],
                ],
              ],
            ],
          ],
          ['status', undefined, '19-21', [['first', '${server.metadata.name}', '20-20', []]]],
          ['config', 'ConfigMap', '22-28', []],
          ['many', 'ConfigMap', '28-38', []],
          ['server', 'Deployment', '38-57', []],
        ],
      ],
    ]);
  });

  it('folds each key and each item that has several lines, up to its last one', () => {
    const lines = RGD.trimEnd().split('\n');
    const depth = (line: string): number => line.search(/[^ ]/);
    // A line is folded up to the next one that is indented no more; the items of a list are no deeper than their key.
    const expected = lines.flatMap((line, at) => {
      const own = depth(line);
      const next = lines.findIndex((other, index) => index > at && depth(other) <= own);
      const endLine = (next < 0 ? lines.length : next) - 1;
      return endLine > at ? [{ startLine: at, endLine }] : [];
    });
    const found = at(`¦${RGD}`).language.folding(URI);
    expect(found.filter(({ startLine }) => startLine > 0)).toEqual(expected);
    expect(found[0]).toEqual({ startLine: 0, endLine: lines.length - 1 });
  });
});

/** The names of the token types in data/language-server.json, which the editor is told. */
const TOKENS = ['variable', 'property', 'function', 'method', 'parameter', 'string', 'number', 'keyword', 'operator'];

describe('the colours of an expression', () => {
  it.each([
    ['${schema.spec.image}', 'variable schema, property spec, property image'],
    [
      '${string(schema.spec.ports.map(p, p.number)[0] + 2)}',
      'function string, variable schema, property spec, property ports, method map, variable p, parameter p, property number, number 0, operator +, number 2',
    ],
    [
      '${schema.spec.image == "x" ? "y" : "z"}',
      'variable schema, property spec, property image, operator ==, string "x", operator ?, string "y", operator :, string "z"',
    ],
  ])('%s', (to, expected) => {
    const text = replaced(IMAGE, to);
    const { data } = at(`¦${text}`).language.tokens(URI);
    const lines = text.split('\n');
    const found: string[] = [];
    let line = 0;
    let character = 0;
    for (let index = 0; index < data.length; index += 5) {
      const [down = 0, right = 0, length = 0, type = 0] = data.slice(index, index + 4);
      line += down;
      character = down === 0 ? character + right : right;
      if (line === 56) found.push(`${TOKENS[type]} ${lines[line]?.slice(character, character + length)}`);
    }
    expect(found.join(', ')).toBe(expected);
  });
});

describe('what the instances show', () => {
  it('has the type of an iterator, and the values of the first instance', () => {
    const all = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const hints = at(`¦${RGD}`).language.inlayHints(URI, all);
    expect(hints.map(({ position: { line }, label }) => [line, label])).toEqual([
      [30, ': string'],
      [37, '= "x"'],
      [43, '= "a"'],
      [45, '= "x-w"'],
      [47, '= 3'],
      [56, '= "nginx"'],
    ]);
    const one = { start: { line: 40, character: 0 }, end: { line: 44, character: 0 } };
    expect(
      at(`¦${RGD}`)
        .language.inlayHints(URI, one)
        .map(({ label }) => label),
    ).toContain('= "a"');
  });

  it('has lenses with the numbers of instances and of objects', () => {
    const { language } = at(`¦${RGD}`);
    expect(language.lenses(URI)).toEqual([
      {
        range: { start: { line: 1, character: 0 }, end: { line: 1, character: 29 } },
        command: { title: 'graph (1 instance here)', command: 'render-rgd.graph', arguments: [URI] },
      },
    ]);
    expect(language.lenses(INSTANCE_URI)).toEqual([
      {
        range: { start: { line: 1, character: 0 }, end: { line: 1, character: 9 } },
        command: { title: 'renders 3 objects: show', command: 'render-rgd.show', arguments: [INSTANCE_URI, 'Web/a'] },
      },
    ]);
  });

  it('has a preview of the objects of an instance', () => {
    const { language } = at(`¦${RGD}`);
    const objects = (language.preview(INSTANCE_URI) ?? '').split('---\n');
    expect(objects.map((one) => /^kind: (\w+)/m.exec(one)?.[1])).toEqual(['ConfigMap', 'ConfigMap', 'Deployment']);
    expect(language.preview(INSTANCE_URI, 'Web/a')).toBe(language.preview(INSTANCE_URI));
    expect(language.preview(INSTANCE_URI, 'Web/none')).toBeUndefined();
    expect(language.graph(URI, 'mermaid')).toContain('server');
    expect(language.graph(URI, 'svg')).toMatch(/^<svg/);
  });
});
