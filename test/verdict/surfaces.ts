import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkPackage } from '../../playground/engine/check.ts';
import type { Package } from '../../playground/engine/protocol.ts';
import { renderPackage } from '../../playground/engine/render.ts';
import { render, validate } from '../../src/api/index.ts';
import { commands } from '../../src/cli/loaded.ts';
import { pluginCommand } from '../../src/cli/plugin/index.ts';
import { assistantFor } from '../../src/cli/servers.ts';
import { isKubeObject } from '../../src/core/model/object.ts';
import type { RenderOptions } from '../../src/core/model/render.ts';
import { getAt } from '../../src/core/model/value.ts';
import { planChange } from '../../src/gitops/plan/index.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';
import { defaultRenderOptions, defaultSettings } from '../../src/render/options/index.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { invoke } from '../cli/invoke.ts';
import { recordingIo } from '../cli/recording.ts';
import { listOf, runFunction } from '../cli/resourcelist/packages.ts';
import { filesOf } from '../gitops/plan/repository.ts';

/** Options that every surface takes. */
export type VerdictOptions = Partial<Pick<RenderOptions, 'strict' | 'namespace' | 'onPending' | 'assumeEmptyStatus'>>;

/** One file with everything, which is the only one in the current folder. */
export interface VerdictInput {
  file: string;
  text: string;
  options: VerdictOptions;
}

/** Returns the codes of the errors, sorted, each once. */
export type Surface = (input: VerdictInput) => Promise<readonly string[]>;

const codesOf = (diagnostics: readonly { severity?: string | undefined; code: string }[]): string[] =>
  [...new Set(diagnostics.flatMap(({ severity = 'error', code }) => (severity === 'error' ? [code] : [])))].sort();

const flagsOf = (options: VerdictOptions, names: readonly (keyof VerdictOptions)[]): string[] =>
  names.flatMap((name) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const value = options[name];
    return value === undefined || value === false ? [] : value === true ? [flag] : [flag, value];
  });

/** Argo CD prunes what `skip` leaves out, so the plugin takes it only with `acceptPrune`. */
const parametersOf = (options: VerdictOptions): object[] => [
  ...Object.entries(options).map(([name, value]) => ({ name, string: String(value) })),
  ...(options.onPending === 'skip' ? [{ name: 'acceptPrune', string: 'true' }] : []),
];

const SHARED = ['strict', 'namespace', 'assumeEmptyStatus'] as const;

/** Returns the errors in JSON or in text. */
function printed({ stderr, stdout }: { stderr: string; stdout: string }): string[] {
  const found = [...`${stderr}\n${stdout}`.matchAll(/\berror\[([\w-]+)\]/g)].map(([, code]) => ({ code: code ?? '' }));
  return codesOf(found);
}

const URI = 'file:///folder/input.yaml';

function workspaceOf({ text, options }: VerdictInput): Workspace {
  const workspace = new Workspace();
  workspace.configure({ options: { ...defaultRenderOptions, ...options }, disable: [], openapi: undefined }, []);
  workspace.open(URI, text, 1);
  return workspace;
}

export const surfaces = {
  validate: async ({ options }) => printed(await invoke(['validate', '.', ...flagsOf(options, SHARED)])),
  // The runners always print all objects.
  render: async ({ options }) => {
    const flags = flagsOf(options, [...SHARED, 'onPending']);
    return codesOf(JSON.parse((await invoke(['render', '.', '--all', ...flags, '--report', 'json'])).stderr));
  },
  // Both versions are the same package.
  diff: async ({ options }) => printed(await invoke(['diff', '.', '.', ...flagsOf(options, [...SHARED, 'onPending'])])),
  test: async ({ file, options }) => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-golden-'));
    const test = { input: [resolve(file)], expected: [], ...options };
    writeFileSync(join(folder, 'test.yaml'), JSON.stringify(test));
    const result = await invoke(['test', folder]);
    rmSync(folder, { recursive: true });
    return printed(result);
  },
  MCP: async ({ options }) => {
    const io = recordingIo({ stdout: '', stderr: '' });
    const { call } = assistantFor({ io, version: '0.0.0-test', commands: async () => commands });
    const { text } = await call('validate', { paths: ['.'], strict: options.strict === true });
    return codesOf(JSON.parse(text));
  },
  library: async ({ file, text, options }) => codesOf(render({ objects: [{ file, text }] }, options).diagnostics),
  'library, validate': async ({ file, text, options }) =>
    codesOf(validate({ objects: [{ file, text }] }, options).diagnostics),
  function: async ({ text, options }) => {
    const config = JSON.stringify({
      ...{ apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'RenderRGD', metadata: { name: 'render' } },
      spec: options,
    });
    const { results } = await runFunction(listOf([text], config));
    return codesOf(
      results.map((one) => ({ severity: String(one.severity), code: String(getAt(one, ['tags', 'code'])) })),
    );
  },
  plugin: async ({ options }) => {
    const result = { stdout: '', stderr: '' };
    const parameters = parametersOf(options);
    await pluginCommand(['generate'], recordingIo(result), { ARGOCD_APP_PARAMETERS: JSON.stringify(parameters) });
    return printed(result);
  },
  plan: async ({ file, text, options }) => {
    const plugin = { name: 'render-rgd', parameters: parametersOf(options) };
    const source = { repoURL: 'https://example.com/x', path: 'app', plugin };
    const metadata = { name: 'app' };
    const app = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata,
      spec: { project: 'default', source, destination: { server: 'https://kubernetes.default.svc' } },
    };
    const after = { [`app/${file}`]: text, 'argo.yaml': JSON.stringify(app) };
    const { reports } = planChange(
      { before: filesOf({}), after: filesOf(after), changed: new Set(Object.keys(after)), run: undefined },
      { settings: defaultSettings, urls: ['https://example.com/x'], holdsData: [] },
    );
    return codesOf(reports);
  },
  'language server': async (input) => codesOf(workspaceOf(input).current(URI)?.diagnostics ?? []),
  page: async ({ file, text, options }) => {
    const pack: Package = { files: [{ name: file, text, role: 'objects' }], options };
    return codesOf([...renderPackage(pack).diagnostics, ...checkPackage(pack).diagnostics]);
  },
} as const satisfies Readonly<Record<string, Surface>>;

/**
 * Asks `compat` about a package that does not change. It judges the change alone, so that an error of both versions is
 * none of its own: what has one is not compared. Reports whether it concludes that everything was compared.
 */
export async function isGreenInCompat({ options }: VerdictInput): Promise<boolean> {
  const flags = flagsOf(options, SHARED);
  const { code } = await invoke(['compat', '.', '.', '--instances', '.', '--fail-on', 'unknown', ...flags]);
  return code === 0;
}

export type SurfaceName = keyof typeof surfaces;

const names = Object.keys(surfaces) as SurfaceName[];

/**
 * Asks every surface that can take the input, in the current folder, which contains its file. Runners refuse
 * placeholders, and the language server ignores packages without RGDs, instances and ResourceSets.
 */
export async function askSurfaces(input: VerdictInput): Promise<ReadonlyMap<SurfaceName, readonly string[]>> {
  const verdicts = new Map<SurfaceName, readonly string[]>();
  for (const name of names) {
    const isRunner = name === 'function' || name === 'plugin' || name === 'plan';
    if (isRunner && input.options.onPending === 'placeholder') continue;
    if (name === 'function' && !isListable(input.text)) continue;
    // Its tool has no such options.
    if (name === 'MCP' && (input.options.namespace ?? '') + (input.options.assumeEmptyStatus ?? '') !== '') continue;
    if (name === 'language server' && workspaceOf(input).packageOf(URI) === undefined) continue;
    verdicts.set(name, await surfaces[name](input));
  }
  return verdicts;
}

/** Reports whether a text can be the items of a ResourceList: it parses, and has objects. */
function isListable(text: string): boolean {
  const { documents, problems } = readStream(text);
  return problems.length === 0 && documents.every(({ value }) => isKubeObject(value));
}
