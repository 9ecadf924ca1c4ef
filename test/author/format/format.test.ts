import { describe, expect, it } from 'vitest';
import { formatText } from '../../../src/author/format/index.ts';
import { outcomeOf, textsBelow } from './outcome.ts';

/** An RGD with these fields of its schema and these resources, as they are indented here. */
const rgd = (schema: string, resources = '    []\n'): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
${schema}  resources:
${resources}`;
const fields = (...lines: string[]): string => rgd(`    spec:\n${lines.map((line) => `      ${line}\n`).join('')}`);
const node = (...lines: string[]): string =>
  rgd('', `    - id: a\n${lines.map((line) => (line === '' ? '\n' : `      ${line}\n`)).join('')}`);
const field = (value: string): string => node('template:', ...`  data: ${value}`.split('\n'));

const formatted = (text: string): string => {
  const once = formatText(text);
  expect(once.invalid).toEqual([]);
  expect(formatText(once.text).text).toBe(once.text);
  return once.text;
};

describe('the format of an RGD', () => {
  it('orders the fields of objects, schemas and resources with their comments', () => {
    const text = `# The licence of the file.

kind: ResourceGraphDefinition
# The version.
apiVersion: kro.run/v1alpha1
status: {}
spec:
  # All resources.
  resources:
    # The first one.
    - template:
        # Inside.
        kind: ConfigMap
        apiVersion: v1
        # After it.

      # Only if enabled.
      includeWhen:
        - \${schema.spec.on}
      # Its name.
      id: a # short

    - id: b
  schema:
    spec: {on: boolean}
    status: {}
    kind: App
    apiVersion: v1alpha1
metadata:
  labels: {a: b}
  name: app # the name
# The end.
`;
    expect(formatted(text)).toBe(`# The licence of the file.

# The version.
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: app # the name
  labels: {a: b}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec: {on: boolean}
    status: {}
  # All resources.
  resources:
    # The first one.
    # Its name.
    - id: a # short

      # Only if enabled.
      includeWhen:
        - \${schema.spec.on}
      template:
        # Inside.
        kind: ConfigMap
        apiVersion: v1
        # After it.

    - id: b
status: {}
# The end.
`);
  });

  it('indents by two spaces, and keeps texts, comments and blank lines', () => {
    const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
spec:
    resources:
    # One.
    -   id:   a${'  '}
        template:
            # Two.
            data:
                text: |
                    one
                      two
${'   '}
                    three
                other: "first
                    second"
                list: [a,
                       b]   # Three.
                -x: |2-
                    y

    # Four.
`;
    expect(formatted(text)).toBe(`apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
spec:
  resources:
    # One.
    - id: a
      template:
        # Two.
        data:
          text: |
            one
              two
${'   '}
            three
          other: "first
              second"
          list: [a,
                 b]   # Three.
          -x: |2-
              y

    # Four.
`);
  });

  it.each([
    ['image: string|default="x"', 'image: string | default="x"'],
    ['image: "string   |  required=true   default=\\"a  b\\""', 'image: string | required=true default="a  b"'],
    ["tags: '[] string'", 'tags: "[]string"'],
    ['tags: "[]string|default=[]"', 'tags: "[]string | default=[]"'],
    ['tags: map[string] [] Part', 'tags: map[string][]Part'],
    ['note: "string | description=\\"a: b\\""', `note: 'string | description="a: b"'`],
    ['flow: {a: "string|default=1", b: \'[]string\'}', 'flow: {a: "string | default=1", b: \'[]string\'}'],
    ['wrong: "string|default=a b"', 'wrong: string|default=a b'],
    ['also: string | default="x" ', 'also: string | default="x"'],
    ['number: 5', 'number: 5'],
  ])('writes the field %s as %s', (before, after) => expect(formatted(fields(before))).toBe(fields(after)));

  it.each([
    ['${ schema.spec.a }', '${schema.spec.a}'],
    ["'${schema.spec.a}'", '${schema.spec.a}'],
    ['"a-${  b+c  }-${d}"', 'a-${b + c}-${d}'],
    ['"${a?b:c}"', '"${a ? b : c}"'],
    ['${a?b:c}', '"${a ? b : c}"'],
    ['\'${a ?b: "c"}\'', '\'${a ? b : "c"}\''],
    ['${[1,2 , -3][0]- -1}', '${[1, 2, -3][0] - -1}'],
    ["\"${ {'a':1,?'b' : x.?y}[ ?'a' ] }\"", "\"${{'a': 1, ?'b': x.?y}[?'a']}\""],
    ['${!( a&&b )||c in [ d ]}', '${!(a && b) || c in [d]}'],
    ['"${a.map(x,x==1?{\'k\':x}:{})}"', '"${a.map(x, x == 1 ? {\'k\': x} : {})}"'],
    ['${a .b . `c-d`[ 0 ] . e ( f )}', '${a.b.`c-d`[0].e(f)}'],
    ['${"a   b"+\'${c}\'}', '${"a   b" + \'${c}\'}'],
    ['${a +}', '${a +}'],
    ['${a', '${a'],
    ['"${a\\n  +b}"', '"${a\\n  + b}"'],
    ['{x: "${ a }", y: "${b}"}', '{x: "${a}", y: "${b}"}'],
    ['|\n    ${\n      a+b // why\n    }', '|\n    ${\n      a+b // why\n    }'],
    ['|-\n    ${ a\n      +b}', '|-\n    ${a\n      + b}'],
    ['>-\n    ${a\n    +b}', '>-\n    ${a\n    + b}'],
  ])('writes the value %s as %s', (before, after) => expect(formatted(field(before))).toBe(field(after)));

  it('breaks long expressions before operators, and keeps their value', () => {
    const long = (letter: string): string => `schema.spec.${letter.repeat(28)}`;
    const [a, b, c] = ['a', 'b', 'c'].map(long);
    expect(formatted(field(`'\${${a} && ${b} ? "x" : ${c}}' # why`))).toBe(
      field(`>- # why\n    \${${a} && ${b}\n    ? "x"\n    : ${c}}`),
    );
    expect(formatted(field(`>-\n    \${${a} || ${b} && ${c}}`))).toBe(field(`>-\n    \${${a}\n    || ${b} && ${c}}`));
    expect(formatted(field(`\${f(${a} + ${b} + ${c})}`))).toBe(field(`>-\n    \${f(${a} + ${b}\n    + ${c})}`));
    expect(formatted(field(`{x: "\${${a} || ${b} || ${c}}"}`))).toBe(field(`{x: "\${${a} || ${b} || ${c}}"}`));
  });

  it('keeps CRLF, and adds the line break at the end of a document', () => {
    const crlf = field('${ a }').replaceAll('\n', '\r\n');
    expect(formatted(crlf)).toBe(field('${a}').replaceAll('\n', '\r\n'));
    expect(formatted(field('${ a }').trimEnd())).toBe(field('${a}'));
  });

  it('does not order a document with aliases, and keeps what it cannot format', () => {
    const aliases = field('${a}')
      .replace('metadata:\n', 'metadata: &m\n')
      .replace('    kind: App\n', '    kind: App\n    metadata: *m\n');
    const swapped = aliases.replace(
      'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition',
      'kind: ResourceGraphDefinition\napiVersion: kro.run/v1alpha1',
    );
    expect(formatted(swapped)).toBe(swapped);
    const flow = '{kind: ResourceGraphDefinition, apiVersion: kro.run/v1alpha1}\n';
    expect(formatted(flow)).toBe(flow);
  });
});

describe('the format of a file', () => {
  const unformatted = field('${ a }');
  const others = [
    '# nothing\n',
    'kind:   Website\napiVersion: kro.run/v1alpha1  \n',
    '{a:   1}\n',
    'a: [\n',
    '{{ if .x }}\n',
  ];

  it.each(others)('keeps %j as it is', (other) => {
    expect(formatText(`${other}---\n${unformatted}---\n${other}`)).toEqual({
      text: `${other}---\n${field('${a}')}---\n${other}`,
      invalid: [],
    });
  });

  it('names the documents that are not valid', () => {
    const broken = `${unformatted}  x: [\n`;
    expect(formatText(`${unformatted}---\n${broken}`)).toEqual({
      text: `${field('${a}')}---\n${broken}`,
      invalid: [1],
    });
  });

  it('formats the actions of a ResourceSet', () => {
    const set = (...lines: string[]): string =>
      ['apiVersion: fluxcd.controlplane.io/v1', 'kind: ResourceSet', 'spec:', ...lines, ''].join('\n');
    const text = set(
      '  resources:',
      '    - name: "a-<<inputs.a>>"',
      '      b: <<- inputs.b|quote ->> <</* note */>> << "a >> b">>',
      '      c: |',
      '        <<if  inputs.c>>x<<-end>>',
      '  inputs:',
      '    - a: <<b>>',
    );
    expect(formatted(text)).toBe(
      set(
        '  inputs:',
        '    - a: <<b>>',
        '  resources:',
        '    - name: "a-<< inputs.a >>"',
        '      b: <<- inputs.b|quote ->> <</* note */>> << "a >> b" >>',
        '      c: |',
        '        << if  inputs.c >>x<< -end >>',
      ),
    );
  });
});

describe('formatting', () => {
  it('changes no rendered object and no diagnostic of examples and cases', () => {
    const texts = ['examples', 'test/cases', 'test/conformance'].flatMap(textsBelow);
    const changed = texts.filter(({ text }, index) => index % 6 === 0 && formatText(text).text !== text);
    expect(changed.length).toBeGreaterThan(10);
    for (const { name, text } of changed) expect(outcomeOf(formatted(text)), name).toBe(outcomeOf(text));
  });

  const ends = ['', '\n', '\n...', '\n...\n', '\n...\n\n', '\n... # end\n', '\n\n\n', '\n---\n', '\n--- # next'];

  it('is idempotent at every end of a text, and writes the line breaks of the text', () => {
    const texts = ['examples', 'test/cases'].flatMap(textsBelow);
    for (const { name, text } of texts.filter((_, index) => index % 8 === 0)) {
      for (const end of ends) {
        const whole = text.trimEnd() + end;
        const { text: once } = formatText(whole);
        expect(formatText(once).text, `${name} ${JSON.stringify(end)}`).toBe(once);
        const crlf = formatText(whole.replaceAll('\n', '\r\n')).text;
        expect(crlf, `${name} ${JSON.stringify(end)}`).toBe(once.replaceAll('\n', '\r\n'));
      }
    }
  });

  it('adds no lone line feed to CRLF when it moves the last entry, which has no line break', () => {
    const swapped =
      'spec:\r\n  schema: {apiVersion: v1alpha1, kind: A}\r\nkind: ResourceGraphDefinition\r\nmetadata: {name: a}\r\napiVersion: kro.run/v1alpha1';
    const { text } = formatText(swapped);
    expect(text).not.toBe(swapped);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});
