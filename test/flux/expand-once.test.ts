import { describe, expect, it } from 'vitest';
import { Collector, composeText } from '../../src/core/diagnostics/index.ts';
import type { RenderOptions } from '../../src/core/model/render.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { renderPackage } from '../../src/render/pipeline.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';

const text = (body: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: a, namespace: b}
spec:
  inputs: [{t: one}, {t: two}]
  resources:
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: "x-<< inputs.t >>"}, data: {v: '${body}'}}
`;
const read = (body: string, file = 'a.yaml') => readStreams([{ file, text: text(body) }], new Collector());
const render = (objects: ReturnType<typeof read>, options: RenderOptions) => {
  const { entries, reports } = renderPackage({ objects }, options);
  return { objects: entries.flatMap(({ rendered }) => rendered.map(({ object }) => object)), reports };
};
const moved = (objects: ReturnType<typeof read>): ReturnType<typeof read> =>
  objects.map(({ object, source }) => ({ object, ...(source && { source: { ...source, file: 'moved.yaml' } }) }));

describe('a ResourceSet that is rendered again', () => {
  it('renders the same objects', () => {
    const objects = read('fine');
    const [first, second] = [render(objects, defaultRenderOptions), render(moved(objects), defaultRenderOptions)];
    expect(second.objects).toEqual(first.objects);
    expect(second.objects[0]).toBe(first.objects[0]);
  });

  it('reports errors at its current location', () => {
    const objects = read('<< .a.b >>');
    const options = { ...defaultRenderOptions };
    const [first, second] = [render(objects, options), render(moved(objects), options)];
    expect(first.reports).not.toEqual([]);
    const files = (reports: typeof first.reports) => [...new Set(reports.map(({ source }) => source?.file))];
    expect([files(first.reports), files(second.reports)]).toEqual([['a.yaml'], ['moved.yaml']]);
    expect(second.reports.map(({ message }) => message)).toEqual(first.reports.map(({ message }) => message));
  });

  it('is rendered again with other options', () => {
    const objects = read('fine');
    const other = render(objects, { ...defaultRenderOptions, maxSteps: 10 });
    expect(render(objects, defaultRenderOptions).objects).toHaveLength(2);
    expect(other.reports.map(({ code }) => code)).toContain('budget-exceeded');
  });

  it('counts its cost for the whole package', () => {
    const options = { ...defaultRenderOptions, maxSteps: 20_000 };
    const loop = read('<< range $i := until 300 >>x<< end >>');
    const copies = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        readStreams(
          [
            {
              file: `${index}.yaml`,
              text: text('<< range $i := until 300 >>x<< end >>')
                .replace('name: a,', `name: a${index},`)
                .replace('x-', `x${index}-`),
            },
          ],
          new Collector(),
        ),
      ).flat();
    render(loop, options);
    const fresh = render([...read('<< range $i := until 300 >>x<< end >>'), ...copies(20)], options);
    const again = render([...loop, ...copies(20)], options);
    expect(again.reports.map(({ code, message }) => [composeText`${code}`, message])).toEqual(
      fresh.reports.map(({ code, message }) => [composeText`${code}`, message]),
    );
    expect(again.reports).not.toEqual([]);
  });
});
