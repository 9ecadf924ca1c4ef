import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

/** Control and format characters, which are invisible or change the order of text. */
const STEERS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const hostile = String.raw`apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: hostile}
spec:
  schema: {apiVersion: v1alpha1, kind: Hostile, spec: {text: string}}
  resources:
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "${'${schema.metadata.name}'}"}
        spec: {ports: [{port: 80}]}
    - id: waits
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: waits}
        data:
          text: "\e[31m\x9b31m\u202e"
          waits: "${"${service.spec.clusterIP + '\\e[31m\\x9b31m\\u202e'}"}"
---
apiVersion: kro.run/v1alpha1
kind: Hostile
metadata: {name: good}
`;
const wrong = String.raw`apiVersion: kro.run/v1alpha1
kind: Hostile
metadata: {name: "bad\e[31m\x9b\u202e\u2028\nfake.yaml:1:1: error[fake] none", labels: {"a\e": b}}
spec: {"text\e[31m\n": "x\e"}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-terminal-'));
  writeFileSync(join(folder, 'hostile.yaml'), hostile);
  writeFileSync(join(folder, 'wrong\u001b[31m\n.yaml'), wrong);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('control characters of the input are escaped on the terminal', () => {
  it.each([
    ['pending'],
    ['render'],
    ['render', '--diagnostics', 'json'],
    ['render', '--on-pending', 'placeholder'],
    ['render', '--on-pending', 'placeholder', '-o', 'json'],
    ['crd', '-o', 'json'],
    ['doctor'],
  ])('%s %s %s %s %s', async (command, ...options) => {
    for (const path of [join(folder, 'hostile.yaml'), folder]) {
      const { stdout, stderr } = await invoke([command, path, ...options]);
      expect(stdout + stderr).not.toBe('');
      expect(stdout).not.toMatch(STEERS);
      expect(stderr).not.toMatch(STEERS);
      expect(stderr).not.toMatch(/^fake\.yaml/m);
    }
  });

  it('in arguments', async () => {
    for (const args of [['render', '--\u001b[31m'], ['\u001b[31m'], ['render', '/no/\u001b[31m']]) {
      const { code, stderr } = await invoke(args);
      expect(code).not.toBe(0);
      expect(stderr).not.toMatch(STEERS);
    }
  });

  it('in the results of the KRM function', async () => {
    const item = { apiVersion: 'kro.run/v1alpha1', kind: 'Nobody', metadata: { name: 'a\u001b[31m\u009b' } };
    const list = { apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items: [item] };
    const { stdout, stderr } = await invoke([], JSON.stringify(list));
    expect(stderr).not.toMatch(STEERS);
    // The function does not own the item, so its text is unchanged.
    expect(stdout).toContain(JSON.stringify(item));
    const added = stdout.replace(JSON.stringify(item), '');
    expect(added).not.toMatch(STEERS);
    expect(added).toContain('"message": ');
  });
});

describe('invisible characters of names, kinds, keys and values are escaped in every format', () => {
  /** One of each class that a reader or a terminal treats in its own way. */
  const CHARACTERS =
    '\u0001 \u001b \u007f \u0085 \u009b \u00ad \u061c \u0600 \u180e \u200b \u200d \u200e \u200f \u2028 \u2029 \u202a \u202e \u2060 \u2066 \u2069 \ufeff \ufff9 \u{110bd} \u{1d173} \u{e0041}'.split(
      ' ',
    );
  const all = CHARACTERS.join('');
  const text = (plain: string): string => JSON.stringify(`${plain}${all}`);
  const input = `apiVersion: v1
kind: ${text('Kind')}
metadata: {name: ${text('name')}, labels: {${text('label')}: ${text('value')}}}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: ${text('rgd')}}
spec:
  schema: {apiVersion: v1alpha1, kind: Site, spec: {title: ${text('string')}, ${text('field')}: string}}
  resources:
    - id: ${text('id')}
      ${text('unknown')}: 1
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${text('c')}}, data: {${text('k')}: ${text('v')}}}
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: good}
spec:
  schema: {apiVersion: v1alpha1, kind: Good, spec: {title: string}}
  resources:
    - id: map
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: map}, data: {a: ${text('${schema.spec.title}')}}}
---
apiVersion: kro.run/v1alpha1
kind: Good
metadata: {name: good, namespace: x, annotations: {${text('note')}: ${text('note')}}}
spec: {title: ${text('title')}, ${text('other')}: ${text('other')}}
`;
  const newer = input.replaceAll('title', 'title2').replaceAll('name', 'name2');
  const at = (name: string): string => join(folder, 'invisible', name);
  beforeAll(() => {
    mkdirSync(join(folder, 'invisible/tests/a'), { recursive: true });
    writeFileSync(at(`a${all.replace('\u0000', '')}.yaml`), input);
    writeFileSync(at('old.yaml'), input);
    writeFileSync(at('new.yaml'), newer);
    writeFileSync(
      at('unformatted.yaml'),
      `kind: ResourceGraphDefinition\napiVersion: kro.run/v1alpha1\nmetadata: {name: ${text('a')}}\n`,
    );
    writeFileSync(at('tests/a/test.yaml'), 'all: true\n');
    writeFileSync(at('tests/a/in.yaml'), input);
    writeFileSync(at('tests/a/expected.yaml'), input);
    const git = (...args: string[]): void => {
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
      execFileSync('git', [...own, ...args], { cwd: at('.') });
    };
    writeFileSync(at('app.yaml'), APPLICATION);
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    writeFileSync(at('old.yaml'), newer);
  });
  const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${text('app')}, namespace: argocd}
spec: {destination: {namespace: ${text('x')}}, source: {repoURL: https://h/x, path: ., directory: {include: old.yaml}}}
`;

  const reports = ['text', 'json', 'sarif', 'github', 'junit'].map((format) => ['--report', format]);
  const formats = (...names: string[]): string[][] => names.map((name) => ['-o', name]);
  const SURFACES: [command: string, paths: string[], options: string[][]][] = [
    ['validate', ['old.yaml'], [...reports, ['--verbose']]],
    ['validate', ['.'], reports],
    ['render', ['old.yaml'], [...reports, ['--all'], ['--all', '-o', 'json']]],
    ['diff', ['old.yaml', 'new.yaml'], [[], ...formats('json', 'markdown'), ['--all']]],
    ['compat', ['old.yaml', 'new.yaml'], [[], ...formats('json')]],
    ['plan', ['.', '--against', 'HEAD'], [...formats('text', 'json', 'markdown', 'html'), ...reports]],
    ['graph', ['old.yaml'], formats('mermaid', 'dot', 'svg')],
    ['doctor', ['old.yaml'], [[], ...reports]],
    ['pending', ['old.yaml'], [[], ...formats('json')]],
    ['docs', ['old.yaml'], [[]]],
    ['rbac', ['old.yaml'], [[]]],
    ['migrate', ['old.yaml'], [[]]],
    ['test', ['tests'], [...reports]],
    ['fmt', ['unformatted.yaml'], [['--diff'], ['--check']]],
    ['explain', ['Good/x/good', 'old.yaml'], [[], ...formats('json')]],
    ['crd', ['old.yaml'], [[], ...formats('json')]],
    ['instance', ['old.yaml'], [[]]],
  ];
  const cases = SURFACES.flatMap(([command, paths, options]) => options.map((own) => [command, ...paths, ...own]));

  it.each(cases.map((args) => [args.join(' '), args]))('%s', async (_, args) => {
    const placed = args.map((arg) => (/^(\.|tests|\w+\.yaml)$/.test(arg) ? at(arg) : arg));
    const { stdout, stderr, code } = await invoke(placed);
    expect(code).toBeLessThan(3);
    expect(stdout + stderr).not.toBe('');
    expect(stdout.match(STEERS)).toBeNull();
    expect(stderr.match(STEERS)).toBeNull();
    // The page shows the texts that it parses.
    for (const [, json = ''] of stdout.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/gs)) {
      expect(JSON.stringify(JSON.parse(json)).match(STEERS)).toBeNull();
    }
  });
});
