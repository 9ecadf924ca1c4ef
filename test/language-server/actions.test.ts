import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CodeAction, TextEdit } from 'vscode-languageserver';
import { lintCodes } from '../../src/check/lint/index.ts';
import { LINT_FIXES } from '../../src/language-server/features/fixes/table.ts';
import { Language } from './language.ts';

const URI = 'file:///app/rgd.yaml';

/** An RGD with a ConfigMap; `label` is the value of its label `a`. */
const rgd = (schema: string, label: string, more = ''): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: web}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Web
    group: example.com
    spec:
${schema}
  resources:
    - id: config
${more}      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \${schema.metadata.name}
        data:
          a: ${label}
`;

function open(text: string): Language {
  const language = new Language();
  language.workspace.open(URI, text, 1);
  while (language.checkNext());
  return language;
}

const codesIn = (text: string): unknown[] =>
  open(text)
    .diagnostics(URI)
    .map(({ code }) => code);

/** A text with the edits of an action. */
function applied(text: string, { edit }: CodeAction): string {
  const file = open(text).workspace.files.get(URI);
  const edits = [...(edit?.changes?.[URI] ?? [])].map(({ range, newText }: TextEdit) => ({
    start: file?.offsetAt(range.start) ?? 0,
    end: file?.offsetAt(range.end) ?? 0,
    newText,
  }));
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end), text);
}

const ALL = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

/** The text after the preferred fix of a code. */
function fixed(text: string, code: string): string {
  const found = open(text)
    .actions(URI, ALL)
    .find(({ diagnostics, isPreferred }) => isPreferred && diagnostics?.[0]?.code === code);
  return found === undefined ? 'no fix' : applied(text, found);
}

const SET = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: a}
spec:
  inputs:
    - name: b
      unread:
        a: 1
  resources:
    - {apiVersion: v1, kind: Namespace, metadata: {name: << inputs.name >>}}
`;

it.each([
  ['strin', 'string'],
  ['"strin"', '"string"'],
  ['"[]strin"', '"[]string"'],
  ['"map[string]strin | required=true"', '"map[string]string | required=true"'],
  ["'[][]intger'", "'[][]integer'"],
])('replaces the unknown type %s by %s', (written, expected) => {
  expect(fixed(rgd(`      a: ${written}`, 'x'), 'unknown-type')).toBe(rgd(`      a: ${expected}`, 'x'));
});

describe('the quick fix of a lint', () => {
  it.each<[code: string, text: string, wanted: string]>([
    [
      'lint-unsorted-list',
      rgd('      m: map[string]string | default={}', `\${schema.spec.m.map(k, k).join(',')}`),
      `.map(k, k).sort().join(',')`,
    ],
    ['lint-null-value', rgd('      m: string', '${schema.spec.?m}'), '${schema.spec.?m.orValue("")}'],
    [
      'lint-null-value',
      rgd('      m: string', `"\${true ? schema.spec.?m : optional.none()}"`),
      `"\${(true ? schema.spec.?m : optional.none()).orValue('')}"`,
    ],
    [
      'lint-optional-read-unguarded',
      rgd('      m: string', '${schema.spec.m.upperAscii()}'),
      '${schema.spec.?m.orValue("").upperAscii()}',
    ],
    [
      'lint-optional-read-unguarded',
      rgd('      m:\n        size: integer', '${string(schema.spec.m.size)}'),
      '${string(schema.spec.?m.?size.orValue(0))}',
    ],
    [
      'lint-optional-read-unguarded',
      rgd(
        '      m: "[]Port | default=[]"\n    types: {Port: {size: integer}}',
        '${string(schema.spec.m.map(p, p.size)[0])}',
      ),
      '.map(p, p.?size.orValue(0))',
    ],
    [
      'lint-unused-variable',
      rgd('      m: "[]string | default=[]"', '${string(schema.spec.m.exists(x, true))}'),
      'exists(_x, true)',
    ],
    [
      'lint-unused-variable',
      rgd('      m: string | default=a', `\${cel.bind(x, 1, schema.spec.m)}`),
      'cel.bind(_x, 1, schema.spec.m)',
    ],
    [
      'lint-unread-field',
      rgd('      m: string | default=a # read\n      n:\n        a: string | default=b', '${schema.spec.m}'),
      '      m: string | default=a # read\n  resources:',
    ],
    ['lint-unread-input', SET, '    - name: b\n  resources:'],
    [
      'lint-required-default',
      rgd('      m: string | required=true default=a', '${schema.spec.m}'),
      '      m: string | default=a\n',
    ],
    [
      'lint-required-default',
      rgd('      m: string | default=a required=true', '${schema.spec.m}'),
      '      m: string | default=a\n',
    ],
    [
      'lint-plain-reference',
      rgd('      m: string | default=a', '${schema.spec.m}-{schema.spec.m}'),
      'a: ${schema.spec.m}-${schema.spec.m}\n',
    ],
    [
      'lint-plain-reference',
      rgd('      m: string | default=a', 'b ${schema.spec.m} {{ .schema.spec.m }}'),
      'a: b ${schema.spec.m} ${schema.spec.m}\n',
    ],
  ])('%s', (code, text, wanted) => {
    expect(codesIn(text)).toContain(code);
    const after = fixed(text, code);
    expect(after).toContain(wanted);
    expect(codesIn(after)).not.toContain(code);
  });

  it('lint-trailing-newline', () => {
    const text = rgd('      m: string | default=a', 'b').replace(
      'name: ${schema.metadata.name}\n',
      'name: a\n          labels:\n            b: |\n              ${schema.spec.m}\n',
    );
    expect(codesIn(text)).toContain('lint-trailing-newline');
    const after = fixed(text, 'lint-trailing-newline');
    expect(after).toContain('b: |-\n');
    expect(codesIn(after)).not.toContain('lint-trailing-newline');
  });

  it('is listed in the docs, or the docs say why it does not exist', () => {
    const page = readFileSync(new URL('../../docs/editors.md', import.meta.url), 'utf8');
    const rows = new Map([...page.matchAll(/^\| `(lint-[\w-]+)` +\| (\w+)/gm)].map(([, code, word]) => [code, word]));
    expect([...rows.keys()].sort()).toEqual([...lintCodes].sort());
    // The hint of a read without a guard says what to write.
    const fixed = new Set<string>([...Object.keys(LINT_FIXES), 'lint-optional-read-unguarded']);
    const none = lintCodes.filter((code) => !fixed.has(code));
    expect([...rows].filter(([, word]) => word === 'none').map(([code]) => code)).toEqual(none);
  });
});

describe('extracting an expression', () => {
  const extract = (text: string): string => {
    const offset = text.indexOf('a: $') + 6;
    const position = open(text).workspace.files.get(URI)?.positionAt(offset) ?? ALL.start;
    const found = open(text)
      .actions(URI, { start: position, end: position })
      .find(({ kind }) => kind === 'refactor.extract');
    return found === undefined ? 'none' : applied(text, found);
  };

  it.each([
    ['a string', "${schema.spec.m + '-x'}", "value: ${schema.spec.m + '-x'}", 'a: ${aValue.data.value}'],
    ['a number', '${string(size(schema.spec.m))}', 'value: ${string(size(schema.spec.m))}', 'a: ${aValue.data.value}'],
  ])('creates a node for %s', (_, expression, value, reads) => {
    const after = extract(rgd('      m: string | default=a', expression));
    expect(after).toContain(
      `    - id: aValue\n      template:\n        apiVersion: v1\n        kind: ConfigMap\n        metadata:\n          name: \${schema.metadata.name}-a-value\n        data:\n          ${value}\n    - id: config\n`,
    );
    expect(after).toContain(reads);
    expect(codesIn(after)).toEqual([]);
  });
  it('keeps the type of a value that is not a string', () => {
    const text = rgd('      m: string | default=a', 'b').replace(
      'kind: ConfigMap\n        metadata:\n          name: ${schema.metadata.name}\n        data:\n          a: b',
      "kind: Secret\n        metadata: {name: a}\n        immutable: ${size(schema.spec.m) > 1 || schema.spec.m == 'x'}",
    );
    const after = extract(text.replace('immutable: $', 'immutable: $'));
    expect(after === 'none').toBe(true);
    const position = open(text).workspace.files.get(URI)?.positionAt(text.indexOf('size(')) ?? ALL.start;
    const [found] = open(text)
      .actions(URI, { start: position, end: position })
      .filter(({ kind }) => kind === 'refactor.extract');
    const made = applied(text, found as CodeAction);
    expect(made).toContain("immutable: ${immutableValue.data.value == 'true'}");
    expect(made).toContain("value: ${string(size(schema.spec.m) > 1 || schema.spec.m == 'x')}");
    expect(codesIn(made)).toEqual([]);
  });
  it('copies the conditions of the node', () => {
    const conditions = '      includeWhen:\n        - ${schema.spec.m != "a: b"}\n';
    const text = rgd('      m: string | default=a', '${schema.spec.m + "x"}', conditions.replace('"a: b"', '"a"'));
    expect(extract(text)).toContain('    - id: aValue\n      includeWhen:\n        - ${schema.spec.m != "a"}\n');
    expect(codesIn(extract(text))).toEqual([]);
  });
  it.each([
    ['a mere reference', '${schema.spec.m}', ''],
    ['what an iterator decides', '${i + "x"}', '      forEach:\n        - i: ${["a", "b"]}\n'],
  ])('is not offered for %s', (_, expression, more) => {
    expect(extract(rgd('      m: string | default=a', expression, more))).toBe('none');
  });
});
