// Builds the command so that a start is short. V8 goes over all code of a file before any of it runs, and over a comment
// twenty times as fast. So what a plain rendering needs is code, and the rest is in the same file in comments, the parts,
// which are compiled when they are called first. Nothing in src knows of it: the modules of LATER are imported as any
// other, and the library and the executable have them as any other.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { commandBundle } from './bundles.mjs';
import { LATER } from './parts/later.mjs';
import { loader } from './parts/loader.mjs';
import { joinMaps } from './parts/source-map.mjs';

const MAIN = 'src/shells/main.ts';

/** In traces and in the source map the parts stand below the file, from this line on. */
const FIRST_LINE = 10_000;

/** Builds dist/render-rgd.js and its source map; yields the result of esbuild that says what is in it. */
export async function buildCommand(root) {
  const { outfile, banner, entryPoints: _, ...common } = commandBundle(root);
  const split = await splitModules(root, common);
  const parts = [];
  let line = FIRST_LINE;
  for (const name of split.parts) {
    const part = await partOf(name, split, common);
    parts.push({ name, line, ...part });
    line += part.text.split('\n').length;
  }
  const main = await mainOf(split, { ...common, outfile, banner: { js: `${banner.js}\n${loader(parts)}` } });
  assertAscii(main.text);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, outfile), main.text);
  writeFileSync(join(root, `${outfile}.map`), `${JSON.stringify(joinMaps([{ line: 0, map: main.map }, ...parts]))}\n`);
  return split.result;
}

/** One character beyond Latin-1, and V8 keeps the whole file with two bytes a character and takes longer to read it. */
function assertAscii(text) {
  const [found] = /[^\0-\x7f]/.exec(text) ?? [];
  if (found !== undefined)
    throw new Error(`the command holds ${found}: in a regular expression, write \\u and four digits`);
}

/** Cuts the modules into files, each loaded as a whole: esbuild's code splitting, with an entry for each of LATER. */
async function splitModules(root, common) {
  const stubs = stubsOf(root, await exportsOf(root, common));
  const entry = (path) => ({ in: path, out: nameOf(path) });
  const result = await build({
    ...common,
    entryPoints: [MAIN, ...LATER].map(entry),
    outdir: 'dist',
    entryNames: '[name]',
    splitting: true,
    format: 'esm',
    minify: false,
    sourcemap: 'inline',
    write: false,
    plugins: [stubs],
  });
  const files = new Map(
    Object.entries(result.metafile.outputs).map(([path, { exports, imports }]) => [
      path.slice('dist/'.length),
      { exports, imports: imports.filter(({ external }) => !external).map((one) => one.path.slice('dist/'.length)) },
    ]),
  );
  for (const { path, text } of result.outputFiles) files.get(path.slice(join(root, 'dist/').length)).text = text;
  const home = reachedFrom(`${nameOf(MAIN)}.js`, files);
  return { result, files, home, parts: [...files.keys()].filter((name) => !home.has(name)) };
}

const nameOf = (path) => path.replace(/^src\/|(\/index)?\.ts$/g, '').replaceAll('/', '-');

function reachedFrom(name, files, reached = new Set()) {
  if (reached.has(name)) return reached;
  reached.add(name);
  for (const imported of files.get(name).imports) reachedFrom(imported, files, reached);
  return reached;
}

/** The names that each module of LATER exports. */
async function exportsOf(root, common) {
  const options = { ...common, bundle: false, entryPoints: LATER, outdir: 'dist', outbase: root, write: false };
  const { metafile } = await build({ ...options, format: 'esm', sourcemap: false });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** Whoever imports a module of LATER gets functions that load it when they are called. */
const stubsOf = (root, exports) => ({
  name: 'later',
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, async ({ path, kind, pluginData, ...from }) => {
      if (pluginData === RESOLVED || kind === 'entry-point') return undefined;
      const resolved = await builder.resolve(path, { ...from, kind, pluginData: RESOLVED });
      const module = resolved.path.slice(root.length);
      return exports.has(module) ? { path: module, namespace: 'later', sideEffects: false } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({
      contents: exports
        .get(path)
        .map(
          (name) => `let loaded_${name};
            export const ${name} = (...args) => (loaded_${name} ??= part('${nameOf(path)}.js').${name})(...args);`,
        )
        .join('\n'),
    }));
  },
});

const RESOLVED = Symbol('resolved');

/** A part as the body of a function that has `require` for what it imports of others, and `exports`. */
async function partOf(name, { files }, common) {
  const result = await build({
    ...common,
    stdin: { contents: files.get(name).text, sourcefile: `dist/${name}`, resolveDir: common.absWorkingDir },
    outfile: `dist/${name}`,
    format: 'cjs',
    sourcemap: 'external',
    write: false,
    metafile: false,
    plugins: [external],
  });
  return textAndMap(result);
}

const external = {
  name: 'files',
  setup: (builder) => builder.onResolve({ filter: /^\.\// }, ({ path }) => ({ path: path.slice(2), external: true })),
};

/** What every rendering needs, in one scope. Parts reach what they share with it through `part.home`. */
async function mainOf({ files, home, parts }, common) {
  const shared = [...home].filter((name) => parts.some((part) => files.get(part).imports.includes(name)));
  const imports = shared.map(
    (name, at) => `import { ${files.get(name).exports.map((one) => `${one} as ${one}_${at}`)} } from './${name}';`,
  );
  const getters = shared.map(
    (name, at) => `'${name}': () => ({ ${files.get(name).exports.map((one) => `${one}: ${one}_${at}`)} }),`,
  );
  const texts = new Map([...home].map((name) => [name, files.get(name).text]));
  texts.set('home.js', [...imports, 'part.home = {', ...getters, '};'].join('\n'));
  const contents = `import './home.js';\nimport './${nameOf(MAIN)}.js';`;
  const result = await build({
    ...common,
    stdin: { contents, sourcefile: 'dist/start.js', resolveDir: common.absWorkingDir },
    write: false,
    metafile: false,
    plugins: [inMemory(texts)],
  });
  return textAndMap(result);
}

const inMemory = (texts) => ({
  name: 'files',
  setup(builder) {
    builder.onResolve({ filter: /^\.\// }, ({ path }) => ({ path: `dist/${path.slice(2)}`, namespace: 'files' }));
    builder.onLoad({ filter: /.*/, namespace: 'files' }, ({ path }) => ({
      contents: texts.get(path.slice('dist/'.length)),
    }));
  },
});

function textAndMap({ outputFiles }) {
  const [map, text] = outputFiles.map((file) => file.text);
  return { text, map: JSON.parse(map) };
}
