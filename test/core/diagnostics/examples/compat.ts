import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

const comparing =
  (before: object, after: object, ...more: string[]) =>
  async (): Promise<readonly Found[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
    try {
      writeFileSync(join(folder, 'old.yaml'), rgd(before));
      writeFileSync(join(folder, 'new.yaml'), rgd(after));
      writeFileSync(join(folder, 'x.yaml'), '{apiVersion: kro.run/v1, kind: X, metadata: {name: other}, spec: {}}');
      const args = ['compat', join(folder, 'old.yaml'), join(folder, 'new.yaml'), '--report', 'json', '--verbose'];
      args.push('--instances', join(folder, 'x.yaml'), ...more);
      return JSON.parse((await invoke(args)).stdout);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

const upgrading = async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  try {
    const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    const one = JSON.parse(rgd({ on: 'boolean' }));
    one.spec.resources = [{ id: 'graphengine', template }];
    writeFileSync(join(folder, 'x.json'), JSON.stringify(one));
    writeFileSync(join(folder, 'y.yaml'), '{apiVersion: kro.run/v1, kind: X, metadata: {name: other}, spec: {}}');
    return JSON.parse((await invoke(['compat', folder, '--kro', '0.10', '--report', 'json'])).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Compares an object with what a release of Kubernetes serves. */
const upgradingTo = (release: string) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  try {
    const spec = '{containers: [{name: a, image: a}], serviceAccount: a}';
    writeFileSync(join(folder, 'a.yaml'), `{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: ${spec}}`);
    return JSON.parse((await invoke(['compat', folder, '--kubernetes', release, '--report', 'json'])).stdout);
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

/** Compares two versions of an object that nothing renders. */
const diffingPlain = async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  try {
    const text = '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}';
    writeFileSync(join(folder, 'old.yaml'), text);
    writeFileSync(join(folder, 'new.yaml'), text.replace('a: b', 'a: c'));
    const args = ['diff', join(folder, 'old.yaml'), join(folder, 'new.yaml'), '--strict', '--diagnostics', 'json'];
    return JSON.parse((await invoke(args)).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Compares with a program that is no release of render-rgd, or with one that renders nothing. */
const comparingRelease = (printed: string) => async (): Promise<readonly Found[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-codes-'));
  try {
    const program = join(folder, 'other.cjs');
    writeFileSync(program, `if (process.argv[2] === '--version') console.log(${JSON.stringify(printed)});`);
    const input = join(folder, 'in');
    mkdirSync(input);
    const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const definition = JSON.parse(rgd({}));
    definition.spec.resources.push({ id: 'a', template });
    writeFileSync(join(input, 'x.yaml'), JSON.stringify(definition));
    writeFileSync(
      join(input, 'y.yaml'),
      '{apiVersion: kro.run/v1, kind: X, metadata: {name: x, namespace: x}, spec: {}}',
    );
    const { stdout, stderr } = await invoke(['compat', input, '--render-rgd', program, '--report', 'json']);
    return JSON.parse(stdout || stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export const compatExamples = {
  'breaking-change': { find: comparing({ a: 'string' }, {}) },
  'compatible-change': { find: comparing({}, { a: 'string' }), severity: 'info' },
  'unchecked-change': { find: comparing({ a: 'string' }, { a: 'string | enum="b,c"' }), severity: 'warning' },
  'instance-change': { find: comparing({}, { a: 'string | default=b' }), severity: 'info' },
  'upgrade-change': { find: upgrading },
  'release-change': { find: comparingRelease('0.0.9') },
  'release-not-compared': { find: comparingRelease('none') },
  'deprecated-field': { find: upgradingTo('1.37'), severity: 'warning', hint: 'kubectl explain' },
  'planned-release': { find: upgradingTo('1.38'), severity: 'warning' },
  'change-too-large': { find: comparing({}, { a: 'string' }, '--require', 'patch') },
  'not-compared': { find: diffingPlain },
  'older-version-broken': { find: diffing, severity: 'warning' },
} as const satisfies Record<string, Example>;
