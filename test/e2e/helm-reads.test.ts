import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkSchema } from '../../src/cli/plugin/tree/chart.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { partOf, runs } from '../properties/runs.ts';
import { command, describeWith, execute, type Result } from './sandbox.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Files = Readonly<Record<string, string | Buffer | { link: string }>>;

/** A separate process, because the clients block this one. It prints its address, and records its requests. */
const SERVER = `
const server = require('node:http').createServer(({ url }, response) => {
  require('node:fs').appendFileSync(process.argv[1], url + '\\n');
  response.end('{"required": ["MARKER-OF-THE-SERVER"]}');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

let top: string;
let server: ChildProcess;
let url: string;
const log = (): string => join(top, 'log');
beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), 'render-rgd-helm-'));
  writeFileSync(log(), '');
  server = spawn(process.execPath, ['-e', SERVER, log()], { stdio: ['ignore', 'pipe', 'inherit'] });
  url = await new Promise((done) => server.stdout?.once('data', (text) => done(`http://127.0.0.1:${Number(text)}`)));
  mkdirSync(join(top, 'outside'));
  writeFileSync(join(top, 'outside/schema.json'), '{"required": ["MARKER-OF-A-FILE"]}');
  writeFileSync(join(top, 'outside/values.yaml'), 'token: MARKER-OF-A-FILE\n');
});
afterAll(() => {
  server.kill();
  rmSync(top, { recursive: true });
});

const chart = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n${more}`;
const CHART: Files = {
  'Chart.yaml': chart('c'),
  'values.yaml': 'sub: {a: 1}\n',
  'templates/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {v: {{ toJson .Values | quote }}}\n',
};

let count = 0;

/** Writes the files of a chart into the folder of an Application, in a new repository. */
function repositoryOf(files: Files): string {
  count += 1;
  const folder = join(top, `repository-${count}`, 'app');
  mkdirSync(join(folder, '../.git'), { recursive: true });
  for (const [name, content] of Object.entries({ ...CHART, ...files })) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(path, content);
    else symlinkSync(content.link, path);
  }
  return folder;
}

interface Seen extends Result {
  /** Whether a request was made, or content of a file outside is printed. */
  leaks: boolean;
}

function watched(run: () => Result): Seen {
  writeFileSync(log(), '');
  const result = run();
  return { ...result, leaks: readFileSync(log(), 'utf8') !== '' || /MARKER/.test(result.stdout + result.stderr) };
}

const bare = (helm: string, folder: string, values: readonly string[] = []): Seen =>
  watched(() => {
    const args = ['template', ...values.map((file) => `--values=${file}`), 'x', '.'];
    const { status, stdout, stderr } = spawnSync(helm, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { HOME: tmpdir() },
    });
    return { code: status ?? -1, stdout, stderr };
  });

function plugin(helm: string, folder: string, values: readonly string[] = []): Seen {
  const bin = join(top, 'bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  symlinkSync(helm, join(bin, 'helm'));
  const parameters = [
    { name: 'build', string: 'helm' },
    { name: 'values', array: values },
  ];
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: tmpdir(),
    ARGOCD_APP_NAME: 'x',
    ARGOCD_APP_PARAMETERS: JSON.stringify(parameters),
  };
  return watched(() => execute(command, ['plugin', 'generate'], { cwd: folder, env, input: '' }));
}

const json = (value: Json): string => JSON.stringify(value);
const outside = (): string => join(top, 'outside/schema.json');

/** Schemas for which helm leaves the chart. */
const leaking = (): Record<string, string> => ({
  'a reference to a server': json({ $ref: `${url}/a` }),
  'a reference to a file': json({ $ref: `file://${outside()}` }),
  'an absolute path': json({ $ref: outside() }),
  'a relative path': json({ $ref: outside().slice(1) }),
  'a path with a fragment': json({ $ref: `${outside()}#` }),
  'a reference with escapes': `{"\\u0024r\\u0065f": "\\u0068${url.slice(1)}/b"}`,
  'a reference after the same key': `{"$ref": "#", "$ref": "${url}/c"}`,
  'a dynamic reference': json({ $dynamicRef: `${url}/d` }),
  'a recursive reference': json({
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $recursiveRef: `${url}/e`,
  }),
  'a reference below properties': json({ properties: { sub: { allOf: [{ $ref: `${url}/f` }] } } }),
  'a reference in an unknown keyword': json({ $ref: '#/other/one', other: { one: { $ref: `${url}/g` } } }),
  'a reference in a constant': json({ $ref: '#/default', default: { $ref: `${url}/h` } }),
  'a reference relative to the id': json({ $id: `${url}/i/`, $ref: 'rel' }),
  'a reference relative to the id of draft 4': json({
    $schema: 'http://json-schema.org/draft-04/schema#',
    id: `${url}/j/`,
    properties: { sub: { $ref: 'rel' } },
  }),
  'a dialect on a server': json({ $schema: `${url}/k` }),
  'a dialect on a server, below': json({ properties: { sub: { $id: 'sub', $schema: `${url}/l` } } }),
});

/** The places of a schema. */
const PLACES: Readonly<Record<string, (schema: string) => Files>> = {
  'the chart': (schema) => ({ 'values.schema.json': schema }),
  'a subchart': (schema) => ({ 'charts/sub/Chart.yaml': chart('sub'), 'charts/sub/values.schema.json': schema }),
  'a library chart': (schema) => ({
    'charts/sub/Chart.yaml': chart('sub', 'type: library\n'),
    'charts/sub/values.schema.json': schema,
  }),
  'a subchart of a subchart': (schema) => ({
    'values.yaml': 'sub: {deep: {a: 1}}\n',
    'charts/sub/Chart.yaml': chart('sub'),
    'charts/sub/charts/deep/Chart.yaml': chart('deep'),
    'charts/sub/charts/deep/values.schema.json': schema,
  }),
  'a link': (schema) => ({ '../shared/s.json': schema, 'values.schema.json': { link: '../shared/s.json' } }),
  'a linked subchart': (schema) => ({
    '../shared/sub/Chart.yaml': chart('sub'),
    '../shared/sub/values.schema.json': schema,
    'charts/sub': { link: '../../shared/sub' },
  }),
  'linked subcharts': (schema) => ({
    '../shared/sub/Chart.yaml': chart('sub'),
    '../shared/sub/values.schema.json': schema,
    charts: { link: '../shared' },
  }),
  'an archive': (schema) => ({ 'charts/sub-0.1.0.tgz': packed('sub', { 'values.schema.json': schema }) }),
  'an archive in an archive': (schema) => ({
    'values.yaml': 'sub: {deep: {a: 1}}\n',
    'charts/sub.tgz': packed('sub', { 'charts/deep.tgz': packed('deep', { 'values.schema.json': schema }) }),
  }),
  'an archive with odd names': (schema) => ({
    'charts/sub.tgz': packed('sub', { './/x/../values.schema.json': schema }),
  }),
  'an archive with names of PAX': (schema) => ({
    'charts/sub.tgz': gzipSync(
      Buffer.concat([tarEntry('sub/Chart.yaml', chart('sub')), ...paxEntry('sub/values.schema.json', schema), END]),
    ),
  }),
  'an archive in two parts': (schema) => ({
    'charts/sub.tgz': Buffer.concat([
      gzipSync(tarEntry('sub/Chart.yaml', chart('sub'))),
      gzipSync(Buffer.concat([tarEntry('sub/values.schema.json', schema), END])),
    ]),
  }),
};

const END = Buffer.alloc(1024);
const packed = (name: string, files: Readonly<Record<string, string | Buffer>>): Buffer =>
  gzipSync(
    Buffer.concat([
      tarEntry(`${name}/Chart.yaml`, chart(name)),
      ...Object.entries(files).map(([path, content]) => tarEntry(`${name}/${path}`, content)),
      END,
    ]),
  );

/** An entry in the format of POSIX, as Go and GNU tar write it. */
function tarEntry(name: string, content: string | Buffer, type = '0'): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

const paxEntry = (name: string, content: string, more = ''): Buffer[] => {
  const record = (text: string): string => {
    const length = [1, 2, 3]
      .map((digits) => text.length + digits + 2)
      .find((all, index) => String(all).length === index + 1);
    return `${length} ${text}\n`;
  };
  const records = record(`path=${name}`) + (more === '' ? '' : record(more));
  return [tarEntry('PaxHeaders/x', records, 'x'), tarEntry('sub/other', content)];
};

const testWith = (helm: string): void => {
  it('follows the references of a schema, which the plugin rejects', () => {
    for (const [name, schema] of Object.entries(leaking())) {
      const folder = repositoryOf({ 'values.schema.json': schema });
      expect({ name, leaks: bare(helm, folder).leaks }).toEqual({ name, leaks: true });
      const { code, stdout, stderr, leaks } = plugin(helm, folder);
      expect({ name, code, stdout, leaks }).toEqual({ name, code: 1, stdout: '', leaks: false });
      expect(stderr).toMatch(/values\.schema\.json.*(helm would fetch or read outside of the chart)/);
    }
  });

  it('reads schemas in many places, in which the plugin rejects references', () => {
    for (const [name, place] of Object.entries(PLACES)) {
      const folder = repositoryOf(place(json({ $ref: `${url}/place` })));
      expect({ name, leaks: bare(helm, folder).leaks }).toEqual({ name, leaks: true });
      const { code, stdout, stderr, leaks } = plugin(helm, folder);
      expect({ name, code, stdout, leaks }).toEqual({ name, code: 1, stdout: '', leaks: false });
      expect({ name, stderr }).toEqual({ name, stderr: expect.stringContaining('helm would fetch or read outside') });
    }
  });

  it('still validates values with the schemas of the chart, wherever they are', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: `${url}/own`,
      definitions: { text: { $id: '#text', type: 'string' }, id: { $ref: '#/definitions/text' } },
      properties: { a: { $ref: '#/definitions/id' }, $ref: { type: 'object' } },
    };
    for (const [name, place] of partOf(Object.entries(PLACES), 2)) {
      const folder = repositoryOf({ ...place(json(schema)), 'good.yaml': 'sub: {a: b, deep: {a: b}}\na: b\n' });
      writeFileSync(join(folder, 'bad.yaml'), 'sub: {a: 1, deep: {a: 1}}\na: 1\n');
      const good = plugin(helm, folder, ['good.yaml']);
      expect({ name, code: good.code, leaks: good.leaks, stderr: good.stderr }).toMatchObject({
        name,
        code: 0,
        leaks: false,
      });
      const bad = plugin(helm, folder, ['bad.yaml']);
      expect({ name, code: bad.code, leaks: bad.leaks }).toEqual({ name, code: 1, leaks: false });
      expect({ name, stderr: bad.stderr }).toEqual({
        name,
        stderr: expect.stringContaining('got number, want string'),
      });
    }
  });

  it('never requests anything for references within a random schema, and the check rejects all others', () => {
    const random = randomFrom(Number(process.env.SEED ?? 1));
    let requested = 0;
    for (let index = 0; index < runs(30).numRuns; index += 1) {
      const schema = json(randomSchema(random, 4));
      const reports = new Collector();
      checkSchema('values.schema.json', Buffer.from(schema), reports);
      const { leaks } = bare(helm, repositoryOf({ 'values.schema.json': schema }));
      if (leaks) requested += 1;
      expect({ schema, isMissed: leaks && reports.all.length === 0 }).toEqual({ schema, isMissed: false });
    }
    expect(requested).toBeGreaterThan(0);
  });

  it('splits values at commas, which the plugin quotes', () => {
    const target = join(top, 'outside/values.yaml');
    const named = repositoryOf({ 'a.yaml': 'b: 2\n' });
    expect(bare(helm, named, [`a.yaml,${target}`]).leaks).toBe(true);
    expect(plugin(helm, named, [`a.yaml,${target}`])).toMatchObject({ code: 1, leaks: false });
    const linked = repositoryOf({ d: 'c: 3\n', 'prod.yaml': { link: `d,${target}` }, [`d,${target}`]: 'own: VALUE\n' });
    expect(bare(helm, linked, [`d,${target}`]).leaks).toBe(true);
    const { code, stdout, leaks } = plugin(helm, linked, ['prod.yaml']);
    expect({ code, leaks }).toEqual({ code: 0, leaks: false });
    expect(stdout).toContain('VALUE');
    expect(plugin(helm, repositoryOf({ 'a"b.yaml': 'own: VALUE\n' }), ['a"b.yaml']).stdout).toContain('VALUE');
  });

  it('fetches no values, dependencies or names of hosts', () => {
    const folder = repositoryOf({
      'Chart.yaml': chart('c', `icon: ${url}/icon\nsources: [${url}/source]\n`),
      'templates/y.yaml': `a: {{ lookup "v1" "Secret" "a" "b" | toJson }}\nb: {{ getHostByName "localhost" | quote }}\n`,
    });
    expect(plugin(helm, folder, [`${url}/values`])).toMatchObject({ code: 1, leaks: false });
    const { stdout, stderr, leaks } = plugin(helm, folder);
    expect({ stdout: stdout + stderr, leaks }).toEqual({
      stdout: expect.not.stringContaining('127.0.0.1"'),
      leaks: false,
    });
    const dependent = (repository: string): Files => ({
      'Chart.yaml': chart('c', `dependencies: [{name: d, version: 0.1.0, repository: "${repository}"}]\n`),
    });
    for (const repository of [
      url,
      `oci://127.0.0.1:${url.split(':')[2]}/x`,
      `file://${top}/outside`,
      '@a',
      'git+https://a/b',
    ])
      expect(plugin(helm, repositoryOf(dependent(repository)))).toMatchObject({ code: 1, leaks: false });
  });

  it('reads no schema of an archive that cannot be checked', () => {
    const schema = json({ $ref: `${url}/odd` });
    const entries = (...parts: Buffer[]): Buffer =>
      gzipSync(Buffer.concat([tarEntry('sub/Chart.yaml', chart('sub')), ...parts, END]));
    const hidden = tarEntry('sub/values.schema.json', schema);
    const binary = Buffer.from(hidden);
    binary.write('\x80\0\0\0\0\0\0\0\0\0\0', 124, 'latin1');
    binary.writeUInt8(schema.length, 135);
    binary.write('        ', 148);
    binary.write(
      `${binary
        .subarray(0, 512)
        .reduce((all, byte) => all + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    const archives: Record<string, Buffer> = {
      'a size in PAX': entries(...paxEntry('sub/README', Buffer.concat([hidden]).toString('latin1'), 'size=0')),
      'a size in base 256': entries(binary),
      'a sparse file': entries(tarEntry('sub/values.schema.json', schema, 'S')),
      'a damaged header': entries(Buffer.concat([Buffer.from('x'), hidden.subarray(1)])),
      'no archive': Buffer.from('text'),
      'an archive that is cut': packed('sub', { 'values.schema.json': schema }).subarray(0, 100),
    };
    for (const [name, archive] of Object.entries(archives)) {
      const { code, stderr, leaks } = plugin(helm, repositoryOf({ 'charts/sub.tgz': archive }));
      expect({ name, code, leaks }).toEqual({ name, code: 1, leaks: false });
      expect({ name, stderr }).toEqual({
        name,
        stderr: expect.stringContaining('cannot be checked before helm reads'),
      });
    }
  });

  it('packs charts that can be checked', () => {
    const folder = repositoryOf({});
    const long = `files/${'long-name-'.repeat(12)}é.txt`;
    const parts = repositoryOf({ 'Chart.yaml': chart('sub'), 'values.schema.json': '{}', [long]: 'x' });
    mkdirSync(join(folder, 'charts'));
    const { status } = spawnSync(helm, ['package', parts, '--destination', join(folder, 'charts')], {
      env: { HOME: tmpdir() },
    });
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'charts/sub-0.1.0.tgz'))).toBe(true);
    expect(plugin(helm, folder)).toMatchObject({ code: 0, leaks: false });
    for (const format of ['gnu', 'pax', 'ustar', 'v7', 'oldgnu']) {
      const short = format === 'v7' || format === 'ustar' ? ['--exclude=files'] : [];
      const args = [
        '-C',
        parts,
        ...short,
        `--format=${format}`,
        '--transform=s,^[.],sub,',
        '-czf',
        join(folder, 'charts/sub-0.1.0.tgz'),
        '.',
      ];
      expect(spawnSync('tar', args).status).toBe(0);
      const { code, stderr } = plugin(helm, folder);
      expect({ format, code, stderr }).toMatchObject({ format, code: 0 });
    }
  });
};

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Keywords of all drafts, and one that none has. */
const KEYWORDS = [
  '$ref',
  '$dynamicRef',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$schema',
  'properties',
  'definitions',
];
const MORE = [
  '$defs',
  'allOf',
  'not',
  'items',
  'if',
  'then',
  'other',
  'default',
  'const',
  'enum',
  'additionalProperties',
];

function randomSchema(random: (below: number) => number, depth: number): Json {
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const below = (): Json => (depth === 0 ? {} : randomSchema(random, depth - 1));
  const reference = (): string =>
    one(['#', '#/definitions/a', '#/other', '#/default', '#a', '#/properties/sub', one(['b', '/c', `${url}/d`, ''])]);
  const id = (): string => one([`${url}/i`, `${url}/i/`, '#a', 'a', '/b', `${url}/d`]);
  const schema: Record<string, Json> = {};
  for (let index = random(4); index >= 0; index -= 1) {
    const key = one([...KEYWORDS, ...MORE]);
    if (key.endsWith('Ref') || key === '$ref') schema[key] = reference();
    else if (key === 'id' || key === '$id') schema[key] = id();
    else if (key.endsWith('nchor')) schema[key] = 'a';
    else if (key === '$schema')
      schema[key] = one([
        'http://json-schema.org/draft-07/schema#',
        'http://json-schema.org/draft-04/schema#',
        one([`${url}/m`, 'https://json-schema.org/draft/2020-12/schema']),
      ]);
    else if (['properties', 'definitions', '$defs'].includes(key)) schema[key] = { a: below(), sub: below() };
    else schema[key] = ['allOf', 'enum'].includes(key) ? [below()] : below();
  }
  return schema;
}

for (const tool of ['helm', 'helm4']) describeWith(tool, testWith);
