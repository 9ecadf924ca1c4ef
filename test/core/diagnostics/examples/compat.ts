import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoke } from '../../../cli/invoke.ts';
import type { Example, Found } from './example.ts';

const rgd = (spec: object): string =>
  JSON.stringify({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'x' },
    spec: { schema: { apiVersion: 'v1', kind: 'X', spec }, resources: [] },
  });

const comparing = (before: object, after: object) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  try {
    writeFileSync(join(folder, 'old.yaml'), rgd(before));
    writeFileSync(join(folder, 'new.yaml'), rgd(after));
    const args = ['compat', join(folder, 'old.yaml'), join(folder, 'new.yaml'), '--report', 'json', '--verbose'];
    return JSON.parse((await invoke(args)).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const diffing = async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  try {
    writeFileSync(join(folder, 'old.yaml'), rgd({ a: 'strin' }));
    writeFileSync(join(folder, 'new.yaml'), rgd({ a: 'string' }));
    const args = ['diff', join(folder, 'old.yaml'), join(folder, 'new.yaml'), '--diagnostics', 'json'];
    return JSON.parse((await invoke(args)).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export const compatExamples = {
  'breaking-change': { find: comparing({ a: 'string' }, {}) },
  'compatible-change': { find: comparing({}, { a: 'string' }), severity: 'info' },
  'older-version-broken': { find: diffing, severity: 'warning' },
} as const satisfies Record<string, Example>;
