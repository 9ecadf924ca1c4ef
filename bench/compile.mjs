// Measures what is computed once for an RGD, and once for an instance.
import { load, medianTime } from './support/measure.mjs';
import { rgdOf } from './support/packages.mjs';
import { figureText } from './support/table.mjs';
import { workload } from './support/workload.mjs';

export const title = 'Compiling one RGD, and rendering instances, in a process that runs';

export async function run({ short }) {
  const core = await load(
    'src/core/diagnostics/index.ts',
    'src/yaml/parse/yaml.ts',
    'src/render/pipeline.ts',
    'src/render/options/index.ts',
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
    ['1000 instances, rendered', timeOf(() => rendered(core, thousand))],
  ];
  return {
    lines: [['', 'ms'], ...rows.map(([name, time]) => [name, figureText(time)])],
    claims: [{ name: 'compiling the RGD of 60 nodes', figure: compiled, target: 100, unit: 'ms' }],
  };
}

const read = (core, text) => core.readStreams([{ file: 'input.yaml', text }], new core.Collector());

const compile = (core, text) => runOn(core, text, core.compilePackage);

const rendered = (core, text) => runOn(core, text, core.renderPackage);

/** Reads a package, and runs a pipeline on it. */
function runOn(core, text, pipeline) {
  const reports = new core.Collector();
  const objects = core.readStreams([{ file: 'input.yaml', text }], reports);
  const all = [...reports, ...pipeline({ objects }, core.defaultRenderOptions).reports];
  const errors = all.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(`the input has errors: ${errors.map(({ message }) => message).join('; ')}`);
}
