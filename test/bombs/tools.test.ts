import { describe, expect, it } from 'vitest';
import { validate } from '../../src/api/index.ts';
import { explain } from '../../src/api/tools/index.ts';
import { formatText } from '../../src/author/format/index.ts';
import { partOf } from '../properties/runs.ts';
import { instance, rgd } from './bombs.ts';
import { workOf } from './work.ts';

/** Returns a line with an expression for each node. */
const nodes = (count: number, name: (index: number) => string, more = ''): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `  - {id: n${index}, ${more}template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name(index)}}}}`,
  ).join('\n');

const entries = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(', ');

const manyFields = (count: number): string =>
  rgd({
    spec: `{${entries(count, (index) => `f${index}: "string | default=x"`)}}`,
    nodes: `  - id: one\n    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {${entries(
      count,
      (index) => `k${index}: "\${schema.spec.f${index}}"`,
    )}}}`,
  });

const input = (text: string) => ({ objects: [{ file: 'input.yaml', text: `${text}${instance()}` }] });

const asked: Record<string, (count: number) => void> = {
  'a node with many expressions is explained': (count) => {
    const { explanation } = explain(input(manyFields(count)), { object: 'App/one', node: 'one' });
    expect(explanation).toMatchObject({ details: { expressions: { length: count } } });
  },
  'an RGD with many fields that are read is linted': (count) => {
    expect(validate(input(manyFields(count))).diagnostics).toEqual([]);
  },
  'an RGD with many nodes is linted': (count) => {
    const text = nodes(count, (index) =>
      index === 0 ? 'x' : `"x${index}-\${string(size(n${index - 1}.metadata.name))}"`,
    );
    expect(validate(input(rgd({ nodes: text }))).diagnostics).toEqual([]);
  },
  'an RGD with many collections is linted': (count) => {
    const text = nodes(count, (index) => `"x${index}\${x}"`, 'forEach: [{x: \'${["a"]}\'}], ');
    expect(validate(input(rgd({ nodes: text }))).diagnostics).toEqual([]);
  },
  'an RGD with many fields is formatted': (count) => {
    const { text } = formatText(manyFields(count));
    expect(formatText(text)).toEqual({ text, invalid: [] });
  },
  'a text with many expressions of several lines is formatted': (count) => {
    const data = '            ${ a\n             +b }\n'.repeat(count);
    const node = `  - id: one\n    template:\n      apiVersion: v1\n      data:\n        a: |\n${data}`;
    expect(formatText(rgd({ nodes: node })).text).toContain('${a\n');
  },
};

describe('the cost of the tools is proportional to the size of a package', () => {
  it.each(partOf(Object.keys(asked), 2))('%s', (name) => {
    const ask = asked[name] as (count: number) => void;
    ask(200);
    const once = workOf(() => ask(200));
    const fourTimes = workOf(() => ask(800));
    expect(fourTimes).toBeLessThan(once * 4 * 1.5);
  });
});
