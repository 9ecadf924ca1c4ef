import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/diagnostics/index.ts';
import { toYaml } from '../../../src/emit/yaml.ts';
import type { InputObject } from '../../../src/model/object.ts';
import { parseArguments } from '../../../src/options/arguments.ts';
import { readStreams } from '../../../src/parse/streams.ts';
import { renderPackage, surveyPackage } from '../../../src/pipeline.ts';
import { objectsToPrint } from '../../../src/select/index.ts';
import { liveObjects, observedObjects, withLive } from '../../../src/survey/observe/index.ts';

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
  const parsed = parseArguments(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : ['--strict'], 'cli');
  if ('fault' in parsed) throw new Error(parsed.fault);
  return { ...parsed.settings, namespace: 'default' };
}

describe('rendering with what observe keeps is rendering with everything', () => {
  it.each(cases)('%s', (folder) => {
    const settings = settingsOf(folder);
    const objects = read(`${folder}/input.yaml`);
    const render = (observed: readonly InputObject[]): unknown => {
      const output = renderPackage({ objects, observed }, settings);
      const codes = output.reports.map(({ code, node, severity = 'error' }) => `${severity} ${code} ${node}`);
      return { text: toYaml(objectsToPrint(output, true).objects), codes };
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
