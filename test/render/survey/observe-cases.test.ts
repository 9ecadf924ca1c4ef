import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/command.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { InputObject } from '../../../src/core/model/object.ts';
import { objectsToPrint } from '../../../src/kubernetes/select/index.ts';
import { defaultSettings, type Settings, sharedOptions } from '../../../src/render/options/index.ts';
import { renderPackage, surveyPackage } from '../../../src/render/pipeline.ts';
import { liveObjects, observedObjects, withLive } from '../../../src/render/survey/index.ts';
import { toYaml } from '../../../src/yaml/emit/yaml.ts';
import { readStreams } from '../../../src/yaml/parse/yaml.ts';

const tests = fileURLToPath(new URL('../..', import.meta.url));
const cases = ['conformance', 'cases']
  .flatMap((root) =>
    readdirSync(join(tests, root), { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
  )
  .filter((file) => file.endsWith('/observed.yaml'))
  .map(dirname)
  .sort();

const read = (file: string): InputObject[] =>
  readStreams([{ file, text: readFileSync(join(tests, file), 'utf8') }], new Collector()) as InputObject[];

function settingsOf(folder: string) {
  const file = join(tests, folder, 'args.json');
  const args = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : ['--strict'];
  const { values, fault } = parseArguments(args, sharedOptions);
  if (fault !== undefined) throw new Error(fault);
  return { ...defaultSettings, ...(values as Partial<Settings>), namespace: 'default' };
}

describe('the output of observe renders as the complete live objects do', () => {
  it.each(cases)('%s', (folder) => {
    const settings = settingsOf(folder);
    const objects = read(`${folder}/input.yaml`);
    const render = (observed: readonly InputObject[]): unknown => {
      const output = renderPackage({ objects, observed }, settings);
      const codes = output.reports.map(({ code, node, severity = 'error' }) => `${severity} ${code} ${node}`);
      return { text: toYaml(objectsToPrint(output, { all: true }).objects), codes };
    };
    const observe = (given: readonly InputObject[]): InputObject[] => {
      const seen = { live: liveObjects(given, new Collector()), earlier: [] };
      const { survey } = surveyPackage(withLive({ objects }, seen, new Collector()), settings);
      if (survey === undefined) throw new Error('the package has errors');
      return observedObjects(survey, seen, true, new Collector()).map((object) => ({ object }));
    };
    const live = read(`${folder}/observed.yaml`);
    const kept = observe(live);
    expect(render(kept)).toEqual(render(live));
    expect(observe(kept)).toEqual(kept);
  });
});
