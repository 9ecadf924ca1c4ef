import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoke } from '../../../cli/invoke.ts';
import type { Example, Found } from './example.ts';

const exploring = (spec: object, value: string) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  const rgd = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'x' },
    spec: {
      schema: { apiVersion: 'v1', kind: 'X', spec },
      resources: [
        {
          id: 'c',
          template: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `\${schema.metadata.name}` },
            data: { a: value },
          },
        },
      ],
    },
  };
  try {
    writeFileSync(join(folder, 'x.json'), JSON.stringify(rgd));
    return JSON.parse((await invoke(['validate', folder, '--explore', '-o', 'json'])).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export const exploreExamples = {
  counterexample: {
    find: exploring({ note: 'string' }, `\${schema.spec.note}`),
    severity: 'warning',
    hint: 'give spec.note a default, or require it',
  },
  explored: { find: exploring({ note: 'string' }, 'x'), severity: 'info' },
  'not-explored': {
    find: exploring({ note: `string | required=true validation="self == 'x-y-z'"` }, 'x'),
    severity: 'warning',
  },
} as const satisfies Record<string, Example>;
