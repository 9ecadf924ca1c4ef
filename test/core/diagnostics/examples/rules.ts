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

export const ruleExamples = {
  'ignore-comment': { find: found(`# render-rgd: ignore lint-null-value\n${object}`), hint: 'the portal reads it' },
  'ignore-unused': {
    find: found(`# render-rgd: ignore lint-null-value it is wanted\n${object}`),
    severity: 'warning',
    hint: 'line 2',
  },
  'settings-file': { find: withSettings('rules: [{ code: lint-null-valu, severity: off, reason: x }]\n') },
} as const satisfies Record<string, Example>;
