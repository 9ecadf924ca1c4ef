import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  comparisonJson,
  comparisonMarkdown,
  comparisonText,
  renderVersion,
} from '../../src/authoring/diff/index.ts';
import {
  addressable,
  explainable,
  explainField,
  explainInstance,
  explainNode,
  instanceText,
  nodeText,
  originText,
} from '../../src/authoring/explain/index.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../src/core/model/object.ts';
import { formatPath } from '../../src/core/model/path.ts';
import { defaultRenderOptions } from '../../src/core/model/render.ts';
import type { Path } from '../../src/core/model/value.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import { invoke } from '../cli/invoke.ts';
import { LONG, runs } from './runs.ts';
import { planted } from './secret-routes.ts';

const LETTERS = 'abcdefghijkmnprstuvwxyz23456789';

/** A value that nothing else in a package looks like. */
const values = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 22, maxLength: 22 })
  .map((letters) => `q${letters.join('')}7q`);

/** Every way in which the program talks about a package. What it renders is the output, and no talk. */
async function saidOf(documents: readonly string[]): Promise<string> {
  const text = documents.join('\n---\n');
  const said: string[] = [];
  for (const args of [
    ['render', '-', '--all'],
    ['render', '-', '--all', '--diagnostics', 'json', '--on-pending', 'skip', '--order', 'argocd'],
    ['render', '-', '--all', '--max-collection-size', '100', '--on-pending', 'placeholder'],
  ]) {
    said.push((await invoke(args, text)).stderr);
  }
  for (const args of [
    ['pending', '-'],
    ['pending', '-', '-o', 'json'],
    ['pending', '-', '--kubectl'],
    ['doctor', '-'],
  ]) {
    const { stdout, stderr } = await invoke(args, text);
    said.push(stdout, stderr);
  }
  said.push(comparedWithNothing(text), explained(text));
  const items = documents.map((document) => `- ${document.trimEnd().replaceAll('\n', '\n  ')}`).join('\n');
  const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items}\n`;
  const { stdout, stderr } = await invoke([], list);
  said.push(stderr, stdout.slice(stdout.lastIndexOf('\nresults:')).replace(/^\napiVersion[\s\S]*/, ''));
  return said.join('\n');
}

/** What `diff` shows of a package that renders, against none. */
function comparedWithNothing(text: string): string {
  const version = renderVersion(
    { objects: readStreams([{ file: '-', text }], new Collector()) },
    { ...defaultRenderOptions, all: true, order: 'kpt', onPending: 'skip' },
  );
  const comparison = compareVersions(version.objects, []);
  return [comparisonText, comparisonJson, comparisonMarkdown].map((write) => write(comparison)).join('\n');
}

/** What `explain` says of every node and of every field that is there. */
function explained(text: string): string {
  const { package: pack } = explainable(
    { objects: readStreams([{ file: '-', text }], new Collector()) },
    defaultRenderOptions,
  );
  if (pack === undefined) return '';
  const plain = (_: string, line: string): string => line;
  const nodes = pack.expansion.runs.flatMap((run) => [
    instanceText(explainInstance(run, pack), plain),
    ...run.graph.nodes.map((node) => nodeText(explainNode(node, run, pack), plain)),
  ]);
  const fields = addressable(pack).flatMap((one) =>
    pathsIn(one.object).map((path) => {
      const told = explainField(one, path, pack);
      return 'fault' in told
        ? told.fault
        : originText(one.object.kind, formatPath(path), told.value, told.origin, plain);
    }),
  );
  return [...nodes, ...fields].join('\n');
}

/** Keys that are known: others may be values themselves, and nobody asks for what they do not know. */
const pathsIn = (object: KubeObject): Path[] => [
  ...Object.keys(object).map((key) => [key]),
  ...['p', 'v', 'none'].map((key) => ['data', key]),
  ['metadata', 'name'],
  ['metadata', 'labels', 'l'],
  ['stringData', 'p'],
];

describe('a value of a Secret', () => {
  it('does not affect diagnostics, wherever it flows and whatever fails', { timeout: LONG }, async () => {
    const failed = new Set<string>();
    await fc.assert(
      fc.asyncProperty(planted, values, values, async ({ documents, ways }, one, other) => {
        const [said, same] = [await saidOf(documents(one)), await saidOf(documents(other))];
        if (said.includes('error[')) failed.add(ways);
        // Two values of one length say the same, so no part of either, in whatever form, is in what is said.
        expect(said, ways).toBe(same);
      }),
      runs(30),
    );
    expect(failed.size).toBeGreaterThan(15);
  });
});
