import fc from 'fast-check';
import { Document } from 'yaml';
import { styles } from './documents.ts';
import { values } from './values.ts';

/** Lines of an object on which YAML readers disagree, or which are easily lost. */
const ODD_LINES = [
  'y: 2 # height\non: 3',
  'answer: n\nmode: 0777\nversion: 1.10\nbig: 12345678901234567890',
  'keep: |+\n  text\n\n',
  'strip: >2-\n    text\n   more\n  # text',
  '# a comment of its own\nfoo: bar   # beside',
  'last: |\n  text',
  'within:\n- - key: >-\n      text',
  'plain: a\n  b\n\n  c',
  "'quoted': 'it''s'\n\"double\": \"\\x41 \\\n  b\"",
  'flow: {a: [1, 2 ], # c\n  b: c, }',
  '? complex\n: - v\n  - w',
  'anchor: &z [1, {a: b}]\nalias: *z',
  'merged:\n  <<: {a: b}\n  a: c',
  'at: 2001-12-14t21:59:43.10-05:00\ntagged: !!str 1\nempty:\ntilde: ~',
  'list:\n- a\n-\n  - b\n- - c\n  - d',
  'data: {a: 1,\n  "b": [\n  ]}',
  'twice: 1\ntwice: 2',
  '\n\nspaced: 1',
  'utf: "ä €"\nüml: 𝄞',
];

/** `metadata` in block style, as users and runners write it. */
const METADATA = [
  'metadata:\n  name: NAME\n  namespace: desk',
  'metadata:\n  name: NAME # the name\n  # below\nextra: 1',
  'metadata: {name: NAME, namespace: desk} # flow',
  'metadata: {"name": "NAME", "annotations": {"a": "b"}}',
  'metadata: { name: NAME,\n  annotations: {\n  a: b , # last\n  }, }',
  'metadata:\n  annotations:\n    a: b # beside\n    # behind\n  # more\n  name: NAME',
  'metadata:\n  annotations: {}\n  name: NAME',
  'metadata:\n  annotations:\n  name: NAME',
  'metadata:\n  annotations: ~ # none\n  name: NAME',
  'metadata:\n    name: NAME\n    annotations:\n          a: |\n            text\n\n          "b": >-\n            x',
  'metadata:\n  name: NAME\n  annotations:\n    a: |+\n      text\n\n',
  'metadata:\n  name: NAME\n  annotations: {a: b, "c": \'d\'}',
  'metadata:\n  name: NAME\n  annotations: &n {a: b}\nextra: *n',
  'metadata:\n  name: NAME\n  annotations: &n\n    a: b\nextra: {x: *n}',
  'extra: &n {a: b}\nmetadata:\n  name: NAME\n  annotations: *n',
  'extra: &n {a: b}\nmetadata:\n  name: NAME\n  annotations: {<<: *n, c: d}',
  'extra: &n {annotations: {a: b}}\nmetadata:\n  <<: *n\n  name: NAME',
  'extra: &n {name: NAME, labels: {a: b}}\nmetadata: *n',
  'metadata: &n\n  name: NAME\nextra: {a: [*n]}',
  'metadata:\n  name: NAME\n  annotations:\n    config.kubernetes.io/local-config: "false" # why',
  "metadata: {name: NAME, annotations: {config.kubernetes.io/local-config: 'false'}}",
  '"metadata":\n  "annotations":\n    "a": "b"\n  "name": NAME',
  'metadata: !!map\n  name: NAME\n  annotations: !!map {a: b}',
  'metadata:\n  ? name\n  : NAME\n  ? annotations\n  : a: b',
];

/** An object as users write it: block style lines without indentation. */
export interface Written {
  lines: string;
  foreign: boolean;
}

const bodies: fc.Arbitrary<string> = fc.oneof(
  fc.subarray(ODD_LINES, { maxLength: 5 }).map((lines) => lines.join('\n')),
  fc.tuple(values, styles).map(([value, style]) => {
    const document = new Document({ body: value }, { version: '1.1' });
    return document
      .toString({ ...style, collectionStyle: style.collectionStyle === 'flow' ? 'any' : 'block' })
      .trimEnd();
  }),
);

const foreign = (index: number): fc.Arbitrary<Written> =>
  fc
    .record({ body: bodies, metadata: fc.constantFrom(...METADATA), first: fc.boolean() })
    .map(({ body, metadata, first }) => {
      const head = 'apiVersion: example.com/v1\nkind: Chart';
      const own = metadata.replaceAll('NAME', `chart-${index}`);
      return { lines: first ? `${head}\n${own}\n${body}` : `${body}\n${own}\n${head}`, foreign: true };
    });

const instance = (index: number): fc.Arbitrary<Written> =>
  fc.constantFrom(...METADATA).map((metadata) => {
    const own = metadata.replaceAll('NAME', `note-${index}`).replace(/^extra: \d+$/m, '');
    const inSpec = own.replace(/^extra: (.*)$/m, 'spec: {text: hi, extra: $1}');
    const spec = inSpec === own ? '\nspec: {text: hi} # spec' : '';
    return { lines: `apiVersion: kro.run/v1alpha1\nkind: Note\n${inSpec}${spec}`, foreign: false };
  });

/** The layout of the items of a list. */
const layouts = fc.record({
  column: fc.constantFrom(0, 1, 2, 4),
  gap: fc.constantFrom(1, 3),
  ownLine: fc.boolean(),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  start: fc.constantFrom('', '---\n', '# head\n', '# head\n---\n'),
  between: fc.constantFrom('', '# between\n', '\n'),
  end: fc.constantFrom('', 'functionConfig: {apiVersion: fn.kpt.dev/v1alpha1, kind: RenderRGD, metadata: {name: f}}\n'),
  lastBreak: fc.boolean(),
});

export interface WrittenList {
  text: string;
  /** The text of each item, including its dash. */
  items: readonly (Written & { text: string })[];
}

/** ResourceLists in all styles; the items are an RGD, instances of it and unrelated objects. */
export const writtenLists = (rgd: string): fc.Arbitrary<WrittenList> =>
  fc
    .tuple(
      layouts,
      fc
        .array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 3 })
        .chain((list) => fc.tuple(...list.map((_, index) => fc.oneof(foreign(index), instance(index))))),
    )
    .map(([layout, objects]) => {
      const { column, lineBreak, start, between, end, lastBreak } = layout;
      const all: Written[] = [{ lines: rgd.trim(), foreign: false }, ...objects];
      const items = all.map((written) => ({ ...written, text: itemText(written.lines, layout) }));
      const head = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n';
      const margin = ' '.repeat(column);
      const comment = between.startsWith('#') ? margin + between : between;
      const text = `${start}${head}items:\n${items.map((item) => item.text).join(comment)}${end}`;
      const ended = lastBreak ? text : text.replace(/\n$/, '');
      const broken = (some: string): string => some.replaceAll('\n', lineBreak);
      return { text: broken(ended), items: items.map((item) => ({ ...item, text: broken(item.text) })) };
    });

function itemText(lines: string, { column, gap, ownLine }: { column: number; gap: number; ownLine: boolean }): string {
  const margin = ' '.repeat(column + 1 + gap);
  const indented = lines.replace(/^(?=[^\n])/gm, margin);
  const dash = `${' '.repeat(column)}-`;
  return ownLine || /^\s*[\n#]/.test(lines) ? `${dash}\n${indented}\n` : `${dash}${indented.slice(column + 1)}\n`;
}
