import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../src/cli/command.ts';
import { type ResourceList, readListText, renderResourceList } from '../src/cli/resourcelist/index.ts';
import type { Report } from '../src/core/diagnostics/diagnostic.ts';
import { Collector } from '../src/core/diagnostics/index.ts';
import type { Document } from '../src/core/model/object.ts';
import type { RenderInput } from '../src/core/model/render.ts';
import { objectsToPrint } from '../src/kubernetes/select/index.ts';
import { defaultSettings, type Settings, sharedOptions } from '../src/render/options/index.ts';
import { renderPackage } from '../src/render/pipeline.ts';
import { toYaml } from '../src/yaml/emit/yaml.ts';
import { formatDiagnostics } from '../src/yaml/locate/format.ts';
import { createLocator, toDiagnostic } from '../src/yaml/locate/locate.ts';
import { readStreams } from '../src/yaml/parse/yaml.ts';
import { isLong } from './properties/runs.ts';

/**
 * A folder is a case: input.yaml, with the optional args.json (of the command line) and observed.yaml, renders to
 * expected.yaml, which is empty after an error, and expected-diagnostics.txt, which is empty without diagnostics.
 * `UPDATE=1 npx vitest run test/cases.test.ts` writes the expected files; review the difference.
 */
const root = fileURLToPath(new URL('cases', import.meta.url));
const update = process.env.UPDATE === '1';

interface Case {
  input: RenderInput;
  settings: Settings;
  reports: Collector;
  sources: Map<string, string>;
}

function readCase(folder: string): Case {
  const reports = new Collector();
  const sources = new Map<string, string>();
  const read = (file: string): Document[] => {
    if (!existsSync(`${folder}/${file}`)) return [];
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    sources.set(file, text);
    return readStreams([{ file, text }], reports);
  };
  const args = existsSync(`${folder}/args.json`) ? JSON.parse(readFileSync(`${folder}/args.json`, 'utf8')) : [];
  const { values, fault } = parseArguments(args, sharedOptions);
  if (fault !== undefined) throw new Error(fault);
  return {
    input: { objects: read('input.yaml'), observed: read('observed.yaml') },
    settings: { ...defaultSettings, ...(values as Partial<Settings>) },
    reports,
    sources,
  };
}

function render({ input, settings, reports, sources }: Case): { objects: string; diagnostics: string } {
  const unread = reports.all.some(isError);
  const output = unread ? { entries: [], pending: [], defined: [], reports: [] } : renderPackage(input, settings);
  const found = [...reports, ...output.reports];
  const failed = found.some(isError);
  const locator = createLocator();
  return {
    objects: failed ? '' : toYaml(objectsToPrint(output, settings).objects),
    diagnostics: formatDiagnostics(
      found.map((report) => toDiagnostic(report, locator)),
      sources,
    ),
  };
}

const isError = ({ severity = 'error' }: Report): boolean => severity === 'error';

function compare(file: string, text: string): void {
  if (update) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

/** Renders a package in place, as the KRM function does. */
function inPlace(text: string, { input, settings }: Case): { text: string; failed: boolean } {
  const list = readListText({ file: '-', text }, new Collector()) as ResourceList;
  const beside = { observed: input.observed ?? [] };
  const rendered = renderResourceList(list, beside, { ...settings, allowEmpty: true });
  return { text: rendered.text.join(''), failed: rendered.failed };
}

describe('cases', () => {
  const names = readdirSync(root).sort();

  it.each(names)('%s', (name) => {
    const { objects, diagnostics } = render(readCase(`${root}/${name}`));
    compare(`${root}/${name}/expected.yaml`, objects);
    compare(`${root}/${name}/expected-diagnostics.txt`, diagnostics);
  });

  // What exhausts a budget takes long, again and again.
  const inPlaces = names.filter((name) => isLong || !name.startsWith('budget-'));
  it.each(inPlaces)('%s, rendered in place, does not change when it is rendered again', (name) => {
    const given = readCase(`${root}/${name}`);
    const items = given.input.objects.map(({ object }) => object);
    const list = { apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items };
    const first = inPlace(toYaml([list]), given);
    const second = inPlace(first.text, given);
    expect(second).toEqual(first);
  });
});
