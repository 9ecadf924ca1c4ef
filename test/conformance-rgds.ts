import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Collector, isError } from '../src/core/diagnostics/index.ts';
import type { InputObject } from '../src/core/model/object.ts';
import type { Graphs } from '../src/kro/compile/index.ts';
import { kro } from '../src/kro/front-end.ts';
import { defaultRenderOptions } from '../src/render/options/index.ts';
import { compilePackage } from '../src/render/pipeline.ts';
import { flattenObjects, readStreams } from '../src/yaml/parse/index.ts';

const folder = fileURLToPath(new URL('./conformance', import.meta.url));

const casesIn = (path: string): string[] =>
  existsSync(join(path, 'input.yaml'))
    ? [path]
    : readdirSync(path, { withFileTypes: true }).flatMap((one) =>
        one.isDirectory() ? casesIn(join(path, one.name)) : [],
      );

/** The conformance cases whose RGDs compile, with all of their objects. */
export function* compiledCases(): Generator<{ name: string; objects: readonly InputObject[]; graphs: Graphs }> {
  // Those of kro 0.10 need its options.
  for (const path of casesIn(folder).filter((one) => !one.includes('kro-0.10'))) {
    const text = readFileSync(join(path, 'input.yaml'), 'utf8');
    const objects = readStreams([{ file: 'input.yaml', text }], new Collector());
    const { compiled, reports } = compilePackage({ objects }, defaultRenderOptions);
    const graphs = compiled?.of(kro)?.graphs;
    if (graphs === undefined || reports.some(isError)) continue;
    const flat = flattenObjects(objects, new Collector());
    yield { name: path.slice(folder.length + 1), objects: flat, graphs };
  }
}
