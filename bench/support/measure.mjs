import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the exports of some source files. */
export async function load(...sources) {
  return import(`data:text/javascript;base64,${Buffer.from(await bundle(...sources)).toString('base64')}`);
}

/** Returns the same as one text, bundled as in a release. */
export async function bundle(...sources) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: sources.map((file) => `export * from './${file}';`).join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  });
  return outputFiles[0].text;
}

/** Returns the median time of one run in milliseconds, after warm-up runs. */
export function medianTime(run, { runs = 31, warmUp = 5 } = {}) {
  const times = [];
  for (let count = -warmUp; count < runs; count++) {
    const start = performance.now();
    run();
    if (count >= 0) times.push(performance.now() - start);
  }
  return median(times);
}

export function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}
