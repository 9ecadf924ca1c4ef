import { describe, expect, it } from 'vitest';
import { Collector, codes, isError } from '../../../src/core/diagnostics/index.ts';
import { sampleInstance } from '../../../src/describe/sample/index.ts';
import { isRgd } from '../../../src/kro/definition/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { renderPackage } from '../../../src/render/pipeline.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { compiledCases } from '../../conformance-rgds.ts';

/**
 * RGDs that render for no instance, or that read values that no schema describes: formatted strings (JSON, a quantity,
 * a URL), fields of `object`, labels, the second item of a list.
 */
const FOR_PEOPLE: readonly string[] = [
  'beyond/007-object-without-a-name',
  'beyond/008-invalid-object-name',
  'beyond/030-namespace-of-blanks',
  'cel/029-regex-lookahead-rejected',
  'cel/030-bytes-into-field-rejected',
  'cel/031-secret-string-data',
  'cel/039-quantity-functions',
  'cel/041-url-functions',
  'cel/046-json-unmarshal',
  'cel/047-json-number-plus-int',
  'cel/050-list-index-functions',
  'cel/051-list-edit-out-of-range',
  'cel/053-dotted-and-odd-map-keys',
  'cel/055-unknown-fields-are-dynamic',
  'cel/067-int-parse-failure',
  'cel/070-json-syntax-error',
  'cel/072-iterator-runtime-field-missing',
  'cel/081-dyn-inside-template',
  'graph/030-foreach-over-1000-error',
  'graph/045-foreach-empty-dimension-beats-the-rest',
  'graph/085-instance-labels-not-copied',
  'schema/001-atomic-types',
  'schema/003-lists-and-maps',
];

describe('the sample of every RGD of the conformance cases', () => {
  it('renders as printed, except for values that only a cluster has', () => {
    const failed = new Map<string, string>();
    let [rendered, pending] = [0, 0];
    for (const { name, objects, graphs } of compiledCases()) {
      const definitions = objects.filter(({ object }) => isRgd(object) || object.kind === 'CustomResourceDefinition');
      for (const graph of graphs.values()) {
        const { text, faults } = sampleInstance(graph, defaultRenderOptions);
        if (faults.length > 0) continue;
        const sample = readStreams([{ file: 'sample.yaml', text }], new Collector());
        const errors = renderPackage({ objects: sample, definitions }, defaultRenderOptions).reports.filter(isError);
        const wrong = errors.find(({ code }) => codes[code].stage !== 'pending');
        if (wrong !== undefined) failed.set(`${name} ${graph.kind}`, `${wrong.code}: ${wrong.message}`);
        else if (errors.length > 0) pending += 1;
        else rendered += 1;
      }
    }
    console.log(`${rendered} samples render, ${pending} wait for live objects, ${failed.size} fail`);
    const unexpected = [...failed].filter(([name]) => !FOR_PEOPLE.includes(name.split(' ')[0] ?? ''));
    expect(unexpected.map(([name, why]) => `${name}: ${why}`)).toEqual([]);
    expect(FOR_PEOPLE.filter((name) => ![...failed.keys()].some((one) => one.startsWith(`${name} `)))).toEqual([]);
    expect(rendered + pending).toBeGreaterThan(200);
  });
});
