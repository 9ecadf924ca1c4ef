import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, getLine } from '../../../src/kubernetes/kubectl/index.ts';
import { runs } from '../../properties/runs.ts';

const core = { apiVersion: 'v1', kind: 'Service', namespace: 'web', name: 'blog' };

describe('the command for one object', () => {
  it.each([
    [core, 'kubectl get --namespace=web -o yaml --ignore-not-found -- Service.v1. blog'],
    [{ ...core, namespace: '' }, 'kubectl get -o yaml --ignore-not-found -- Service.v1. blog'],
    [
      { ...core, name: '--kubeconfig=x' },
      "kubectl get --namespace=web -o yaml --ignore-not-found -- Service.v1. '--kubeconfig=x'",
    ],
    [{ ...core, name: '-f' }, "kubectl get --namespace=web -o yaml --ignore-not-found -- Service.v1. '-f'"],
    [{ ...core, namespace: '-A' }, "kubectl get --namespace='-A' -o yaml --ignore-not-found -- Service.v1. blog"],
    [
      { ...core, name: "a';id;'" },
      `kubectl get --namespace=web -o yaml --ignore-not-found -- Service.v1. 'a'\\'';id;'\\'''`,
    ],
    [
      { ...core, name: 'system:node$(id)' },
      "kubectl get --namespace=web -o yaml --ignore-not-found -- Service.v1. 'system:node$(id)'",
    ],
    [{ ...core, name: '' }, '# kubectl cannot be asked for Service.v1. web/'],
    [{ ...core, name: 'a/b' }, '# kubectl cannot be asked for Service.v1. web/a/b'],
    [{ ...core, kind: 'Secret,Foo' }, '# kubectl cannot be asked for Secret,Foo.v1. web/blog'],
    [{ ...core, kind: 'Foo\nid\n#' }, "# 'kubectl cannot be asked for Foo\\nid\\n#.v1. web/blog'"],
    [{ ...core, apiVersion: "a b/v1';id" }, `# 'kubectl cannot be asked for Service.v1'\\'';id.a b web/blog'`],
    [{ ...core, name: 'a\u2028id' }, "# 'kubectl cannot be asked for Service.v1. web/a\\u2028id'"],
    [
      { ...core, name: undefined, namespace: 'a b', selector: 'x=y' },
      "# 'kubectl cannot be asked for Service.v1. a b/x=y'",
    ],
    [{ ...core, name: undefined, kind: '`id`' }, "# 'a `id`.v1. whose name is not known yet'"],
  ])('is %j', (asked, line) => expect(getLine(asked)).toBe(line));
});

/** Names with a special meaning in a shell or kubectl. */
const HOSTILE = [
  '-',
  '=',
  "'",
  '"',
  '\\',
  '\n',
  '\r',
  '$(touch x)',
  '`touch x`',
  ';touch x;',
  '!!',
  '#',
  '*',
  '~',
  ' ',
  '|',
  '&',
  '>',
  '%',
  '/',
  ',',
  'é',
  '\u202e',
  '\u2028',
  '\t',
  '\u001b[2J',
  '--kubeconfig',
  '--',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.constantFrom('a', 'B', '1', '.'), fc.string({ unit: 'binary' })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const kind = fc.oneof(text, fc.constantFrom('Service', 'Secret'));
const apiVersion = fc.oneof(text, fc.constantFrom('v1', 'example.com/v1'));

describe.each(['bash', 'sh'])('the commands for any names, in %s', (shell) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
    // Prints every argument in brackets, which a shell does not add.
    writeFileSync(join(folder, 'kubectl'), `#!/bin/sh\n{ printf '[%s]' "$@"; printf '\\n'; } >> calls\n`);
    chmodSync(join(folder, 'kubectl'), 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('run only kubectl, with the names as operands', () => {
    const asked = fc.record({ apiVersion, kind, namespace: text, name: fc.option(text, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 20 }), (all) => {
        const script = all.map((one) => `${getLine(one)}\n`).join('');
        expect(script.split('\n')).toHaveLength(all.length + 1);
        writeFileSync(join(folder, 'calls'), '');
        const run = (...args: string[]) =>
          execFileSync(shell, [...args, '-c', script], {
            cwd: folder,
            env: { PATH: `${folder}:${process.env.PATH}` },
            encoding: 'utf8',
            stdio: 'pipe',
          });
        expect(run('-n')).toBe('');
        expect(run()).toBe('');
        expect(readdirSync(folder).sort()).toEqual(['calls', 'kubectl']);
        expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe(all.map(called).join(''));
      }),
      runs(2),
    );
  });
});

/** Returns the arguments of kubectl, if it is called. */
function called(asked: Asked): string {
  if (getLine(asked).startsWith('#')) return '';
  const [group, version] = asked.apiVersion.includes('/') ? asked.apiVersion.split('/') : ['', asked.apiVersion];
  const namespace = asked.namespace === '' ? [] : [`--namespace=${asked.namespace}`];
  const operands = [`${asked.kind}.${version}.${group}`, asked.name];
  return `${['get', ...namespace, '-o', 'yaml', '--ignore-not-found', '--', ...operands].map((word) => `[${word}]`).join('')}\n`;
}

it('the property tests commands, not only comments', () => {
  const lines = fc
    .sample(fc.record({ apiVersion, kind, namespace: text, name: text }), { numRuns: 500, seed: 1 })
    .map(getLine);
  expect(lines.filter((line) => line.startsWith('kubectl')).length).toBeGreaterThan(20);
  expect(lines.filter((line) => line.startsWith('#')).length).toBeGreaterThan(20);
});
