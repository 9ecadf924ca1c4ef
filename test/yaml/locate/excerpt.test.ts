import { describe, expect, it } from 'vitest';
import { createExcerpts } from '../../../src/yaml/locate/format.ts';

const KEPT = 'hunter2';

/** Returns every excerpt of a text: one for each character. */
function excerptsOf(text: string): string[] {
  const excerptOf = createExcerpts(new Map([['f', text]]));
  const diagnostic = { severity: 'error', code: 'yaml-syntax', stage: 'parse', file: 'f', message: 'm' } as const;
  return text
    .split(/\r\n?|\n/)
    .flatMap((content, line) =>
      Array.from({ length: content.length + 2 }, (_, column) =>
        excerptOf({ ...diagnostic, line: line + 1, column: column + 1 }),
      ).filter((shown) => shown !== undefined),
    );
}

describe('an excerpt redacts a Secret', () => {
  const flow = `{apiVersion: v1, kind: Secret, stringData: {p: ${KEPT}}, metadata: {name: a}}`;
  const json = `{"apiVersion":"v1","kind":"Secret","stringData":{"p":"${KEPT}"}}`;
  it.each([
    ['a block', `kind: Secret\nmetadata: {name: a}\nstringData:\n  p: ${KEPT}\n`],
    ['the kind last', `stringData:\n  p: |\n    a\n    ${KEPT}\nkind: "Secret"\n`],
    ['a tag', `kind: !!str Secret\ndata: [${KEPT}]\n`],
    ['an anchor', `metadata: {name: &a Secret}\nkind: *a\nstringData: {p: ${KEPT}}\n`],
    ['an escape', `kind: "S\\x65cret"\ndata:\n  p: ${KEPT}\n`],
    ['a block scalar', `kind: >-\n  Secret\ndata:\n  p: ${KEPT}\n`],
    ['a complex key', `? kind\n: Secret\n? data\n: p: ${KEPT}\n`],
    ['two kinds', `kind: ConfigMap\nkind: Secret\ndata: {p: ${KEPT}}\n`],
    ['data twice', `kind: Secret\ndata: {p: ${KEPT}}\ndata: {p: b}\n`],
    ['no kind', `apiVersion: v1\ndata: {p: ${KEPT}}\n`],
    ['a kind that is none', `kind: null\ndata: {p: ${KEPT}}\n`],
    ['an empty kind', `kind: ""\ndata: {p: ${KEPT}}\n`],
    ['a number for a kind', `{"kind": 5, "data": {"p": "${KEPT}"}}`],
    ['kind and apiVersion exchanged', `apiVersion: Secret\nkind: v1\ndata: {p: ${KEPT}}\n`],
    ['a kind with its group', `kind: v1/Secret\ndata: {p: ${KEPT}}\n`],
    ['a template without a kind', `kind: A\nspec: {resources: [{id: a, template: {data: {p: ${KEPT}}}}]}\n`],
    ['a kind that is misspelt', `kind: Secert\nstringData: {p: ${KEPT}}\n`],
    ['comments', `# ${KEPT}\nkind: Secret # ${KEPT}\n# ${KEPT}\ntype: Opaque # ${KEPT}\n# ${KEPT}\n`],
    ['flow', `a: b\n---\n${flow}\n---\nb: c\n`],
    ['JSON', json],
    ['JSON that follows other JSON on a line', `{"kind":"ConfigMap"} ${json} {"kind":"ConfigMap"}`],
    ['a list', `kind: List\nitems:\n- ${flow}\n- kind: ConfigMap\n`],
    ['a list of Secrets', `kind: SecretList\nitems:\n- metadata: {name: a}\n  stringData: {p: ${KEPT}}\n`],
    [
      'a list of Secrets whose fields are misspelt',
      `kind: SecretList\nitmes:\n- metadata: {name: a}\n  strData: {p: ${KEPT}}\n`,
    ],
    [
      'one that lost its kind to a comment',
      `kind: List\nitems:\n- apiVersion: v1\n#  kind: Secret\ndata:\n  p: ${KEPT}\n`,
    ],
    ['one in a block of text', `kind: ConfigMap\nmanifest: |\n  kind: Secret\nnext: |\n  data: {p: ${KEPT}}\n`],
    ['a template', `kind: ResourceGraphDefinition\nspec: {resources: [{id: a, template: ${flow}}]}\n`],
    ['an annotation', `kind: Secret\nmetadata:\n  annotations:\n    last: '{"p":"${KEPT}"}'\n`],
    [
      'a copy of a template',
      `kind: ResourceGraphDefinition\nmetadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {"kind":"Secret","data":{"p":"${KEPT}"}}\n`,
    ],
    ['a generator', `kind: Kustomization\nsecretGenerator:\n- name: a\n  literals: [p=${KEPT}]\n`],
    ['an unknown field', `kind: Secret\n${KEPT}: a\nmetadata: {${KEPT}: a}\n`],
    ['one that does not parse', `kind: Secret\nstringData: {p: ${KEPT}]\n`],
    ['an item that does not parse', `kind: SecretList\nitems:\n- stringData: {p: ${KEPT}]\n`],
    ['an object without a kind that does not parse', `data: {p: ${KEPT}]\n`],
    ['one that is torn in two', `kind: Secret\nstringData:\n  a: |\n---\n  p: ${KEPT}\n  p: ${KEPT}\n`],
    ['one that is torn the other way', `stringData:\n---\np: [${KEPT}\n---\nkind: Secret\n`],
    ['what stands behind a document', `kind: Secret\n...\np: ${KEPT}\n`],
    ['windows', `kind: Secret\r\ndata:\r\n  p: ${KEPT}\r\n`],
  ])('%s', (_, text) => {
    expect(text).toContain(KEPT);
    expect(excerptsOf(text).filter((shown) => shown.includes('hunt') || shown.includes('ter2'))).toEqual([]);
  });
});

describe('an excerpt shows other lines', () => {
  it.each([
    ['a ConfigMap', `kind: ConfigMap\ndata:\n  p: ${KEPT}\n`, `  p: ${KEPT}`],
    ['beside a Secret', `kind: Secret\ndata: {a: b}\n---\nkind: ConfigMap\ndata:\n  p: ${KEPT}\n`, `  p: ${KEPT}`],
    ['the name of a Secret', `kind: Secret\nmetadata:\n  name: Bad_\ndata: {p: ${KEPT}}\n`, '  name: Bad_'],
    ['a label of a Secret', `kind: Secret\nmetadata:\n  labels: {a: [1]}\n`, '  labels: {a: [1]}'],
    [
      'another template',
      `kind: A\nspec:\n  resources:\n  - template: {kind: Secret}\n  - template:\n      kind: B\n      x: ${KEPT}\n`,
      `      x: ${KEPT}`,
    ],
    [
      'a name of a Secret',
      `kind: A\nspec:\n  ref: {kind: Secret, name: ${KEPT}}\n`,
      `  ref: {kind: Secret, name: ${KEPT}}`,
    ],
    ['what does not parse', `kind: ConfigMap\ndata: {p: ${KEPT}]\n`, `data: {p: ${KEPT}]`],
  ])('%s', (_, text, line) => {
    expect(excerptsOf(text).filter((shown) => shown.split('\n')[0] === line)).not.toEqual([]);
  });
});

it.each([
  ['List', true],
  ['Secret', false],
])('aliases that refer to one part many times take no time (%s)', (kind, isShown) => {
  const keys = [...'123456789'];
  const levels = Array.from(
    { length: 30 },
    (_, index) => `a${index + 1}: &a${index + 1} {${keys.map((key) => `${key}: *a${index}`).join(', ')}}\n`,
  );
  const shown = excerptsOf(`kind: ${kind}\na0: &a0 ${KEPT}\n${levels.join('')}`);
  expect(shown.some((excerpt) => excerpt.includes(KEPT))).toBe(isShown);
});
