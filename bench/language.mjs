// Measures the language server: the first diagnostics of a large workspace, an edit in a large RGD, and ten thousand
// edits.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { checkBuilt } from './support/command.mjs';
import { load } from './support/measure.mjs';
import { figureText } from './support/table.mjs';

export const title = 'The language server';
const FOLDERS = 100;
const NODES = 40;
const CRDS = 300;
const MIB = 2 ** 20;
/** The RGDs of a large workspace, and the instances of each. */
const LARGE = { rgds: 200, instances: 10 };
/** Milliseconds of a tick of the CPU times that Linux has. */
const TICK = 10;

export async function run({ short }) {
  checkBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-language-'));
  try {
    const open = writeWorkspace(folder);
    const scan = await firstDiagnostics(folder, open);
    const keys = short ? 60 : 300;
    const key = await keystrokes(keys, 0);
    const crds = await keystrokes(keys, CRDS);
    const large = await keysOfServer(short ? 20 : 60);
    const grown = await growth(short ? 2_000 : 10_000);
    return {
      lines: [
        ['', 'measured'],
        ['first diagnostics of 1,000 files with 200 RGDs', `${figureText(scan.first)} ms`],
        ['all diagnostics', `${figureText(scan.all)} ms`],
        ['memory at its peak', `${figureText(scan.peak)} MiB`],
        ...keyLines(`a key in an RGD of ${NODES} nodes`, key),
        ...keyLines(`the same beside ${CRDS} CRDs`, crds),
        [
          `a key in ${LARGE.rgds} RGDs with ${LARGE.rgds * LARGE.instances} instances, CPU: median`,
          `${large.median} ms`,
        ],
        ['the same, 95th percentile', `${large.p95} ms`],
        [`what ${grown.keys} keys leave`, `${figureText(grown.left)} MiB`],
      ],
      claims: [
        { name: 'first diagnostics of 1,000 files', figure: scan.first / 1000, target: 3, unit: 's' },
        { name: 'memory of the language server', figure: scan.peak, target: 300, unit: 'MiB' },
        { name: `a key in an RGD of ${NODES} nodes`, figure: key.p95, target: 150, unit: 'ms' },
        { name: `a key beside ${CRDS} CRDs`, figure: crds.p95, target: 150, unit: 'ms' },
        { name: `CPU of a key in ${LARGE.rgds} RGDs, median`, figure: large.median, target: 50, unit: 'ms' },
        { name: `CPU of a key in ${LARGE.rgds} RGDs, 95th percentile`, figure: large.p95, target: 120, unit: 'ms' },
        { name: `what ${grown.keys} keys leave`, figure: grown.left, target: 5, unit: 'MiB' },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Two RGDs and eight instances in each folder; one instance of the last folder has an error. */
function writeWorkspace(folder) {
  for (let at = 0; at < FOLDERS; at += 1) {
    const inside = join(folder, `app-${at}`);
    mkdirSync(inside);
    for (const part of ['a', 'b']) writeFileSync(join(inside, `rgd-${part}.yaml`), rgd(`App${at}${part}`, 6));
    for (let one = 0; one < 8; one += 1) {
      const kind = `App${at}${one % 2 === 0 ? 'a' : 'b'}`;
      const wrong = at === FOLDERS - 1 && one === 0 ? '  nothing: true\n' : '';
      writeFileSync(join(inside, `instance-${one}.yaml`), instance(kind, `one-${one}`, wrong));
    }
  }
  return join(folder, `app-${FOLDERS - 1}`, 'instance-0.yaml');
}

const instance = (kind, name, more) =>
  `apiVersion: example.com/v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: apps}\nspec:\n  image: nginx\n${more}`;

const rgd = (kind, nodes, things = 0) => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: ${kind.toLowerCase()}
spec:
  schema:
    apiVersion: v1
    group: example.com
    kind: ${kind}
    spec:
      image: string
      replicas: integer | default=2
      labels: map[string]string | default={}
  resources:
${Array.from({ length: things }, (_, at) => thing(at)).join('')}${Array.from({ length: nodes }, (_, at) => node(at)).join('')}`;

/** A node whose kind a CRD of the workspace defines. */
const thing = (at) => `    - id: thing${at}
      template:
        apiVersion: example.org/v1
        kind: Thing${at * 7}
        metadata: {name: "\${schema.metadata.name}-${at}"}
        spec:
          field1: {name: "\${schema.spec.image}", size: "\${schema.spec.replicas}"}
`;

const node = (at) => `    - id: web${at}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: '\${schema.metadata.name}-${at}${at === 0 ? '' : `\${web${at - 1}.spec.replicas > 100 ? "x" : "y"}`}'
          labels: \${schema.spec.labels}
        spec:
          replicas: \${schema.spec.replicas + ${at}}
          selector: {matchLabels: {app: "\${schema.metadata.name}-${at}"}}
          template:
            metadata: {labels: {app: "\${schema.metadata.name}-${at}"}}
            spec:
              containers:
                - name: web
                  image: \${schema.spec.image}
                  env:
                    - name: REPLICAS
                      value: \${string(schema.spec.replicas)}
`;

/**
 * Returns the milliseconds from the start of the process to the first and the last diagnostics, and the peak memory.
 */
async function firstDiagnostics(folder, open) {
  const start = performance.now();
  const child = spawn(process.execPath, ['dist/render-rgd.js', 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let first;
  let last;
  const finished = new Promise((resolve) => {
    let timer = setTimeout(resolve, 60_000);
    onMessages(child.stdout, ({ id, method }) => {
      if (id === 1) send(child, { method: 'initialized', params: {} });
      if (id === 1) {
        const textDocument = {
          uri: pathToFileURL(open).href,
          languageId: 'yaml',
          version: 1,
          text: readFileSync(open, 'utf8'),
        };
        send(child, { method: 'textDocument/didOpen', params: { textDocument } });
      }
      if (method !== 'textDocument/publishDiagnostics') return;
      last = performance.now() - start;
      first ??= last;
      clearTimeout(timer);
      timer = setTimeout(resolve, 3000);
    });
  });
  const params = { processId: null, rootUri: pathToFileURL(folder).href, capabilities: {} };
  send(child, { id: 1, method: 'initialize', params });
  await finished;
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  child.kill();
  return { first, all: last, peak };
}

function send(child, message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
  child.stdin.write(body);
}

function onMessages(stream, onMessage) {
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, Math.max(end, 0)))?.[1]);
      if (end < 0 || rest.length < end + 4 + length) return;
      onMessage(JSON.parse(rest.subarray(end + 4, end + 4 + length)));
      rest = rest.subarray(end + 4 + length);
    }
  });
}

/**
 * Returns the milliseconds of CPU of the server for a key in an RGD of a large workspace, from the change until its
 * diagnostics are published and the process is idle.
 */
async function keysOfServer(keys) {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-keys-'));
  const file = writeLargeWorkspace(folder);
  const child = spawn(process.execPath, ['dist/render-rgd.js', 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const uri = pathToFileURL(file).href;
    const original = readFileSync(file, 'utf8');
    const waiting = new Map();
    onMessages(child.stdout, ({ id, method, params }) => {
      if (id === 1) waiting.get('initialize')?.();
      if (method === 'textDocument/publishDiagnostics' && params.uri === uri) waiting.get(params.version)?.();
    });
    const answered = (key, message) =>
      new Promise((resolve) => {
        waiting.set(key, resolve);
        send(child, message);
      });
    const params = { processId: null, rootUri: pathToFileURL(folder).href, capabilities: {} };
    await answered('initialize', { id: 1, method: 'initialize', params });
    send(child, { method: 'initialized', params: {} });
    const opened = { uri, languageId: 'yaml', version: 1, text: original };
    await answered(1, { method: 'textDocument/didOpen', params: { textDocument: opened } });
    await untilIdle(child);
    const used = [];
    for (let key = 0; key < keys + WARM; key += 1) {
      const before = cpuOf(child);
      const version = key + 2;
      const text = original.replace('schema.spec.replicas', `schema.spec.replicas${'abcdefgh'.slice(0, key % 8)}`);
      const change = { textDocument: { uri, version }, contentChanges: [{ text }] };
      await answered(version, { method: 'textDocument/didChange', params: change });
      await untilIdle(child);
      used.push(cpuOf(child) - before);
    }
    const sorted = used.slice(WARM).toSorted((a, b) => a - b);
    return { median: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)] };
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

/** The keys before those that are measured: V8 compiles what is used often. */
const WARM = 5;

/** Returns the milliseconds of CPU that a process has used. */
function cpuOf({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** Waits until a process uses no CPU for some ticks. */
async function untilIdle(child) {
  for (let before = -1; before !== cpuOf(child); ) {
    before = cpuOf(child);
    await new Promise((resolve) => setTimeout(resolve, 10 * TICK));
  }
}

function writeLargeWorkspace(folder) {
  for (let at = 0; at < LARGE.rgds; at += 1) {
    const inside = join(folder, `team-${at % 20}`, `app-${at}`);
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, 'rgd.yaml'), rgd(`App${at}`, 6));
    for (let one = 0; one < LARGE.instances; one += 1)
      writeFileSync(join(inside, `instance-${one}.yaml`), instance(`App${at}`, `app${at}-${one}`, ''));
  }
  return join(folder, 'team-7', 'app-7', 'rgd.yaml');
}

const URI = 'file:///app/rgd.yaml';
const TYPED = '${schema.spec.replicas + 1}';

/** Yields the versions of a text while an expression is typed. */
function* typing(text, keys) {
  const at = text.lastIndexOf('${string(schema.spec.replicas)}');
  for (let key = 0; key < keys; key += 1) {
    const written = TYPED.slice(0, key % (TYPED.length + 1));
    yield { text: text.slice(0, at) + written + text.slice(at), offset: at + written.length };
  }
}

const keyLines = (title, { median, p95 }) => [
  [`${title}, diagnostics and completion: median`, `${figureText(median)} ms`],
  ['the same, 95th percentile', `${figureText(p95)} ms`],
];

const SERVER = ['workspace/workspace', 'place', 'features/completion', 'features/diagnostics'].map(
  (name) => `src/language-server/${name}.ts`,
);

/** Returns the milliseconds for the diagnostics and the completion of one edit, with so many CRDs. */
async function keystrokes(keys, crds) {
  const server = await load(...SERVER);
  const workspace = new server.Workspace();
  const times = [];
  for (let at = 0; at < crds; at += 1) workspace.setFile(`file:///app/crds/${at}.yaml`, crd(at));
  workspace.open('file:///app/instance.yaml', instance('Big', 'one', ''), 1);
  const things = crds === 0 ? 0 : NODES / 2;
  for (const { text, offset } of typing(rgd('Big', NODES - things, things), keys + 20)) {
    const start = performance.now();
    press(server, workspace, text, offset);
    times.push(performance.now() - start);
  }
  const sorted = times.slice(20).toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)] };
}

/** A CRD of 60 fields, each with nested fields. */
const crd = (at) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things${at}.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Thing${at}, plural: things${at}, singular: thing${at}, listKind: Thing${at}List}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
${Array.from({ length: 60 }, (_, field) => crdField(field)).join('')}`;

const crdField = (at) => `                field${at}:
                  type: object
                  description: Field ${at} of a thing, and what somebody wrote about it.
                  properties:
                    name: {type: string, minLength: 1, description: Its name.}
                    size: {type: integer, minimum: 0}
                    tags: {type: array, items: {type: string}}
`;

function press(server, workspace, text, offset) {
  workspace.open(URI, text, 1);
  server.completionsAt(new server.Place(workspace.files.get(URI), offset, workspace), false);
  while (workspace.checkNext());
  server.diagnosticsOf(workspace.files.get(URI), workspace);
}

/** Returns the MiB in use after many edits beyond those after the first thousand. */
async function growth(keys) {
  const server = await load(...SERVER);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const workspace = new server.Workspace();
  let before;
  let count = 0;
  for (const { text, offset } of typing(rgd('Small', 4), keys)) {
    press(server, workspace, text, offset);
    count += 1;
    if (count === 1000) before = used();
  }
  return { keys: keys.toLocaleString('en'), left: Math.max(0, (used() - before) / MIB) };
}
