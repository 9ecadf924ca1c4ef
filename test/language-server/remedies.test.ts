import { describe, expect, it } from 'vitest';
import { REMEDY_KINDS } from '../../src/core/text/hint.ts';
import { Language } from './language.ts';

const URI = 'file:///app/rgd.yaml';
const ALL = { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };

const PACKAGE = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: shop}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    group: example.com
    spec:
      replicas: integer | default=1
      image: string | default="nginx"
      size: 'string | default="s" enum="s,m,large"'
      labels: '[]string | default=[]'
      open: boolean | default=true
      unset: string
  resources:
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \${schema.metadata.name}
          annotations:
            a: \${schema.spec.image}
        spec:
          replicas: \${schema.spec.replicas}
          paused: \${!schema.spec.open}
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec:
              containers: [{name: web, image: "\${schema.spec.image}"}]
---
apiVersion: example.com/v1alpha1
kind: Shop
metadata: {name: a, namespace: b}
spec: {unset: x}
`.replaceAll('\\$', '$');

/** Without an instance, which sets fields. */
const RGD = PACKAGE.slice(0, PACKAGE.indexOf('---'));

/** Another node, with these containers. */
const withCopy = (containers: string): string =>
  `${RGD}    - id: copy
      template:
        apiVersion: v1
        kind: Pod
        metadata: {name: copy}
        spec:
          containers: ${containers}
`;

/** Returns the texts after each fix that is offered, and the kinds of all remedies. */
function fixesOf(text: string): { kinds: string[]; after: string[] } {
  const language = new Language();
  language.workspace.open(URI, text, 1);
  while (language.checkNext());
  const remedies = language.diagnostics(URI).flatMap(({ data }) => (data as { remedies: { kind: string }[] }).remedies);
  const lines = text.split('\n');
  const offsetOf = ({ line, character }: { line: number; character: number }): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, character);
  const after = language.actions(URI, ALL).flatMap(({ kind, edit }) => {
    if (kind !== 'quickfix') return [];
    const edits = [...(edit?.changes?.[URI] ?? [])].sort((a, b) => offsetOf(b.range.start) - offsetOf(a.range.start));
    return edits.reduce(
      (now, { range, newText }) => now.slice(0, offsetOf(range.start)) + newText + now.slice(offsetOf(range.end)),
      text,
    );
  });
  return { kinds: remedies.map(({ kind }) => kind), after };
}

type Kind = keyof typeof REMEDY_KINDS;
type Row = readonly [kind: Kind, right: string, written: string, fixed: string];

/** A mistake for each kind of remedy: a part of the package, how it is written, and how a fix writes it. */
const MISTAKES: readonly Row[] = [
  ['rename', 'kind: Shop\nmetadata', 'kind: Shp\nmetadata', 'kind: Shop\nmetadata'],
  ['rename', 'kind: Deployment', 'kind: Deploymnt', 'kind: Deployment'],
  ['rename', 'replicas: integer', 'replicas: int', 'replicas: integer'],
  ['rename', 'id: web\n', 'id: web-x\n', 'id: webX\n'],
  ['rename', 'image: string', 'image: text', 'image: string'],
  ['write-value', '{unset: x}', '{unset: x, size: lrge}', '{unset: x, size: large}'],
  ['write-value', '{unset: x}', '{unset: x, size: huge}', '{unset: x, size: m}'],
  [
    'rename',
    'replicas: ${schema.spec.replicas}',
    'replica: ${schema.spec.replicas}',
    'replicas: ${schema.spec.replicas}',
  ],
  ['rename', 'schema.spec.replicas', 'schema.spec.replica', 'schema.spec.replicas'],
  ['rename', 'resources:', 'nodes:', 'resources:'],
  ['rename', 'default=1', 'defualt=1', 'default=1'],
  ['rename-key', 'kind: Shop\nmetadata', 'Kind: Shop\nmetadata', 'kind: Shop\nmetadata'],
  ['set-kind', 'apiVersion: apps/v1\n', 'apiVersion: v1\n', 'apiVersion: apps/v1\n'],
  ['quote', '{unset: x}', '{unset: 5}', '{unset: "5"}'],
  ['unquote', '{unset: x}', '{unset: x, replicas: "2"}', '{unset: x, replicas: 2}'],
  ['make-boolean', '{unset: x}', '{unset: x, open: "yes"}', '{unset: x, open: true}'],
  ['make-list', '{unset: x}', '{unset: x, labels: a}', '{unset: x, labels: [a]}'],
  [
    'plain-quotes',
    '${schema.spec.image}\n',
    '${schema.spec.image + \u201c-x\u201d}\n',
    '${schema.spec.image + "-x"}\n',
  ],
  ['convert', 'a: ${schema.spec.image}', 'a: ${schema.spec.replicas}', 'a: ${string(schema.spec.replicas)}'],
  [
    'convert-operand',
    'a: ${schema.spec.image}',
    'a: ${schema.spec.image + schema.spec.replicas}',
    'a: ${schema.spec.image + string(schema.spec.replicas)}',
  ],
  ['add-fallback', 'a: ${schema.spec.image}', 'a: x${schema.spec.?image}', 'a: x${schema.spec.?image.orValue("")}'],
  ['compare', 'paused: ${!schema.spec.open}', 'paused: ${schema.spec.replicas}', 'paused: ${schema.spec.replicas > 0}'],
  ['replace', 'image: string |', 'image: string', 'image: string |'],
  ['replace', '${!schema.spec.open}', '${not schema.spec.open}', '${! schema.spec.open}'],
  ['replace', "labels: '[]string | default=[]'", "labels: 'string[] | default=[]'", "labels: '[]string | default=[]'"],
  ['quote-marker', 'default="nginx"', 'default=a b', 'default="a b"'],
  ['join-marker', 'integer | default=1', 'integer | default= 1', 'integer | default=1'],
  ['write-marker', 'integer | default=1', 'integer | default=1 required', 'integer | default=1 required=true'],
];

/** Mistakes of which the fix is elsewhere, or which an instance hides. */
const OTHERS: readonly (readonly [kind: Kind, text: string, fixed: string])[] = [
  [
    'make-list-expression',
    withCopy('${web.spec.template.spec.containers[0]}'),
    withCopy('${[web.spec.template.spec.containers[0]]}'),
  ],
  [
    'read-with-fallback',
    RGD.replace('a: ${schema.spec.image}', () => 'a: ${schema.spec.unset}'),
    RGD.replace('a: ${schema.spec.image}', () => 'a: ${schema.spec.?unset.orValue("")}'),
  ],
  [
    'declare-default',
    RGD.replace('a: ${schema.spec.image}', () => 'a: ${schema.spec.unset}'),
    RGD.replace('a: ${schema.spec.image}', () => 'a: ${schema.spec.unset}').replace(
      'unset: string',
      'unset: string | default=""',
    ),
  ],
  [
    'declare-field',
    RGD.replace('a: ${schema.spec.image}', () => 'a: ${schema.spec.added}'),
    RGD.replace('a: ${schema.spec.image}', () => 'a: ${schema.spec.added}').replace(
      '      unset: string\n',
      '      unset: string\n      added: string\n',
    ),
  ],
  [
    'add-field',
    PACKAGE.replace('unset: string', 'unset: string | required=true').replace('{unset: x}', '{}'),
    PACKAGE.replace('unset: string', 'unset: string | required=true').replace('{unset: x}', '{unset: "example"}'),
  ],
];

describe('a remedy of each kind', () => {
  it.each(MISTAKES)('%s: %s written as %s', (kind, right, written, fixed) => {
    const text = PACKAGE.replace(right, () => written);
    const { kinds, after } = fixesOf(text);
    expect(kinds).toContain(kind);
    expect(after).toContain(PACKAGE.replace(right, () => fixed));
  });

  it.each(OTHERS)('%s', (kind, text, fixed) => {
    const { kinds, after } = fixesOf(text);
    expect(kinds).toContain(kind);
    expect(after).toContain(fixed);
  });

  it('is in a table', () => {
    // Only a comparison of two releases has this one: test/compare/compat/upgrade.test.ts.
    const tested = new Set<Kind>(['rewrite']);
    for (const [kind] of [...MISTAKES, ...OTHERS]) tested.add(kind);
    expect(Object.keys(REMEDY_KINDS).filter((kind) => !tested.has(kind as Kind))).toEqual([]);
  });
});
