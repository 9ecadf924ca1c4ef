#!/usr/bin/env node
// Measures a rendering in the sidecar of Argo CD: CPU per request, and memory by the number of concurrent requests.
// Runs Argo CD's own code (test/argocd) with the built plugin, the sidecar on one CPU, and prints a table. Needs Linux
// and Go:
// npm run build && go build -C test/argocd -o /tmp/harness . && node bench/argocd.mjs /tmp/harness
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [program, timeout = '10m'] = process.argv.slice(2);
if (program === undefined) throw new Error('node bench/argocd.mjs HARNESS');
const TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

const instance = (index) =>
  `apiVersion: platform.example.com/v1alpha1\nkind: WebApp\nmetadata: {name: app${index}}\nspec: {image: nginx, host: a${index}.example.com}\n`;
const files = {
  'platform/webapp.rgd.yaml': readFileSync(join(root, 'examples/argocd/platform/webapp.rgd.yaml'), 'utf8'),
  'one/a.yaml': instance(0),
  'hundred/a.yaml': Array.from({ length: 100 }, (_, index) => instance(index)).join('---\n'),
};

console.log(
  'instances | at once | requests | answered | CPU a request (ms) | Node alone (ms) | CPU of cmp-server (ms) | memory (MiB)',
);
for (const [path, atOnce, requests] of [
  ['one', 1, 20],
  ['one', 4, 200],
  ['hundred', 1, 20],
  ['hundred', 2, 40],
  ['hundred', 4, 200],
  ['hundred', 8, 80],
  ['hundred', 50, 50],
]) {
  console.log((await measure(path, atOnce, requests)).join(' | '));
}

async function measure(path, atOnce, requests) {
  const top = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  const at = (name) => join(top, name);
  for (const folder of ['plugins', 'work', 'tmp', 'bin', 'config', 'repository']) mkdirSync(at(folder));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at('repository'), name)), { recursive: true });
    writeFileSync(join(at('repository'), name), text);
  }
  const git = (...args) => execFileSync('git', args, { cwd: at('repository'), encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '--quiet', '--message', 'all');
  writeFileSync(at('config/plugin.yaml'), readFileSync(join(root, 'plugin.yaml')));
  symlinkSync(join(root, 'dist/render-rgd.js'), at('bin/render-rgd'));
  writeFileSync(at('bin/git-verify-wrapper.sh'), '#!/bin/sh\n', { mode: 0o755 });
  const env = {
    PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
    TMPDIR: at('tmp'),
    ARGOCD_PLUGINSOCKFILEPATH: at('plugins'),
    ARGOCD_CMP_WORKDIR: at('work'),
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_REPO_SERVER_PARALLELISM_LIMIT: String(atOnce),
    HARNESS_REQUEST_TIMEOUT: timeout,
  };
  const sidecar = spawn(
    'taskset',
    ['-c', '0', program, 'cmp-server', '--config-dir-path', at('config'), '--loglevel', 'error'],
    { env, stdio: 'ignore' },
  );
  while (!existsSync(at('plugins/render-rgd.sock'))) await pause(20);
  const server = spawn(program, ['repo-server'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const source = { repoURL: `file://${at('repository')}`, targetRevision: git('rev-parse', 'HEAD'), path };
  const plugin = { name: 'render-rgd', parameters: [{ name: 'definitions', array: ['../platform'] }] };
  let open = requests;
  let answered = 0;
  let memory = 0;
  createInterface({ input: server.stdout }).on('line', (line) => {
    open -= 1;
    if (JSON.parse(line).error === undefined) answered += 1;
  });
  const before = cpu(sidecar.pid);
  for (let id = 1; id <= requests; id += 1) {
    const spec = { destination: { namespace: 'a' }, source: { ...source, plugin } };
    server.stdin.write(
      `${JSON.stringify({ id, do: 'generate', application: { metadata: { name: `app${id}` }, spec } })}\n`,
    );
  }
  while (open > 0) {
    memory = Math.max(memory, memoryOf(sidecar.pid));
    await pause(20);
  }
  const after = cpu(sidecar.pid);
  server.kill('SIGKILL');
  // argocd-cmp-server does not end at SIGTERM.
  sidecar.kill('SIGKILL');
  rmSync(top, { recursive: true, force: true });
  const each = (ticks) => ((ticks * TICK) / requests).toFixed(0);
  return [
    path,
    atOnce,
    requests,
    answered,
    each(after.children - before.children),
    nodeAlone(),
    each(after.own - before.own),
    memory.toFixed(0),
  ];
}

/** Returns the CPU time of starting Node. */
function nodeAlone() {
  const script =
    'const {spawnSync} = require("child_process"); for (let i = 0; i < 20; i += 1) spawnSync(process.execPath, ["-e", "0"]); const {userCPUTime, systemCPUTime} = process.resourceUsage(); const stat = require("fs").readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" "); console.log((Number(stat[13]) + Number(stat[14])) / 20)';
  return (Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) * TICK).toFixed(0);
}

/** Returns the clock ticks of a process, and of its ended children: proc(5). */
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  return { own: fields[11] + fields[12], children: fields[13] + fields[14] };
}

/** Returns the MiB of a process and its children, with shared pages counted once. */
function memoryOf(pid) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children].reduce((sum, one) => sum + proportional(one), 0) / 1024;
}

function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
  } catch {
    return undefined;
  }
}

function proportional(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]);
  } catch {
    return 0;
  }
}
