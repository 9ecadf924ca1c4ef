import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from '../../../../src/api/index.ts';
import { invoke } from '../../../cli/invoke.ts';
import type { Example, Found } from './example.ts';

const found = (text: string) => (): readonly Found[] => validate({ objects: [{ file: 'a.yaml', text }] }).diagnostics;

const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';

const withSettings = (settings: string) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-rules-'));
  try {
    writeFileSync(join(folder, 'a.yaml'), object);
    writeFileSync(join(folder, 'render-rgd.yaml'), settings);
    return JSON.parse((await invoke(['validate', folder, '--report', 'json'])).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Compares a ClusterRole with what the RGD of an example needs. */
const withRole = (rules: string) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-rules-'));
  try {
    const role = `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: a }\nrules: ${rules}\n`;
    writeFileSync(join(folder, 'role.yaml'), role);
    const args = ['rbac', 'examples/pending/site/rgd.yaml', '--check', folder, '--report', 'json'];
    return JSON.parse((await invoke(args)).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Plans the migration of an example whose live objects are these. */
const migrated = (live: string) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-rules-'));
  try {
    writeFileSync(join(folder, 'live.yaml'), live);
    const args = ['migrate', 'examples/kustomize/base', '--from', join(folder, 'live.yaml'), '--report', 'json'];
    return JSON.parse((await invoke(args)).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export const ruleExamples = {
  'ignore-comment': { find: found(`# render-rgd: ignore lint-null-value\n${object}`), hint: 'the portal reads it' },
  'ignore-unused': {
    find: found(`# render-rgd: ignore lint-null-value it is wanted\n${object}`),
    severity: 'warning',
    hint: 'line 2',
  },
  'role-lacks': { find: withRole('[]'), hint: 'render-rgd rbac' },
  'role-excess': { find: withRole("[{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]"), severity: 'warning' },
  'role-too-large': {
    find: withRole(`[{ apiGroups: ['*'], resources: [${'a, '.repeat(500)}a], verbs: [${'b, '.repeat(500)}b] }]`),
    hint: 'split the role',
  },
  'live-missing': { find: migrated(object) },
  'live-lost': {
    find: migrated(
      `${object.replace('a }', 'a, labels: { kro.run/instance-kind: Site, kro.run/instance-group: kro.run, kro.run/instance-name: status, kro.run/instance-namespace: sites } }')}---\napiVersion: kro.run/v1alpha1\nkind: Site\nmetadata: { name: status, namespace: sites }\n`,
    ),
    severity: 'warning',
    hint: 'delete it',
  },
  'settings-file': { find: withSettings('rules: [{ code: lint-null-valu, severity: off, reason: x }]\n') },
} as const satisfies Record<string, Example>;
