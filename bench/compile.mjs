// What is worked out once for an RGD, and once for an instance before anything is rendered.
import { load, medianTime } from './support/measure.mjs';
import { rgdOf } from './support/packages.mjs';
import { figureText } from './support/table.mjs';
import { workload } from './support/workload.mjs';

export const title = 'Compiling one RGD, and validating instances, in a process that runs';

export async function run({ short }) {
  const core = await load(
    'src/diagnostics/index.ts',
    'src/parse/streams.ts',
    'src/read/index.ts',
    'src/schema/index.ts',
    'src/rgd/compile/index.ts',
    'src/rgd/admit/index.ts',
    'src/model/render.ts',
  );
  const forty = rgdOf(40, { crossed: false });
  const sixty = rgdOf(60, { crossed: true });
  const thousand = workload(1000);
  const runs = short ? 7 : 31;
  const start = performance.now();
  compile(core, forty);
  const first = performance.now() - start;
  const timeOf = (work) => medianTime(work, { runs });
  const compiled = timeOf(() => compile(core, sixty));
  const rows = [
    ['40 nodes, the first time, nothing warmed up', first],
    ['40 nodes, YAML only', timeOf(() => read(core, forty))],
    ['40 nodes', timeOf(() => compile(core, forty))],
    ['60 nodes with cross references', compiled],
    ['1000 instances, YAML only', timeOf(() => read(core, thousand))],
    ['1000 instances, validated and defaulted', timeOf(() => validate(core, thousand))],
  ];
  return {
    lines: [['', 'ms'], ...rows.map(([name, time]) => [name, figureText(time)])],
    claims: [{ name: 'compiling the RGD of 60 nodes', figure: compiled, target: 100, unit: 'ms' }],
  };
}

const read = (core, text) => core.readStreams([{ file: 'input.yaml', text }], new core.Collector());

function compile(core, text) {
  const reports = new core.Collector();
  const pack = core.readPackage({ objects: core.readStreams([{ file: 'input.yaml', text }], reports) }, reports);
  const kinds = core.kindsOf(pack.crds, undefined, reports);
  const graphs = core.compileRgds(pack.definitions, kinds, core.defaultRenderOptions, reports);
  expectNone(reports);
  return { pack, kinds, graphs };
}

function validate(core, text) {
  const { pack, kinds, graphs } = compile(core, text);
  const reports = new core.Collector();
  const instances = core.admitInstances(pack.candidates, graphs, kinds, core.defaultRenderOptions, reports);
  if (instances.length !== 1000) throw new Error('instances are missing');
  expectNone(reports);
}

function expectNone(reports) {
  const error = reports.all.find(({ severity = 'error' }) => severity === 'error');
  if (error !== undefined) throw new Error(error.message);
}
