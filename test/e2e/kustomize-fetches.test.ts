import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pluginCommand } from '../../src/cli/plugin/index.ts';
import { recorded, someValue, withField } from '../cli/plugin/kustomize-fields.ts';
import { recordingIo } from '../cli/recording.ts';
import { isLong } from '../properties/runs.ts';
import { describeWith, HANGING } from './sandbox.ts';

type Files = Readonly<Record<string, string | Buffer | { link: string }>>;
type Run = () => void | Promise<void>;
const json = (value: unknown): string => JSON.stringify(value);

/** A separate process, because the clients block this one. It prints its address, and records its requests. */
const SERVER = `
const server = require('node:http').createServer(({ url }, response) => {
  require('node:fs').appendFileSync(process.argv[1], decodeURIComponent(url.slice(1)) + '\\n');
  response.end('A=fetched\\n');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** kustomize runs with the fields of the lists below; in the nightly run with all others too. */
describeWith('kustomize', (kustomize) => {
  let server: ChildProcess;
  let port: number;
  let log: string;
  const home = process.cwd();
  beforeAll(async () => {
    log = join(mkdtempSync(join(tmpdir(), 'render-rgd-asked-')), 'log');
    server = spawn(process.execPath, ['-e', SERVER, log], { stdio: ['ignore', 'pipe', 'inherit'] });
    port = await new Promise((done) => server.stdout?.once('data', (text) => done(Number(text))));
  });
  afterAll(() => {
    process.chdir(home);
    server.kill();
    rmSync(dirname(log), { recursive: true });
  });
  const url = (name: string): string => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;

  const withKustomize: Run = () => {
    try {
      // Without git, which could fetch repositories.
      execFileSync(kustomize, ['build', '.'], { stdio: 'ignore', timeout: HANGING, env: { HOME: tmpdir() } });
    } catch {
      // Only the requests before the failure count.
    }
  };
  const withPlugin: Run = async () => {
    const io = recordingIo({ stdout: '', stderr: '' }, () => Promise.resolve(new Uint8Array()));
    await pluginCommand(['generate'], io, { PATH: dirname(kustomize), HOME: tmpdir(), PARAM_BUILD: 'kustomize' });
  };

  /** Runs packages in the folder `app` of a repository and returns the names of those that fetched something. */
  async function fetching(packages: ReadonlyMap<string, Files>, run: Run): Promise<string[]> {
    writeFileSync(log, '');
    for (const files of packages.values()) {
      const folder = mkdtempSync(join(tmpdir(), 'render-rgd-fetch-'));
      mkdirSync(join(folder, '.git'));
      for (const [name, file] of Object.entries(files)) {
        const path = join(folder, name);
        mkdirSync(dirname(path), { recursive: true });
        if (typeof file === 'string' || Buffer.isBuffer(file)) writeFileSync(path, file);
        else symlinkSync(file.link, path);
      }
      process.chdir(join(folder, 'app'));
      await run();
      process.chdir(home);
      rmSync(folder, { recursive: true });
    }
    const asked = readFileSync(log, 'utf8').split('\n');
    return [...packages.keys()].filter((name) => asked.includes(name));
  }

  /**
   * Returns a package for each field of a schema that can contain a text: `FIELD`, and `FIELD key` for `key=URL` in
   * lists.
   */
  function packagesOf(
    fields: Readonly<Record<string, string>>,
    prefix: string,
    make: (document: Record<string, unknown>) => Files,
  ): Map<string, Files> {
    const entries = Object.entries(fields).flatMap(([path, type]) =>
      (path.endsWith('[]') ? ['', 'key='] : ['']).map((key): [string, Files] => {
        const name = `${prefix}${path}${key === '' ? '' : ' key'}`;
        return [name, make(withField(path, someValue(type, key + url(name))))];
      }),
    );
    return new Map(entries);
  }
  const fieldsIn = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.replace(' key', '')))];
  const those = (packages: ReadonlyMap<string, Files>, fields: readonly string[]): Map<string, Files> =>
    new Map([...packages].filter(([name]) => fields.includes(name.replace(' key', ''))));
  const only = (fields: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).filter(([path]) => names.includes(path)));

  it('fetches nothing for any field of kustomize', async () => {
    const packages = packagesOf(recorded.kustomization, '', (document) => ({
      'app/kustomization.yaml': json(completed(document)),
    }));
    const asked = isLong ? packages : those(packages, FETCHING_FIELDS);
    const fields = fieldsIn(await fetching(asked, withKustomize));
    expect(fields.sort()).toEqual(FETCHING_FIELDS);
    expect(await fetching(packages, withPlugin)).toEqual([]);
    const below = new Map([
      ...packagesOf(only(recorded.kustomization, fields), 'base ', (document) => ({
        'app/kustomization.yaml': 'resources: [../base]',
        'base/kustomization.yml': 'resources: [../lower]',
        'lower/Kustomization': json(completed(document)),
      })),
      ...packagesOf(only(recorded.kustomization, fields), 'component ', (document) => ({
        'app/kustomization.yaml': 'components: [../part]',
        'part/kustomization.yaml': json({ ...completed(document), ...COMPONENT }),
      })),
    ]);
    const found = new Set((await fetching(below, withKustomize)).map((name) => name.replace(' key', '')));
    for (const field of FETCHING_FIELDS) expect([...found]).toContain(`base ${field}`);
    expect(await fetching(below, withPlugin)).toEqual([]);
  });

  it('fetches nothing for any field of a builtin plugin', async () => {
    const fetched: string[] = [];
    for (const [kind, fields] of Object.entries(recorded.plugins)) {
      const of = (document: object): string =>
        json({ apiVersion: 'builtin', kind, metadata: { name: 'a' }, ...TARGETED, ...document });
      const field = kind.endsWith('Generator') ? 'generators' : 'transformers';
      const packages = packagesOf(fields, `${kind} `, (document) => ({
        'app/kustomization.yaml': `${field}: [plugin.yaml]`,
        'app/plugin.yaml': of(document),
      }));
      const asked = isLong ? packages : those(packages, FETCHING_PLUGINS);
      const names = fieldsIn(await fetching(asked, withKustomize));
      expect(await fetching(packages, withPlugin)).toEqual([]);
      fetched.push(...names);
      const reading = only(
        fields,
        names.map((name) => name.slice(kind.length + 1)),
      );
      const inPlace = packagesOf(reading, `${kind} `, (document) => ({
        'app/kustomization.yaml': json({ [field]: [of(document)] }),
      }));
      expect(fieldsIn(await fetching(inPlace, withKustomize))).toEqual(names);
      expect(await fetching(inPlace, withPlugin)).toEqual([]);
    }
    expect(fetched.sort()).toEqual(FETCHING_PLUGINS);
  });

  it('fetches nothing that is composed during a build, or that YAML readers read in two ways', async () => {
    const packages = new Map(Object.entries(built(url)));
    expect(await fetching(packages, withKustomize)).toEqual([...packages.keys()]);
    expect(await fetching(packages, withPlugin)).toEqual([]);
  });
});

const FETCHING_FIELDS = [
  'bases[]',
  'configMapGenerator[].env',
  'configMapGenerator[].envs[]',
  'configMapGenerator[].files[]',
  'configurations[]',
  'crds[]',
  'generators[]',
  'openapi',
  'patchesJson6902[].path',
  'patchesStrategicMerge[]',
  'patches[].path',
  'replacements[].path',
  'resources[]',
  'secretGenerator[].env',
  'secretGenerator[].envs[]',
  'secretGenerator[].files[]',
  'transformers[]',
  'validators[]',
];

const FETCHING_PLUGINS = [
  'ConfigMapGenerator envs[]',
  'ConfigMapGenerator files[]',
  'PatchJson6902Transformer path',
  'PatchStrategicMergeTransformer paths[]',
  'PatchTransformer path',
  'ReplacementTransformer replacements[].path',
  'SecretGenerator envs[]',
  'SecretGenerator files[]',
  'ValueAddTransformer targetFilePath',
];

const COMPONENT = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' };

/** Returns a kustomization with the fields that kustomize requires before it reads a file. */
function completed(document: Record<string, unknown>): Record<string, unknown> {
  const beside: Record<string, object> = {
    configMapGenerator: { name: 'a' },
    secretGenerator: { name: 'a' },
    patchesJson6902: { target: { version: 'v1', kind: 'ConfigMap', name: 'a' } },
  };
  const entries = Object.entries(document).map(([key, value]): [string, unknown] => [
    key,
    Array.isArray(value) && beside[key] !== undefined ? [{ ...beside[key], ...value[0] }] : value,
  ]);
  return Object.fromEntries(entries);
}

/** Fields that many plugins require. */
const TARGETED = { target: { version: 'v1', kind: 'ConfigMap', name: 'a' }, replacements: [] };

/** Packages for which kustomize fetches, although no field by itself contains a URL. */
function built(url: (name: string) => string): Record<string, Files> {
  const generator = 'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nfiles: ["a:X"]\n';
  const folder = (lines: string, more: Files = {}): Files => ({
    'app/kustomization.yaml': 'generators: [gen]',
    'app/gen/kustomization.yaml': `resources: [cfg.yaml]\n${lines}`,
    'app/gen/cfg.yaml': generator,
    ...more,
  });
  const halves = (name: string): { scheme: string; rest: string } => {
    const [scheme = '', rest = ''] = url(name).split(/:(.*)/s);
    return { scheme, rest };
  };
  const pieces = (name: string): Files => {
    const { scheme, rest } = halves(name);
    const target = (field: string, index: number): string =>
      `- source: {kind: ConfigMapGenerator, fieldPath: metadata.annotations.${field}}\n  targets: [{select: {kind: ConfigMapGenerator}, fieldPaths: [files.0], options: {delimiter: ':', index: ${index}}}]\n`;
    return {
      ...folder(`replacements:\n${target('s', 0)}${target('u', 1)}`),
      'app/gen/cfg.yaml': `apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x, annotations: {s: ${scheme}, u: "${rest}"}}\nfiles: ["a:X"]\n`,
    };
  };
  const prefixed = (name: string): Files => {
    const { scheme, rest } = halves(name);
    return {
      ...folder(`namePrefix: "${scheme}:"\nconfigurations: [names.yaml]\n`),
      'app/gen/cfg.yaml': `apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: x}\npath: "${rest}"\n`,
      'app/gen/names.yaml': 'namePrefix: [{path: path, kind: PatchTransformer}]\n',
      'app/kustomization.yaml': 'transformers: [gen]',
    };
  };
  const patched = (name: string, field: string, value: (patch: string) => string): Files =>
    folder(`${field}: ${value(`[{"op": "replace", "path": "/files/0", "value": "${url(name)}"}]`)}\n`);
  return {
    'replacements in a folder': pieces('replacements in a folder'),
    'replacements in a folder of a folder': {
      ...pieces('replacements in a folder of a folder'),
      'app/kustomization.yaml': 'generators: [top]',
      'app/top/kustomization.yaml': 'resources: [../gen]',
    },
    'a prefix in a folder': prefixed('a prefix in a folder'),
    'a patch in a folder': patched(
      'a patch in a folder',
      'patches',
      (patch) => `[{target: {kind: ConfigMapGenerator}, patch: ${json(patch)}}]`,
    ),
    'an old patch in a folder': patched(
      'an old patch in a folder',
      'patchesJson6902',
      (patch) => `[{target: {version: builtin, kind: ConfigMapGenerator, name: x}, patch: ${json(patch)}}]`,
    ),
    'a generator that a generator makes': {
      'app/kustomization.yaml': 'generators: [gen]',
      'app/gen/kustomization.yaml': 'resources: [cfg.yaml]\ntransformers: [patch.yaml]\n',
      'app/gen/cfg.yaml': generator,
      'app/gen/patch.yaml': `apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\ntarget: {kind: ConfigMapGenerator}\npatch: '[{"op": "replace", "path": "/files/0", "value": "${url('a generator that a generator makes')}"}]'\n`,
    },
    'the other order of merge keys': {
      'app/kustomization.yaml': `metadata: {annotations: &a {env: "${url('the other order of merge keys')}"}}\nconfigMapGenerator: [{name: a, env: here, <<: *a}]\n`,
      'app/here': 'A=b\n',
    },
    'a line separator in a comment': {
      'app/kustomization.yaml': `# a\u2028configMapGenerator: [{name: a, envs: ["${url('a line separator in a comment')}"]}]\n`,
    },
    'a next line in a comment': {
      'app/kustomization.yaml': `# a\u0085configMapGenerator: [{name: a, envs: ["${url('a next line in a comment')}"]}]\n`,
    },
    'a binary': {
      'app/kustomization.yaml': `configMapGenerator: [{name: a, envs: [!!binary ${Buffer.from(url('a binary')).toString('base64')}]}]\n`,
    },
    'a file in UTF-16': {
      'app/kustomization.yaml': Buffer.from(
        `\ufeffconfigMapGenerator: [{name: a, envs: ["${url('a file in UTF-16')}"]}]\n`,
        'utf16le',
      ),
    },
    'a base beside the place that a link leads to': {
      'app/kustomization.yaml': 'resources: [link]',
      'app/link': { link: '../deep/folder' },
      'deep/folder/kustomization.yaml': 'resources: [../base]',
      'deep/base/kustomization.yaml': `configMapGenerator: [{name: a, envs: ["${url('a base beside the place that a link leads to')}"]}]`,
      'app/base/kustomization.yaml': '{namePrefix: a-}',
    },
  };
}
