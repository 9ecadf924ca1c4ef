import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codes, isError } from '../../../../src/core/diagnostics/diagnostic.ts';
import { Collector } from '../../../../src/core/diagnostics/index.ts';
import { type InputObject, type KubeObject, nameOf } from '../../../../src/core/model/object.ts';
import { formatPath, isMap, type Path, type Value } from '../../../../src/core/model/value.ts';
import { objectsToPrint } from '../../../../src/kubernetes/select/index.ts';
import { defaultRenderOptions } from '../../../../src/render/options/index.ts';
import { renderPackage, surveyPackage } from '../../../../src/render/pipeline.ts';
import { toYaml } from '../../../../src/yaml/emit/yaml.ts';
import { readStreams } from '../../../../src/yaml/parse/yaml.ts';
import { partOf } from '../../../properties/runs.ts';

const tests = fileURLToPath(new URL('../../..', import.meta.url));
const cases = ['conformance', 'cases']
  .flatMap((root) =>
    readdirSync(join(tests, root), { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
  )
  .filter((file) => file.endsWith('/input.yaml'))
  .map(dirname)
  .sort();
const options = { ...defaultRenderOptions, namespace: 'default' };

function read(file: string): InputObject[] {
  const path = join(tests, file);
  return existsSync(path)
    ? (readStreams([{ file, text: readFileSync(path, 'utf8') }], new Collector()) as InputObject[])
    : [];
}

function render(objects: readonly InputObject[], observed: readonly InputObject[] = []) {
  const output = renderPackage({ objects, observed }, options);
  const stages = output.reports.filter(isError).map(({ code }) => codes[code].stage);
  return { text: toYaml(objectsToPrint(output, { all: true }).objects), stages };
}

describe('pending lists the missing values of every case in which render fails', () => {
  it.each(partOf(cases, 8))('%s', (folder) => {
    const objects = read(`${folder}/input.yaml`);
    const { survey } = surveyPackage({ objects }, options);
    const { stages } = render(objects);
    if (survey === undefined) {
      expect(stages.some((stage) => stage !== 'pending')).toBe(true);
      return;
    }
    const values = survey.flatMap((one) => one.pending());
    expect(values.some(({ optional }) => !optional)).toBe(stages.includes('pending'));
    if (!stages.includes('pending')) return;
    for (const { object, path } of neededLeaves(objects, read(`${folder}/observed.yaml`))) {
      const listed = values.filter(
        (value) => value.object.kind === object.kind && value.object.name === nameOf(object),
      );
      expect(listed.map((value) => value.path).filter((one) => one === '' || path.startsWith(one))).not.toEqual([]);
    }
  });
});

/**
 * Returns the values of live objects without which something else renders. An observed instance is excluded: it is not
 * in a cluster, and its status is computed from other objects.
 */
function neededLeaves(objects: readonly InputObject[], observed: readonly InputObject[]) {
  const whole = render(objects, observed).text;
  return observed.flatMap(({ object }, index) =>
    (object.apiVersion.startsWith('kro.run/') ? [] : leavesOf(object)).flatMap((path) => {
      const without = observed.map((one, at) => (at === index ? { object: removed(object, path) as KubeObject } : one));
      return render(objects, without).text === whole ? [] : [{ object, path: formatPath(path) }];
    }),
  );
}

const IDENTITY = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace']);

const leavesOf = (object: KubeObject): Path[] => leaves(object, []).filter((path) => !IDENTITY.has(formatPath(path)));

function leaves(value: Value, path: Path): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, [...path, index]));
  if (isMap(value)) return Object.entries(value).flatMap(([key, entry]) => leaves(entry, [...path, key]));
  return [path];
}

function removed(value: Value, [step, ...rest]: Path): Value {
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? removed(item, rest) : item));
  if (!isMap(value)) return null;
  const entries = Object.entries(value).filter(([key]) => key !== step || rest.length > 0);
  return Object.fromEntries(entries.map(([key, entry]) => [key, key === step ? removed(entry, rest) : entry]));
}
