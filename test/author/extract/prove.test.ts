import { describe, expect, it } from 'vitest';
import { choiceAt } from '../../../src/author/extract/choices.ts';
import type { Condition, Field, Hole, MapPattern, Node, Place, Rows } from '../../../src/author/extract/model.ts';
import { prove } from '../../../src/author/extract/prove.ts';
import { Collector, type Diagnostic } from '../../../src/core/diagnostics/index.ts';
import type { InputObject, KubeObject } from '../../../src/core/model/object.ts';
import type { Value, ValueMap } from '../../../src/core/model/value.ts';
import { builtinKinds } from '../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { toDiagnostics } from '../../../src/yaml/locate/index.ts';
import { flattenObjects, readStreams } from '../../../src/yaml/parse/index.ts';

const rows: Rows = { size: 1, prefix: 'schema.spec' };
const placeOf = (...steps: string[]): Place => ({ node: 'configMap', steps, schema: undefined });

const field: Field = {
  rows,
  cells: ['A'],
  uses: [placeOf('data', 'key')],
  name: 'key',
  decides: true,
  isSwitch: false,
};

const TEXT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  key: A\n';

const inputOf = (): InputObject => {
  const [input] = flattenObjects(readStreams([{ file: 'apps/a.yaml', text: TEXT }], new Collector()));
  if (input === undefined) throw new Error('the text has no object');
  return input;
};

/** Returns the node of the text: its key is written with a field. */
function nodeOf(input: InputObject, isOptional: boolean): Node {
  const hole: Hole = {
    type: 'hole',
    rows,
    cells: ['A'],
    place: placeOf('data', 'key'),
    terms: [{ type: 'field', field }],
  };
  const data: MapPattern = { type: 'map', place: placeOf('data'), entries: [{ key: 'key', pattern: hole }] };
  const pattern: MapPattern = { type: 'map', place: placeOf(), entries: [{ key: 'data', pattern: data }] };
  const node: Node = {
    id: 'configMap',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    rows,
    inputs: [input],
    objects: [input.object],
    pattern,
  };
  const decided: Condition['decided'] = { field, how: 'has', negated: false };
  if (isOptional) node.condition = { rows, present: [true], place: placeOf(), part: pattern, decided };
  return node;
}

interface Wrong {
  /** The data of the template. */
  readonly data?: Value;
  readonly includeWhen?: string;
  readonly more?: ValueMap;
}

/** Proves an RGD that was written wrongly, and returns the errors. */
function errorsOf({ data = { key: 'A' }, includeWhen, more }: Wrong): Diagnostic[] {
  const input = inputOf();
  const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data };
  const resource: ValueMap = { id: 'configMap', template };
  if (includeWhen !== undefined) resource.includeWhen = [includeWhen];
  const rgd: KubeObject = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'thing' },
    spec: {
      schema: { apiVersion: 'v1', kind: 'Thing', group: 'example.com', spec: { key: 'string' } },
      resources: more === undefined ? [resource] : [resource, more],
    },
  };
  const instance: KubeObject = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: {} };
  const { reports } = prove({
    rgd,
    instances: [instance],
    copies: [{ name: 'a', objects: [input] }],
    nodes: [nodeOf(input, includeWhen !== undefined)],
    kinds: builtinKinds,
    beside: {},
    options: defaultRenderOptions,
  });
  return toDiagnostics(reports).filter(({ severity, code }) => severity === 'error' && code === 'extract-differs');
}

describe('an error of the proof', () => {
  it('is at the field of the copy that is rendered differently, with the choice that made it', () => {
    expect(errorsOf({ data: { key: 'B' } })).toEqual([
      expect.objectContaining({
        object: 'ConfigMap/a',
        file: 'apps/a.yaml',
        line: 6,
        field: 'data.key',
        message:
          'would render differently at configMap.data.key, so nothing is written: it is written with schema.spec.key',
      }),
    ]);
  });

  it('is at the field of the copy that does not render', () => {
    expect(errorsOf({ data: { key: '${schema.spec.other}' } })).toEqual([
      expect.objectContaining({
        file: 'apps/a.yaml',
        line: 6,
        field: 'data.key',
        message: 'configMap.data.key does not render, so nothing is written: it is written with schema.spec.key',
      }),
    ]);
  });

  it('is at the object of the copy that would not be rendered', () => {
    expect(errorsOf({ includeWhen: '${has(schema.spec.key)}' })).toEqual([
      expect.objectContaining({
        file: 'apps/a.yaml',
        line: 1,
        message: 'would not be rendered, so nothing is written: node configMap, it is there if has(schema.spec.key)',
      }),
    ]);
  });

  it('names an object that the copy lacks', () => {
    const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } };
    expect(errorsOf({ more: { id: 'other', template } })).toEqual([
      expect.objectContaining({
        object: 'ConfigMap/b',
        message: 'would be rendered for copy 1 too, which lacks it, so nothing is written',
      }),
    ]);
  });
});

describe('the choice that made a field', () => {
  it('is found below a key with the name of the instance', () => {
    const node = nodeOf(inputOf(), false);
    const [data] = node.pattern.entries;
    if (data?.pattern.type !== 'map') throw new Error('data is a map');
    const [{ pattern } = { pattern: data.pattern }] = data.pattern.entries;
    const own: MapPattern = { ...data.pattern, entries: [{ key: '\0.conf', isOwn: true, pattern }] };
    const named: Node = { ...node, pattern: { ...node.pattern, entries: [{ key: 'data', pattern: own }] } };
    expect(choiceAt(named, ['data', 'a.conf']).message).toEqual(choiceAt(node, ['data', 'key']).message);
  });
});
