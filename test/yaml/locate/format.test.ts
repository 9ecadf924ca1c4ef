import { describe, expect, test } from 'vitest';
import type { Diagnostic, Report } from '../../../src/core/diagnostics/diagnostic.ts';
import { composeText } from '../../../src/core/diagnostics/index.ts';
import type { Path } from '../../../src/core/model/value.ts';
import { formatDiagnostics, formatDiagnosticsJson } from '../../../src/yaml/locate/format.ts';
import { createLocator, toDiagnostic } from '../../../src/yaml/locate/locate.ts';

const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: web}
spec:
  resources:
    - id: svc
      template:
        kind: Service
        spec:
          port: "\${schema.spec.prot}"
`;
const source = { file: 'rgds/web.yaml', text, document: 0, path: [] };
const port: Path = ['spec', 'resources', 0, 'template', 'spec', 'port'];

const full: Report = {
  code: 'expression-type',
  message: composeText`no field 'prot'`,
  path: port,
  offset: 14,
  hint: composeText`did you mean 'port'?`,
  object: composeText`web`,
  node: 'svc',
  source,
};

const diagnosed = (report: Report): Diagnostic => toDiagnostic(report, createLocator());

describe('a located diagnostic', () => {
  test('has all fields in the order of the JSON form', () => {
    expect(Object.entries(diagnosed(full))).toEqual([
      ['severity', 'error'],
      ['code', 'expression-type'],
      ['stage', 'compile'],
      ['object', 'web'],
      ['node', 'svc'],
      ['field', 'spec.resources[0].template.spec.port'],
      ['file', 'rgds/web.yaml'],
      ['line', 10],
      ['column', 32],
      ['endColumn', 36],
      ['message', "no field 'prot'"],
      ['hint', "did you mean 'port'?"],
    ]);
  });

  test('has no location without a source', () => {
    const report: Report = { code: 'yaml-syntax', message: composeText`m`, path: [], severity: 'warning' };
    expect(diagnosed(report)).toEqual({ severity: 'warning', code: 'yaml-syntax', stage: 'parse', message: 'm' });
  });

  test('keeps a known location', () => {
    const report: Report = {
      code: 'yaml-syntax',
      message: composeText`m`,
      path: [],
      source,
      position: { line: 3, column: 4 },
    };
    expect(diagnosed(report)).toMatchObject({ line: 3, column: 4 });
  });

  test('has the position of the key for errors of keys', () => {
    expect(diagnosed({ ...full, code: 'unknown-template-field' })).toMatchObject({ line: 10, column: 11 });
    expect(diagnosed({ code: 'rgd-unknown-field', message: composeText`m`, path: port, source })).toMatchObject({
      column: 11,
    });
  });

  test('may be of an object in a list', () => {
    const list = 'kind: List\nitems:\n  - kind: A\n    spec:\n      a: 1\n';
    const item = { file: 'f', text: list, document: 0, path: ['items', 0] };
    expect(diagnosed({ code: 'rgd-shape', message: composeText`m`, path: ['spec', 'a'], source: item })).toMatchObject({
      field: 'spec.a',
      line: 5,
      column: 10,
    });
  });
});

describe('a diagnostic as text', () => {
  const base: Diagnostic = { severity: 'error', code: 'yaml-syntax', stage: 'parse', message: 'm' };

  test('has a line, an excerpt and a hint', () => {
    const sources = new Map([['rgds/web.yaml', text]]);
    expect(formatDiagnostics([diagnosed(full)], sources)).toBe(
      `error[expression-type] web node svc: no field 'prot'
  --> rgds/web.yaml:10:32 spec.resources[0].template.spec.port
              port: "\${schema.spec.prot}"
                                   ^
  hint: did you mean 'port'?
`,
    );
  });

  test.each<[string, Partial<Diagnostic>, string]>([
    ['nothing but the message', {}, 'error[yaml-syntax]: m\n'],
    ['a file', { file: 'f' }, 'error[yaml-syntax]: m\n  --> f\n'],
    ['a line', { file: 'f', line: 1, column: 2 }, 'error[yaml-syntax]: m\n  --> f:1:2\n'],
    ['an object', { object: 'A/b' }, 'error[yaml-syntax] A/b: m\n'],
    ['a node and a field', { node: 'n', field: 'x.y' }, 'error[yaml-syntax] node n x.y: m\n'],
    ['a warning', { severity: 'warning' }, 'warning[yaml-syntax]: m\n'],
    ['several lines', { message: 'a\nb', hint: 'c\nd' }, 'error[yaml-syntax]: a\n    b\n  hint: c\n  d\n'],
    [
      'names that begin another line',
      { object: 'A/b\nc.yaml:1:1: error[x]', file: 'f\ng' },
      'error[yaml-syntax] A/b\\nc.yaml:1:1: error[x]: m\n  --> f\\ng\n',
    ],
    ['control characters', { message: 'a\u001B[31m\r\u202E' }, 'error[yaml-syntax]: a\\u001b[31m\\u000d\\u202e\n'],
  ])('%s', (_, more, expected) => {
    expect(formatDiagnostics([{ ...base, ...more }])).toBe(expected);
  });

  test('keeps tabs before the caret, and cuts long lines', () => {
    const sources = new Map([['f', `a:\tb\n${'x'.repeat(200)}y${'z'.repeat(200)}`]]);
    expect(formatDiagnostics([{ ...base, file: 'f', line: 1, column: 4 }], sources)).toMatch(
      /\n {4}a:\tb\n {6}\t\^\n$/,
    );
    const [, , line = '', caret = ''] = formatDiagnostics(
      [{ ...base, file: 'f', line: 2, column: 201 }],
      sources,
    ).split('\n');
    expect(line[caret.indexOf('^')]).toBe('y');
    expect(line.length).toBeLessThan(150);
  });

  test('has no excerpt of a Secret', () => {
    const secrets = `kind: ConfigMap\ndata: {a: b}\n---\nkind: "Secret"\ndata:\n  a: hunter2\nmetadata: {name: 1}\n`;
    const sources = new Map([['f', secrets]]);
    const shown = (more: Partial<Diagnostic>): boolean =>
      formatDiagnostics([{ ...base, file: 'f', column: 1, ...more }], sources).includes('^');
    expect(shown({ line: 2 })).toBe(true);
    expect(shown({ line: 6 })).toBe(false);
    expect(shown({ line: 6, field: 'data.a' })).toBe(false);
    expect(shown({ line: 6, field: 'spec.resources[0].template.stringData["x.y"]' })).toBe(false);
    expect(shown({ line: 7, field: 'metadata.name' })).toBe(true);
    expect(shown({ line: 7, field: 'metadata.name', object: 'Secret/s' })).toBe(false);
  });
});

test('diagnostics as JSON are one array, with fields in one order', () => {
  const scrambled: Diagnostic = {
    message: 'm',
    line: 1,
    stage: 'parse',
    file: 'f',
    code: 'yaml-syntax',
    severity: 'error',
  };
  expect(formatDiagnosticsJson([])).toBe('[]\n');
  expect(JSON.stringify(JSON.parse(formatDiagnosticsJson([scrambled])))).toBe(
    '[{"severity":"error","code":"yaml-syntax","stage":"parse","file":"f","line":1,"message":"m"}]',
  );
});
