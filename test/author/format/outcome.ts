import { readdirSync, readFileSync } from 'node:fs';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { OnPending } from '../../../src/core/model/render.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { crdsOf, renderPackage } from '../../../src/render/pipeline.ts';
import { toYaml } from '../../../src/yaml/emit/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

/** Returns everything that a text renders, and its diagnostics without their positions. */
export function outcomeOf(text: string, modes: readonly OnPending[] = ['fail', 'placeholder']): string {
  const reports = new Collector();
  const objects = readStreams([{ file: 'input.yaml', text }], reports);
  const found = reports.all.map(({ code }): string => code);
  const printed = [toYaml(crdsOf({ objects }, defaultRenderOptions).crds)];
  for (const onPending of modes) {
    const output = renderPackage({ objects }, { ...defaultRenderOptions, namespace: 'default', onPending });
    printed.push(toYaml(output.entries.flatMap(({ rendered }) => rendered.map(({ object }) => object))));
    for (const { code, severity, path } of output.reports) found.push(`${code} ${severity} ${path.join('/')}`);
  }
  return [...printed, ...found.sort()].join('\n');
}

const root = new URL('../../../', import.meta.url).pathname;

/** Returns the YAML files below a folder that have an RGD or a ResourceSet. */
export const textsBelow = (folder: string): { name: string; text: string }[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    // Cases that exhaust a budget take seconds each; test/bombs covers them.
    .filter((name) => name.endsWith('.yaml') && !name.includes('/budget-of-'))
    .sort()
    .map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))
    .filter(({ text }) => /^kind: (?:ResourceGraphDefinition|ResourceSet)$/m.test(text));
