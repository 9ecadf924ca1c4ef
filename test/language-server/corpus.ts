import { readdirSync, readFileSync } from 'node:fs';
import type { KubeObject } from '../../src/core/model/object.ts';
import { toJsonText, toYaml } from '../../src/yaml/emit/index.ts';
import { sample } from '../differential/draw.ts';
import { packageOf } from '../differential/packages.ts';

/** A text with RGDs. */
export interface RgdText {
  name: string;
  text: string;
}

const GENERATED = 40;
const SIZE = 200;
/** The generated RGDs are the same in every run: only edits are random. */
const SEED = 26;
const root = new URL('../../', import.meta.url).pathname;

/** Returns 200 texts with RGDs: all examples, test cases, conformance cases to fill up, and generated packages. */
export function corpus(): RgdText[] {
  const written = [...rgdsBelow('examples'), ...rgdsBelow('test/cases')];
  const conformance = rgdsBelow('test/conformance');
  const count = SIZE - GENERATED - written.length;
  const chosen = Array.from({ length: count }, (_, at) => conformance[Math.floor((at * conformance.length) / count)]);
  return [...written, ...chosen.filter((one) => one !== undefined), ...generated()];
}

const rgdsBelow = (folder: string): RgdText[] =>
  readdirSync(root + folder, { recursive: true })
    .map((name) => `${folder}/${name}`)
    // Cases that exhaust a budget take seconds each; test/bombs covers them.
    .filter((name) => name.endsWith('.yaml') && !name.includes('/budget-of-'))
    .sort()
    .map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))
    .filter(({ text }) => text.includes('kind: ResourceGraphDefinition'));

/**
 * Returns random packages as they are compared with kro's engine, without their CRDs, which are longer than the rest.
 * Every fourth one is JSON.
 */
const generated = (): RgdText[] =>
  sample(packageOf, GENERATED, SEED).map((made, index) => {
    const objects = made.objects.filter(({ kind }) => kind !== 'CustomResourceDefinition') as unknown as KubeObject[];
    const text = index % 4 === 0 ? `${toJsonText(objects)}\n` : toYaml(objects);
    return { name: `generated package ${index}`, text };
  });
