import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import * as allCommands from '../../src/cli/commands.ts';
import { exitCode } from '../../src/cli/output.ts';
import { compareVersions, comparisonJson, comparisonMarkdown, comparisonText } from '../../src/compare/diff/index.ts';
import { renderVersion } from '../../src/compare/review/index.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../src/core/model/object.ts';
import type { Path } from '../../src/core/model/value.ts';
import { addressOf } from '../../src/describe/address/index.ts';
import {
  addressable,
  explainable,
  explainField,
  explainInstance,
  explainNode,
  explanationText,
  instanceText,
  nodeText,
} from '../../src/describe/explain/index.ts';
import { type PlanInput, planChange, planHtml, planJson, planMarkdown, planText } from '../../src/gitops/plan/index.ts';
import { defaultRenderOptions, defaultSettings } from '../../src/render/options/index.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import { invoke } from '../cli/invoke.ts';
import { application, filesOf } from '../gitops/plan/repository.ts';
import { LONG, runs } from './runs.ts';
import { planted, plantedInStage } from './secret-routes.ts';

const LETTERS = 'abcdefghijkmnprstuvwxyz23456789';

/** A value unlike anything else in a package. */
const values = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 22, maxLength: 22 })
  .map((letters) => `q${letters.join('')}7q`);

type Invocations = readonly (readonly string[])[];

/**
 * The arguments of each command, with `-` for the package, PACKAGE and OTHER for files with it and with another object;
 * or why the command says nothing of a package here. A new command does not type-check without an entry.
 */
const ARGUMENTS: Readonly<Record<keyof typeof allCommands, Invocations | string>> = {
  compat: [
    ['PACKAGE', 'OTHER'],
    ['OTHER', 'PACKAGE', '--instances', 'PACKAGE'],
    ['PACKAGE', '--kro', '0.10'],
  ],
  completion: 'it reads no package',
  crd: [['-']],
  diff: [
    ['PACKAGE', 'OTHER', '--on-pending', 'skip'],
    ['OTHER', 'PACKAGE', '-o', 'markdown', '--on-pending', 'placeholder'],
  ],
  docs: [['-']],
  doctor: [['-']],
  explain: [
    ...['Outer/one', 'ResourceSet/set', 'ResourceSet/none', 'Strict/none'].map((object) => [object, '-']),
    ['ConfigMap/none', '.data', '-'],
    ...['Outer/one', 'Through/through', 'Strict/none'].map((one) => [one, '--eval', 'schema.spec', '-']),
  ],
  extract: [
    ['PACKAGE', 'PACKAGE', '--kind', 'Copy', '--dry-run'],
    ['-', '--kind', 'Copy', '--without', 'ResourceGraphDefinition'],
  ],
  fmt: [['PACKAGE', '--check']],
  graph: [
    ...['Outer/one', 'ResourceSet/set', 'ResourceSet/none'].map((object) => ['-', '--instance', object]),
    ['-', '-o', 'svg'],
  ],
  init: 'it reads no package',
  instance: [['Outer', '-']],
  lsp: 'test/language-server/masked.ts asks it',
  mcp: 'its tools are functions of the other commands',
  migrate: [['PACKAGE', '--from', 'PACKAGE']],
  observe: [['PACKAGE', '--from', 'PACKAGE']],
  pending: [['-'], ['-', '-o', 'json'], ['-', '--kubectl']],
  plan: 'see `planned`',
  playground: 'it is a server',
  plugin: 'it renders a repository, and prints the diagnostics of `render`',
  rbac: [['-']],
  render: [
    ['-', '--all'],
    ['-', '--all', '--diagnostics', 'json', '--on-pending', 'skip', '--order', 'argocd'],
    ['-', '--all', '--max-collection-size', '100', '--on-pending', 'placeholder'],
  ],
  schema: [['Outer', '-']],
  test: 'see `tested`',
  validate: ['text', 'json', 'sarif', 'junit', 'github'].map((report) => ['-', '--report', report]),
};
/** Their standard output is the rendered or live objects. */
const OUTPUT = ['render', 'observe'];

/** Each returns diagnostics or reports of the program for a package. Rendered objects are not included. */
const SAID: readonly ((text: string, documents: readonly string[]) => string | Promise<string>)[] = [
  ...Object.entries(ARGUMENTS).flatMap(([command, all]) =>
    typeof all === 'string' ? [] : all.map((args) => (text: string) => saidBy(command, args, text)),
  ),
  (text) => written(text),
  (text) => tested(text),
  (text) => comparedWithNothing(text),
  (text) => planned(text),
  (text) => explained(text),
  async (_, documents) => {
    const items = documents.map((document) => `- ${document.trimEnd().replaceAll('\n', '\n  ')}`).join('\n');
    const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items}\n`;
    const { stdout, stderr } = await invoke([], list);
    return stderr + stdout.slice(stdout.lastIndexOf('\nresults:')).replace(/^\napiVersion[\s\S]*/, '');
  },
];

const commandOf = (name: string): Command => new Map<string, Command>(Object.entries(allCommands)).get(name) as Command;

const saidBy = (command: string, args: readonly string[], text: string): Promise<string> =>
  inFolder(async (folder) => {
    const files = { PACKAGE: text, OTHER: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n' };
    const paths = args.map((arg) => (arg in files ? join(folder, `${arg}.yaml`) : arg));
    for (const [name, content] of Object.entries(files))
      if (args.includes(name)) writeFileSync(join(folder, `${name}.yaml`), content);
    const { shared, ignored = {} } = commandOf(command);
    const accepts = Object.hasOwn(shared, 'experimental') || Object.hasOwn(ignored, 'experimental');
    const experimental = /kind: Graph\b/.test(text) && accepts ? ['--experimental', 'graph'] : [];
    const { stdout, stderr, code } = await invoke([command, ...paths, ...experimental], text);
    expect(code, args.join(' ')).not.toBe(exitCode.usage);
    return OUTPUT.includes(command) ? stderr : `${stdout}${stderr}`;
  });

/** Returns what a rendering into a folder with an edited file and with others reports. */
const written = (text: string): Promise<string> =>
  inFolder(async (out) => {
    const args = ['render', '-', '--all', '--output-dir', out, '--on-pending', 'skip'];
    const first = await invoke(args, text);
    const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const { parentPath, name } of files)
      if (!name.startsWith('.')) appendFileSync(join(parentPath, name), '# edited\n');
    const edited = await invoke(args, text);
    const checked = await invoke([...args, '--check'], text);
    return [first, edited, checked].map(({ stderr }) => stderr).join('\n');
  });

/** Returns what a golden test reports that expects another object and no diagnostics. */
const tested = (text: string): Promise<string> =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, 'input.yaml'), text);
    writeFileSync(join(folder, 'test.yaml'), 'onPending: skip\n');
    writeFileSync(join(folder, 'expected.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n');
    const { stdout, stderr } = await invoke(['test', folder]);
    return `${stdout}${stderr}`;
  });

/** Returns the result of a function with a temporary folder, whose name differs each time. */
async function inFolder(use: (folder: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-secrets-'));
  try {
    return (await use(folder)).replaceAll(folder, 'FOLDER');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the plans of adding a package to a repository and of removing it. */
function planned(text: string): string {
  const without = { 'argocd/app.yaml': application('app', '{ path: apps, plugin: { name: render-rgd } }') };
  const sides = [filesOf(without), filesOf({ ...without, 'apps/all.yaml': text })] as const;
  const changed = new Set(['apps/all.yaml']);
  const options = { settings: { ...defaultSettings, onPending: 'skip' }, urls: [], holdsData: [] } as const;
  return [sides, sides.toReversed()]
    .map(([before, after]) => planChange({ before, after, changed } as PlanInput, options))
    .flatMap((plan) => [planText(plan), planMarkdown(plan), planJson(plan), planHtml(plan)])
    .join('\n');
}

/** Returns the output of `diff` for a package against an empty one. */
function comparedWithNothing(text: string): string {
  const version = renderVersion(
    { objects: readStreams([{ file: '-', text }], new Collector()) },
    { ...defaultRenderOptions, all: true, order: 'kpt', onPending: 'skip' },
  );
  const comparison = compareVersions(version.objects, []);
  return [comparisonText, comparisonJson, comparisonMarkdown].map((write) => write(comparison)).join('\n');
}

/** Returns the output of `explain` for every node and every field. */
function explained(text: string): string {
  const { package: pack } = explainable(
    { objects: readStreams([{ file: '-', text }], new Collector()) },
    defaultRenderOptions,
  );
  if (pack === undefined) return '';
  const plain = (_: string, line: string): string => line;
  const nodes = pack.runs.flatMap((run) => [
    instanceText(explainInstance(run, pack), plain),
    ...run.graph.nodes.map((node) => nodeText(explainNode(node, run, pack), plain)),
  ]);
  const fields = addressable(pack).flatMap((one) =>
    pathsIn(one.object).map((path) => {
      const told = explainField(addressOf(one.object), path, pack);
      return 'fault' in told ? told.fault : explanationText(told, plain);
    }),
  );
  return [...nodes, ...fields].join('\n');
}

/** Known keys only: others may be values themselves, which users do not ask for. */
const pathsIn = (object: KubeObject): Path[] => [
  ...Object.keys(object).map((key) => [key]),
  ...['p', 'v', 'none'].map((key) => ['data', key]),
  ['metadata', 'name'],
  ['metadata', 'labels', 'l'],
  ['stringData', 'p'],
];

/** Returns whether a text has a value, a part of it, or its base64. */
function shows(text: string, value: string): boolean {
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${value}`)
      .toString('base64')
      .slice(4, -4),
  );
  return [value, ...encoded].some((one) => text.toLowerCase().includes(one.toLowerCase()));
}

describe('a value of a Secret', () => {
  it('does not affect diagnostics, wherever it flows and whatever fails', { timeout: LONG }, async () => {
    const failed = new Set<string>();
    const { numRuns } = runs(90);
    const some = fc.subarray(
      SAID.map((_, index) => index),
      { minLength: 5, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(planted, values, values, some, async ({ documents, ways }, one, other, asked) => {
        for (const index of asked) {
          const say = SAID[index] as (typeof SAID)[number];
          const saidOf = async (all: readonly string[]): Promise<string> => say(all.join('\n---\n'), all);
          const [said, same] = [await saidOf(documents(one)), await saidOf(documents(other))];
          if (said.includes('error[')) failed.add(ways);
          // Two values of one length have the same output, so no part of either is in it.
          expect(said, ways).toBe(same);
        }
      }),
      { numRuns },
    );
    expect(failed.size).toBeGreaterThan(numRuns / 6);
  });

  it('is not printed by a later stage that reads the rendered object', { timeout: LONG }, async () => {
    const leaks = new Map<string, number>();
    let packages = 0;
    await fc.assert(
      fc.asyncProperty(
        plantedInStage,
        values,
        fc.subarray(
          SAID.map((_, index) => index),
          { minLength: 6, maxLength: 6 },
        ),
        async ({ documents, ways }, value, asked) => {
          packages += 1;
          for (const index of asked) {
            const all = documents(value);
            const said = await (SAID[index] as (typeof SAID)[number])(all.join('\n---\n'), all);
            if (shows(said, value)) leaks.set(`${ways} ${index}`, (leaks.get(`${ways} ${index}`) ?? 0) + 1);
          }
        },
      ),
      runs(60),
    );
    console.log(`${packages} packages, ${packages * 6} outputs`);
    expect([...leaks.keys()], `${packages} packages`).toEqual([]);
  });
});
