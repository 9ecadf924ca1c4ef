import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoke } from '../../../cli/invoke.ts';
import { noteRgd } from '../../../cli/resourcelist/packages.ts';
import type { Example, Found } from './example.ts';

const testing = (files: Readonly<Record<string, string>>) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return JSON.parse((await invoke(['test', folder, '--report', 'json'])).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const object = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: ${value} }\n`;

export const testExamples = {
  'test-failed': { find: testing({ 'test.yaml': 'all: true\n', 'a.yaml': object('x'), 'expected.yaml': object('y') }) },
  'coverage-low': {
    find: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
      try {
        for (const name of ['test.yaml', 'expected.yaml']) writeFileSync(join(folder, name), '');
        writeFileSync(join(folder, 'rgd.yaml'), noteRgd);
        return JSON.parse((await invoke(['test', folder, '--coverage-min', '99', '--report', 'json'])).stderr);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
  'test-broken': { find: testing({ 'test.yaml': 'inputs: []\n' }) },
} as const satisfies Record<string, Example>;
