// Measures what is computed once for an RGD, and once for an instance before rendering.
import { load, medianTime } from './support/measure.mjs';
import { rgdOf } from './support/packages.mjs';
import { figureText } from './support/table.mjs';
import { workload } from './support/workload.mjs';

export const title = 'Compiling one RGD, and validating instances, in a process that runs';

export async function run({ short }) {
  const core = await load(
    'src/core/diagnostics/index.ts',
    'src/yaml/parse/yaml.ts',
    'src/render/work.ts',
    'src/render/front-ends.ts',
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
    ['1000 instances, validated and defaulted', timeOf(() => validate(core, thousand))],
  ];
  return {
    lines: [['', 'ms'], ...rows.map(([name, time]) => [name, figureText(time)])],
    claims: [{ name: 'compiling the RGD of 60 nodes', figure: compiled, target: 100, unit: 'ms' }],
  };
}

const read = (core, text) => core.readStreams([{ file: 'input.yaml', text }], new core.Collector());

const compile = (core, text) => inEach(core, text, (work, turn) => work.compile(turn));

const validate = (core, text) => inEach(core, text, (work, turn) => work.prepare(turn));

/** Reads a package, and runs a step of each front end. */
function inEach(core, text, step) {
  const reports = new core.Collector();
  const objects = core.readStreams([{ file: 'input.yaml', text }], reports);
  const work = new core.Work({ objects }, core.defaultRenderOptions, core.FRONT_ENDS);
  if (reports.hasErrors || !work.read() || !work.turns.every((turn) => step(work, turn))) {
    throw new Error(`the input has errors: ${[...reports.all, ...work.all].map(({ message }) => message).join('; ')}`);
  }
}
