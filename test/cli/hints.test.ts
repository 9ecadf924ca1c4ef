import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readRules } from '../../src/check/rules/index.ts';
import { type Command, parseArguments } from '../../src/cli/command.ts';
import { descriptions } from '../../src/cli/help.ts';
import { commands } from '../../src/cli/loaded.ts';
import { Collector, type Problem } from '../../src/core/diagnostics/index.ts';
import * as keys from '../../src/core/model/keys.ts';
import { flagOf } from '../../src/render/options/index.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import { examples } from '../core/diagnostics/examples/index.ts';
import { anchorsOf } from '../docs-run/links.ts';
import { invoke } from './invoke.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const all: Readonly<Record<string, Command>> = commands;
const optionsOf = ({ own, shared, ignored }: Command) => ({ ...own, ...shared, ...ignored });
const flags = new Set(Object.values(all).flatMap((command) => Object.keys(optionsOf(command)).map(flagOf)));

/** Options of other programs that hints name: of kustomize and kubectl. */
const OF_OTHERS = new Set(['--enable-alpha-plugins', '--enable-exec', '--namespace']);

/** Words in capital letters stand for something of the user. */
const filled = (text: string): string => text.replace(/\bPATH\.\.\./g, 'PATH');

interface Hinted {
  code: string;
  hint: string;
}

const hinted: Hinted[] = [];
for (const [code, { find }] of Object.entries(examples))
  for (const { hint } of await find()) if (hint !== undefined) hinted.push({ code, hint });

const hintsWith = (pattern: RegExp): (readonly [string, string])[] => {
  const found = hinted.flatMap(({ code, hint }) => (hint.match(pattern) ?? []).map((text) => `${code}\n${text}`));
  return [...new Set(found)].map((one) => one.split('\n') as [string, string]);
};

describe('what a hint names exists', () => {
  it.each(hintsWith(/(?<![\w-])--[a-z][a-z-]*/g))('%s: %s', (_, flag) => {
    expect(flags.has(flag) || OF_OTHERS.has(flag)).toBe(true);
  });

  it.each(hintsWith(/render-rgd (?!-)[a-z]+(?: (?:-|--[a-z-]+|[A-Z]+(?:\.\.\.)?))*/g))('%s: %s', (_, written) => {
    const [, name = '', ...args] = filled(written).split(' ');
    const command = all[name];
    expect(command, written).toBeDefined();
    if (command !== undefined) expect(parseArguments(args, optionsOf(command)).fault).toBeUndefined();
  });

  it.each(hintsWith(/rules: \[.*?\}\]/g))('%s: %s', (_, rules) => {
    const problems: Problem[] = [];
    const [document] = readStreams([{ file: 'render-rgd.yaml', text: rules }], new Collector());
    expect(readRules(document?.object, (problem) => problems.push(problem))).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it.each(hintsWith(/render-rgd\.dev\/[a-z-]+/g))('%s: %s', (_, key) => {
    expect(Object.values(keys)).toContain(key);
  });
});

const PAGE = /(?:https:\/\/github\.com\/render-rgd\/render-rgd\/blob\/main\/)?docs\/[a-z0-9.-]+\.md(?:#[a-z0-9-]+)?/g;
const URL_START = 'https://github.com/render-rgd/render-rgd/blob/main/';

function expectPage(link: string): void {
  expect(link.startsWith(URL_START), `${link}: whoever reads it may have no clone`).toBe(true);
  const [path = '', anchor] = link.slice(URL_START.length).split('#');
  expect(existsSync(join(root, path)), path).toBe(true);
  if (anchor !== undefined) expect(anchorsOf(readFileSync(join(root, path), 'utf8'))).toContain(anchor);
}

describe('a page that a text names', () => {
  it.each(hintsWith(PAGE))('%s: %s', (_, link) => expectPage(link));

  it.each(Object.keys(descriptions))('in the help of %s', async (name) => {
    const { stdout } = await invoke([name, '--help']);
    for (const [link] of stdout.matchAll(PAGE)) expectPage(link);
  });

  it('in the help of the options', async () => {
    const { stdout } = await invoke(['help', 'options']);
    for (const [link] of stdout.matchAll(PAGE)) expectPage(link);
  });

  it('is written with docsUrl in the sources', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const found = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => readFileSync(join(root, 'src', file), 'utf8').split('\n'))
      .filter((line) => /[\x60'"][^\x60'"]*\bdocs\/[a-z0-9-]+\.md/.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line));
    expect(found).toEqual([]);
  });
});

const bucket = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: store }
spec:
  schema:
    apiVersion: v1alpha1
    kind: Store
    spec: { names: '[]string | default=["a","b"]' }
  resources:
    - id: RESOURCE
---
apiVersion: kro.run/v1alpha1
kind: Store
metadata: { name: blog, namespace: web }
`;
const withNode = (node: string): string => bucket.replace('RESOURCE', node);
const unknownKind = withNode(`bucket
      template:
        apiVersion: cloud.example.com/v1
        kind: Bucket
        metadata: { name: "\${schema.metadata.name}" }
`).replace('names: ', 'unused: ');
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: buckets.cloud.example.com }
spec:
  group: cloud.example.com
  scope: Namespaced
  names: { kind: Bucket, plural: buckets }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`;
const pending = withNode(`service
      template:
        apiVersion: v1
        kind: Service
        metadata: { name: "\${schema.metadata.name}" }
        spec: { ports: [{ port: 80 }] }
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: "\${schema.metadata.name}" }
        data: { ip: "\${service.spec.clusterIP}" }
`);
const collection = withNode(`config
      forEach: [{ name: "\${schema.spec.names}" }]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: "\${schema.metadata.name}-\${name}" }
`);
const instance = bucket.slice(bucket.indexOf('---\n') + 4);

/** A problem, and what its hint says: what follows it must end it. */
interface Followed {
  code: string;
  args: readonly string[];
  files: Readonly<Record<string, string>>;
  /** The part of the hint that is followed, with what the user fills in. */
  says: RegExp;
  follow: (said: readonly string[]) => { args?: readonly string[]; files?: Readonly<Record<string, string>> };
}

const FOLLOWED: Readonly<Record<string, Followed>> = {
  'a rule that turns a warning off': {
    code: 'unknown-kind',
    args: ['validate', 'in'],
    files: { 'in/a.yaml': unknownKind },
    says: /this line of (\S+) turns the warning off: (rules: .*?\}\])/,
    follow: ([, file = '', line = '']) => ({ files: { [file]: line } }),
  },
  'the CustomResourceDefinition of a kind': {
    code: 'unknown-kind',
    args: ['validate', 'in'],
    files: { 'in/a.yaml': unknownKind },
    says: /kubectl get crd (\S+) -o yaml > (\S+) writes it from a cluster, and (--definitions) (\S+) reads it/,
    follow: ([, name = '', file = '', flag = '', read = '']) => ({
      files: { [file]: CRD.replace('buckets.cloud.example.com', name) },
      args: [flag, read],
    }),
  },
  'a live object': {
    code: 'pending-value',
    args: ['render', 'in'],
    files: { 'in/a.yaml': pending },
    says: /supply it with (--observed): (\{.*\})/,
    follow: ([, flag = '', object = '']) => ({
      files: { 'live.yaml': object.replace('"..."', '"10.0.0.1"') },
      args: [flag, 'live.yaml'],
    }),
  },
  'a larger collection': {
    code: 'collection-too-large',
    args: ['render', 'in', '--max-collection-size', '1'],
    files: { 'in/a.yaml': collection },
    says: /raise (--max-collection-size)/,
    follow: ([, flag = '']) => ({ args: ['render', 'in', flag, '2'] }),
  },
  'the folder of the RGDs': {
    code: 'undefined-kind',
    args: ['render', 'in'],
    files: { 'in/a.yaml': instance, 'platform/rgd.yaml': collection.replace(/---\n[\s\S]*/, '') },
    says: /read it with (--definitions) (\S+),/,
    follow: ([, flag = '', file = '']) => ({ args: [flag, file] }),
  },
  'a controller in the cluster': {
    code: 'undefined-kind',
    args: ['validate', 'in'],
    files: { 'in/a.yaml': instance },
    says: /annotate the object with (\S+): (\S+)/,
    follow: ([, key = '', value = '']) => ({
      files: { 'in/a.yaml': instance.replace('namespace: web', `namespace: web, annotations: { ${key}: ${value} }`) },
    }),
  },
  'an expression that a condition consists of': {
    code: 'not-standalone',
    args: ['validate', 'in'],
    files: {
      'in/a.yaml': collection.replace(
        'forEach:',
        'includeWhen: ["${schema.metadata.name} == \'blog\'"]\n      forEach:',
      ),
    },
    says: /write (\$\{.*\})$/,
    follow: ([, expression = '']) => ({
      files: { 'in/a.yaml': collection.replace('forEach:', `includeWhen: ["${expression}"]\n      forEach:`) },
    }),
  },
};

describe('a hint, followed as it is written, ends the problem', () => {
  const home = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-hints-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (at: string, args: readonly string[]) => {
    process.chdir(at);
    try {
      const report = args[0] === 'validate' ? 'json' : 'json=found.json';
      const { stdout } = await invoke([...args, '--report', report]);
      const text = args[0] === 'validate' ? stdout : readFileSync('found.json', 'utf8');
      return JSON.parse(text) as { code: string; hint?: string }[];
    } finally {
      process.chdir(home);
    }
  };
  const write = (at: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at, name)), { recursive: true });
      writeFileSync(join(at, name), text);
    }
  };

  it.each(Object.entries(FOLLOWED))('%s', async (title, { code, args, files, says, follow }) => {
    const at = join(folder, title.replaceAll(' ', '-'));
    write(at, { ...files, '.git/HEAD': '' });
    const problem = (await run(at, args)).find((one) => one.code === code);
    expect(problem).toBeDefined();
    const said = says.exec(problem?.hint ?? '');
    expect(said, problem?.hint).not.toBeNull();
    const next = follow(said ?? []);
    write(at, next.files ?? {});
    const isWhole = next.args?.[0] === args[0];
    const after = await run(at, isWhole ? (next.args ?? []) : [...args, ...(next.args ?? [])]);
    expect(after.filter((one) => one.code === code)).toEqual([]);
  });
});
