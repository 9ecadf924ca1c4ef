import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import commands from '../../data/commands.json';
import schema from '../../data/ledger.schema.json';
import { faultsInSums, NO_EVIDENCE } from '../../src/core/ledger/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { invoke } from './invoke.ts';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: web}
spec:
  schema: {apiVersion: v1alpha1, kind: Web, spec: {title: string | default=Hello}}
  resources:
    - id: page
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {t: "\${schema.spec.title}"}}
`;
const INSTANCE = 'apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata: {name: a, namespace: x}\nspec: {}\n';
const WIDGET = 'apiVersion: widgets.example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: x}\nspec: {size: 1}\n';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('ledger');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const FILES = { 'rgd.yaml': RGD, 'i.yaml': INSTANCE, 'w.yaml': WIDGET, '.hidden/w.yaml': WIDGET, 'README.md': '#\n' };

describe('--ledger FILE', () => {
  it('writes what became of each file and object, as the schema describes it', async () => {
    const folder = folderWith(FILES);
    const later = folderWith({ ...FILES, 'w.yaml': WIDGET.replace('1', '2') });
    const file = join(temporaryFolder('ledger-file'), 'ledger.json');
    const commands = {
      validate: ['validate', folder],
      diff: ['diff', folder, later],
      compat: ['compat', folder, later, '--instances', later],
    };
    const sums: Record<string, unknown> = {};
    for (const [name, command] of Object.entries(commands)) {
      await invoke([...command, '--ledger', file]);
      const written = JSON.parse(readFileSync(file, 'utf8'));
      expect(validate(written), JSON.stringify(validate.errors)).toBe(true);
      sums[name] = { state: written.state, object: written.sums.object, file: written.sums.file };
    }
    expect(sums).toEqual({
      validate: {
        state: 'incomplete',
        object: { all: 3, seen: 2, failed: 0, unseen: 1, irrelevant: 0 },
        file: { all: 5, seen: 3, failed: 0, unseen: 1, irrelevant: 1 },
      },
      diff: {
        state: 'incomplete',
        object: { all: 3, seen: 2, failed: 0, unseen: 1, irrelevant: 0 },
        file: { all: 5, seen: 4, failed: 0, unseen: 0, irrelevant: 1 },
      },
      compat: {
        state: 'fine',
        object: { all: 1, seen: 1, failed: 0, unseen: 0, irrelevant: 0 },
        file: { all: 5, seen: 4, failed: 0, unseen: 0, irrelevant: 1 },
      },
    });
  });

  it('is a part of the JSON of diff', async () => {
    const [folder, later] = [folderWith(FILES), folderWith({ ...FILES, 'w.yaml': WIDGET.replace('1', '2') })];
    const { stdout } = await invoke(['diff', folder, later, '-o', 'json']);
    const { ledger } = JSON.parse(stdout);
    expect(validate(ledger)).toBe(true);
    expect(ledger.state).toBe('incomplete');
  });

  it('is an error if the file cannot be written', async () => {
    const folder = folderWith({ 'rgd.yaml': RGD, 'i.yaml': INSTANCE });
    const { code, stderr } = await invoke(['validate', folder, '--ledger', join(folder, 'no', 'such', 'l.json')]);
    expect(code).toBe(1);
    expect(stderr).toContain('unwritable-file');
  });

  it('counts the decisions of policies', async () => {
    const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations: [{expression: "request.userInfo.username == 'a'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`;
    const folder = folderWith({ 'rgd.yaml': RGD, 'i.yaml': INSTANCE, 'p.yaml': policy });
    const open = await invoke(['validate', folder, '--fail-on', 'unknown', '--trace']);
    expect(open.code).toBe(1);
    expect(open.stdout).toMatch(/1 of \d policy decisions not made \(p: only a cluster knows\)/);
    expect(open.stderr).toMatch(/^policy ConfigMap\/a, policy p.*: unseen \(needs-cluster\)$/m);
    const denied = await invoke(['validate', folder, '--as', 'b', '--trace']);
    expect(denied.stderr).toMatch(/^policy ConfigMap\/a, policy p.*: failed$/m);
    const allowed = await invoke(['validate', folder, '--as', 'a', '--fail-on', 'unknown']);
    expect(allowed.code).toBe(0);
  });
});

describe('--trace', () => {
  it('prints each unit and the sums', async () => {
    const folder = folderWith(FILES);
    const { stderr } = await invoke(['validate', folder, '--trace']);
    const lines = stderr.replaceAll(`${folder}/`, '').split('\n');
    expect(lines.filter((line) => line.includes('Widget'))).toEqual([
      'object Widget/w in w.yaml: unseen (no-definition)',
    ]);
    expect(lines).toContain('file .hidden/w.yaml: unseen (hidden)');
    expect(lines).toContain('object: 3 = 2 seen + 0 failed + 1 unseen + 0 irrelevant');
    expect(lines).toContain('rendered: 1 = 1 seen + 0 failed + 0 unseen + 0 irrelevant');
  });

  it('finds units that are counted twice, and more entries than units', () => {
    const title = 'a.yaml' as never;
    const entry = { unit: 'file', file: 'a.yaml', title, kind: title, outcome: { is: 'read' } } as const;
    expect(faultsInSums({ ...NO_EVIDENCE, files: [entry] })).toEqual([]);
    expect(faultsInSums({ ...NO_EVIDENCE, files: [entry, entry] })).toEqual(['2 outcomes of file a.yaml']);
    const named = [{ ...entry, unit: 'rendered' }] as const;
    expect(faultsInSums({ ...NO_EVIDENCE, rendered: { all: 0, named } })).toEqual([
      '1 of 0 counted units have entries',
    ]);
  });
});

it('each command has a row in the table of docs/validate.md', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/validate.md', import.meta.url)), 'utf8');
  const [, table = ''] = /### What each command looks at\n([\s\S]*?)\n### /.exec(page) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z]+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual(Object.keys(commands).sort());
});
