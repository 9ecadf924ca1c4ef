import { describe, expect, it } from 'vitest';
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
      ports: "[]Port"
    types:
      Port:
        number: integer
  resources:
    - id: server
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}
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
const URI = 'file:///app/rgd.yaml';

/** A workspace with one text, in which `|` is the cursor. */
function at(marked: string): { language: Language; position: { line: number; character: number }; text: string } {
  const offset = marked.indexOf('¦');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const before = marked.slice(0, offset).split('\n');
  const language = new Language();
  language.workspace.open(URI, text, 1);
  return { language, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 }, text };
}

const labels = (marked: string): string[] => {
  const { language, position } = at(marked);
  return language.completions(URI, position).map(({ label }) => label);
};

describe('completion', () => {
  it.each([
    ['an expression that is not closed', '${schema.spec.image}', '${schema.sp¦', 'spec'],
    ['a dot with nothing behind it', '${schema.spec.image}', '${schema.spec.¦', 'ports'],
    ['a quote that is not closed', '${schema.spec.image}', '"${schema.spec.im¦', 'image'],
    ['an empty expression', '${schema.spec.image}', '${¦', 'schema'],
    ['the variable of a macro', 'p.number)[0]', 'p.nu¦', 'number'],
    ['a field of a template', 'replicas: ', 'rep¦: ', 'replicas'],
    [
      'a word without a colon',
      '          replicas: ${schema.spec.ports.map(p, p.number)[0]}',
      '          rep¦',
      'replicas',
    ],
    ['a type', 'string | default', 'str¦ | default', 'string'],
    ['a custom type', '"[]Port"', '"[]P¦"', 'Port'],
    ['a marker', 'description=', 'desc¦=', 'description'],
    ['the kind of a template', 'kind: Deployment', 'kind: Dep¦', 'Deployment'],
  ])('offers %s', (_, from, to, wanted) => {
    expect(labels(RGD.replace(from, to)).slice(0, 3)).toContain(wanted);
  });
});

describe('hover', () => {
  it('shows the type, the description and the default of a field', () => {
    const { language, position } = at(RGD.replace('${schema.spec.image}', '${schema.spec.ima¦ge}'));
    const hover = language.hover(URI, position);
    expect(hover?.contents).toEqual({
      kind: 'markdown',
      value: '```cel\nimage: string\n```\n\nWhat runs.\n\nDefault: `"nginx"`',
    });
  });
});

describe('hover on a name without a type', () => {
  const hover = (marked: string): unknown => {
    const { language, position } = at(RGD.replace('${schema.spec.image}', marked));
    return language.hover(URI, position)?.contents;
  };
  it.each([
    ['an unknown field', '${schema.spec.ima¦gine}', 'There is no field `imagine`.'],
    ['a field of an unknown field', '${schema.spec.imagine.na¦me}', '```cel\nname: dyn\n```'],
    ['an unknown variable', '${ser¦vr.spec}', '```cel\nservr: unknown\n```'],
  ])('%s', (_, marked, value) => expect(hover(marked)).toEqual({ kind: 'markdown', value }));
});

describe('definition and references', () => {
  it('find the field of the schema that an expression reads', () => {
    const { language, position } = at(RGD.replace('${schema.spec.image}', '${schema.spec.ima¦ge}'));
    expect(language.definition(URI, position)[0]?.range.start).toEqual({ line: 10, character: 6 });
    expect(language.references(URI, position)).toHaveLength(2);
  });
  it('find the field of a custom type behind a macro', () => {
    const { language, position } = at(RGD.replace('p.number)', 'p.num¦ber)'));
    expect(language.definition(URI, position)[0]?.range.start).toEqual({ line: 14, character: 8 });
  });
});

describe('diagnostics', () => {
  it('are those of validate, with the position of the name', () => {
    const { language } = at(`¦${RGD.replace('schema.spec.image', 'schema.spec.imagee')}`);
    language.checkNext();
    expect(language.diagnostics(URI)).toMatchObject([
      {
        code: 'expression-type',
        range: { start: { line: 32 }, end: { line: 32 } },
        data: { hint: "did you mean 'image'?" },
      },
    ]);
  });
  it('keep the definitions of a document while it does not parse', () => {
    const { language } = at(`¦${RGD}`);
    const instance =
      'apiVersion: example.com/v1alpha1\nkind: Web\nmetadata: {name: a, namespace: b}\nspec: {imag: x}\n';
    language.workspace.open('file:///app/a.yaml', instance, 1);
    while (language.checkNext());
    const before = language.diagnostics('file:///app/a.yaml');
    language.workspace.open(URI, RGD.replace('spec:\n', 'spec: [\n'), 2);
    while (language.checkNext());
    expect(language.diagnostics('file:///app/a.yaml')).toEqual(before);
    expect(before.map(({ code }) => code)).toContain('instance-unknown-field');
    expect(language.diagnostics(URI).map(({ code }) => code)).toEqual(['yaml-syntax']);
  });
});
