// From the text of one RGD to its graph: YAML, shape, schema, types of all expressions, programs, order.
import { load, median } from './support/measure.mjs';
import { rgdOf } from './support/packages.mjs';

export const title = 'Reading and compiling one RGD';
const TARGET = 100;

export async function rows() {
  const core = await load(
    'src/parse/streams.ts',
    'src/parse/index.ts',
    'src/schema/index.ts',
    'src/compile/index.ts',
    'src/model/render.ts',
  );
  const forty = rgdOf(40, { crossed: false });
  const sixty = rgdOf(60, { crossed: true });
  const read = (text) => core.readStreams([{ file: 'rgd.yaml', text }], []);
  const compile = (text) => {
    const reports = [];
    const pack = core.readPackage({ objects: core.readStreams([{ file: 'rgd.yaml', text }], reports) }, reports);
    const kinds = core.kindsOf(pack.crds, undefined, reports);
    const graphs = core.compileRgds(pack.definitions, kinds, core.defaultRenderOptions, reports);
    const errors = reports.filter(({ severity = 'error' }) => severity === 'error');
    if (errors.length > 0 || graphs.size !== 1) throw new Error(errors[0]?.message ?? 'no graph');
  };
  const start = performance.now();
  compile(forty);
  const first = performance.now() - start;
  return [
    { name: '40 nodes', figure: median(() => compile(forty)), unit: 'ms', target: TARGET },
    { name: '60 nodes with cross references', figure: median(() => compile(sixty)), unit: 'ms', target: TARGET },
    { name: '40 nodes, the first time', figure: first, unit: 'ms', note: 'nothing warmed up' },
    { name: '40 nodes, YAML only', figure: median(() => read(forty)), unit: 'ms' },
  ];
}
