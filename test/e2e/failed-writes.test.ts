import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import commands from '../../data/commands.json';
import { command } from './sandbox.ts';

// Whatever the system says to a write: a command that lost output does not succeed, and none ends with a bug.

/** A call of each command in the folder of the test. Its name is its first argument; the function has none. */
const PRINTING: readonly { args: readonly string[]; input?: string }[] = [
  { args: [], input: 'list.yaml' },
  { args: ['render', 'app.yaml'] },
  { args: ['render', 'app.yaml', '-o', 'json'] },
  { args: ['validate', 'app.yaml'] },
  { args: ['validate', 'app.yaml', '--report', 'sarif'] },
  { args: ['diff', 'older.yaml', 'app.yaml'] },
  { args: ['compat', 'older.yaml', 'app.yaml'] },
  { args: ['crd', 'app.yaml'] },
  { args: ['docs', 'app.yaml'] },
  { args: ['schema', 'App', 'app.yaml'] },
  { args: ['instance', 'App', 'app.yaml'] },
  { args: ['explain', 'App/one', 'app.yaml'] },
  { args: ['graph', 'app.yaml'] },
  { args: ['pending', 'app.yaml'] },
  { args: ['observe', 'reads.yaml', '--from', 'live.yaml'] },
  { args: ['migrate', 'app.yaml', '--from', 'app.yaml', '--back', '-o', 'json'] },
  { args: ['doctor', 'app.yaml'] },
  { args: ['rbac', 'app.yaml'] },
  { args: ['fmt', 'ugly.yaml', '--diff'] },
  { args: ['validate', 'typo.yaml', '--fix', '--dry-run'] },
  { args: ['plan', 'repository', '--against', 'HEAD'] },
  { args: ['test', 'tests', '--update'] },
  { args: ['plugin', 'parameters'] },
  { args: ['extract', 'live.yaml', '--kind', 'Live', '--dry-run'] },
  { args: ['completion', 'bash'] },
  { args: ['help'] },
  { args: ['--version'] },
];
/** Commands that write files, with `PLACE` for what they write. */
const WRITING: readonly (readonly string[])[] = [
  ['render', 'app.yaml', '--output-dir', 'PLACE'],
  ['plan', 'repository', '--output-dir', 'PLACE'],
  ['schema', 'app.yaml', '--output-dir', 'PLACE'],
  ['init', 'PLACE'],
  ['docs', 'app.yaml', '--inject', 'PLACE'],
  ['observe', 'reads.yaml', '--from', 'live.yaml', '--write', 'PLACE'],
  ['validate', 'app.yaml', '--report', 'json=PLACE'],
  ['test', 'tests', '--update', '--coverage-report', 'json=PLACE'],
];
/** Commands whose output is not that of one call. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  init: 'it prints after it wrote: WRITING',
  lsp: 'a server',
  mcp: 'a server',
  playground: 'a server',
};

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {a: "string | default=x"}}
  resources:
  - id: c
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {a: "\${schema.spec.a}"}}
`;
const ONE = '{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: one, namespace: web}}\n';
const LIVE = '{apiVersion: v1, kind: ConfigMap, metadata: {name: live, namespace: web}, data: {a: b}}\n';
const READS = `${RGD.replace('${schema.spec.a}', '${e.data.a}')}  - {id: e, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: live}}}\n`;
const FILES: Readonly<Record<string, string>> = {
  'app.yaml': `${RGD}---\n${ONE}`,
  'older.yaml': `${RGD.replace('default=x', 'default=y')}---\n${ONE}`,
  'ugly.yaml': RGD.replace('kind: Res', 'kind:   Res'),
  'typo.yaml': RGD.replace('default=x', 'default = x'),
  'live.yaml': LIVE,
  'reads.yaml': `${READS}---\n${ONE}`,
  'list.yaml': `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${LIVE}`,
  'tests/a/test.yaml': '',
  'tests/a/in.yaml': `${RGD}---\n${ONE}`,
  'repository/app.yaml': `${RGD}---\n${ONE}`,
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-failed-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'first'],
  ])
    expect(spawnSync('git', [...identity, ...args], { cwd: join(folder, 'repository') }).status).toBe(0);
  writeFileSync(join(folder, 'repository/app.yaml'), FILES['older.yaml'] ?? '');
});
afterAll(() => rmSync(folder, { recursive: true }));

type Stdout = 'pipe' | number;
function run({ args, input }: (typeof PRINTING)[number], stdout: Stdout) {
  const stdin = input === undefined ? 'ignore' : openSync(join(folder, input), 'r');
  try {
    return spawnSync(command, args, { cwd: folder, encoding: 'utf8', stdio: [stdin, stdout, 'pipe'] });
  } finally {
    if (typeof stdin === 'number') closeSync(stdin);
  }
}

describe('a command that cannot print', () => {
  it('is every command', () => {
    const called = new Set(PRINTING.flatMap(({ args }) => args.slice(0, 1)));
    expect(Object.keys(commands).filter((name) => !called.has(name) && !Object.hasOwn(NOT_CALLED, name))).toEqual([]);
    expect(Object.keys(NOT_CALLED).filter((name) => !Object.hasOwn(commands, name))).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full')).each(PRINTING)('fails on a full disk: $args', (call) => {
    expect(run(call, 'pipe').stdout).not.toBe('');
    const full = openSync('/dev/full', 'w');
    try {
      const { status, stderr } = run(call, full);
      expect({ status, stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('cannot write the output'),
      });
    } finally {
      closeSync(full);
    }
  });

  it.each(PRINTING)('fails without a reader: $args', async ({ args, input }) => {
    const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdout.destroy();
    child.stdin.end(input === undefined ? '' : FILES[input]);
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(1);
  });
});

describe('a command that cannot write', () => {
  const failsAt = (args: readonly string[], place: string, more: { cwd?: string; uid?: number } = {}): void => {
    const at = args.map((arg) =>
      arg.replace('PLACE', place).replace(/^(?=(app|reads|live)\.yaml|repository|tests)/, `${folder}/`),
    );
    const { status, stderr } = spawnSync(command, at, { cwd: folder, encoding: 'utf8', ...more });
    expect({ at, status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(/^error\[/m) });
  };

  it.each(WRITING)('fails below a file: %s %s', (...args) => {
    failsAt(args, join(folder, 'app.yaml/below'));
  });

  it.each(WRITING.filter((args) => !args.includes('--output-dir') && args[0] !== 'init'))(
    'fails in the place of a folder: %s %s',
    (...args) => {
      mkdirSync(join(folder, 'taken/inner'), { recursive: true });
      failsAt(args, join(folder, 'taken'));
    },
  );

  it.each(WRITING)('fails with a name that is too long: %s %s', (...args) => {
    failsAt(args, join(folder, 'x'.repeat(300), 'below'));
  });

  it.skipIf(process.getuid?.() !== 0).each(WRITING)('fails in a folder of another user: %s %s', (...args) => {
    spawnSync('chmod', ['-R', 'a+rX', folder]);
    failsAt(args, join(folder, 'place'), { uid: 65_534 });
  });

  it.skipIf(!existsSync('/proc/self')).each(WRITING)('fails on a file system without new files: %s %s', (...args) => {
    failsAt(args, '/proc/render-rgd/place');
  });
});
