// The command in one file. Its other commands, and what few renderings need, are texts in the file, compiled when one of
// them is called: Node would parse them at every start. In an executable they are functions, because its functions are
// compiled already.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { commandBundle, commandChunks } from './bundles.mjs';

const IMPORT = /\bimport(?:\{([^}]*)\}from)?"([^"]+)";/g;
const EXPORT = /\bexport\{([^}]*)\};/;
const LOADED = /\bimport\("\.\/([\w-]+)\.js"\)/g;
const IMPORTED = /\bimport\(("\.\/\w+\.mjs")\)/g;
/** The licences of a chunk, which stay readable at the end of the file. */
const LICENCES = /\/\*! Bundled license information:[\s\S]*?\*\//;
const MAP = /^(\/\/# sourceMappingURL=)data:application\/json;base64,(.*)$/m;

/** Compiles a text of the file as a module, so that Node reads its source map. */
const COMPILE = `import Module from "node:module";import{join}from"node:path";
export const compile=(text,name)=>{const file=join(process.argv[1]??"","..",name);const made=new Module(file);
made._compile(text,file);return made.exports}`;

/**
 * Builds the command, with these changes of esbuild's options, and returns the metafile of its sources. `compiled` builds
 * it for a runtime that compiles the file before it runs.
 */
export async function buildCommand(root, { compiled = false, ...changes } = {}) {
  const sources = commandChunks(root);
  const define = { ...sources.define, ...(compiled ? { RENDER_RGD_FUNCTIONS: 'RENDER_RGD_FUNCTIONS' } : {}) };
  const { outputFiles, metafile } = await build({ ...sources, define });
  const options = { ...commandBundle(root), ...changes };
  const chunks = new Map(outputFiles.map(({ path, text }) => [basename(path, '.js'), text]));
  const atStart = new Set(['main']);
  for (const name of atStart) for (const { chunk } of importsOf(chunks.get(name))) if (chunk) atStart.add(chunk);
  const later = [...chunks.keys()].filter((name) => !atStart.has(name)).map(nameOf);
  if (new Set(later).size < later.length) throw new Error(`two texts of the command have one name: ${later}`);
  const folder = resolve(root, dirname(options.outfile));
  const modules = new Map([['compile', COMPILE]]);
  for (const [name, text] of chunks) {
    if (atStart.has(name)) modules.set(name, withLoaders(text));
    else modules.set(name, loader(name, text, { atStart, folder: compiled ? undefined : folder }));
  }
  await build({ ...options, define: {}, stdin: { contents: 'import"./main.js"' }, plugins: [from(modules, root)] });
  return { metafile };
}

/** Returns the imports of a chunk, as `[exported, local]` names of another chunk or of a module of Node. */
const importsOf = (text) =>
  [...text.matchAll(IMPORT)].map(([, names = '', module]) => ({
    module,
    chunk: /^\.\/(.*)\.js$/.exec(module)?.[1],
    names: pairsOf(names),
  }));

/** Returns the pairs of a list such as `a as b,c`. */
const pairsOf = (names) =>
  names.split(',').flatMap((one) => {
    const [first, second = first] = one.split(' as ');
    return first === '' ? [] : [[first, second]];
  });

/** Returns the chunks that a chunk imports dynamically. */
const loadedBy = (text) => [...new Set([...text.matchAll(LOADED)].map(([, chunk]) => chunk))];

/** The name of a chunk without its hash, which depends on the folder of the build. */
const nameOf = (chunk) => chunk.replace(/-[A-Z0-9]{8}$/, '');
const loaderOf = (chunk) => `load_${nameOf(chunk)}`;
const importLoader = (chunk) => `import{load as ${loaderOf(chunk)}}from"./${chunk}.js";`;

/** Returns a chunk that calls loaders where it imports others dynamically. */
const callingLoaders = (text) => edited(text, LOADED, (_, chunk) => `${loaderOf(chunk)}()`);
const withLoaders = (text) => below(loadedBy(text).map(importLoader).join(''), callingLoaders(text));

/**
 * Returns a module with a function `load`, which evaluates a chunk once and returns its exports. With a `folder`, the
 * chunk is a text, and its source map is written there.
 */
function loader(name, text, { atStart, folder }) {
  const imports = importsOf(text);
  const ofNode = imports.filter(({ chunk }) => chunk === undefined);
  const ofStart = imports.filter(({ chunk }) => atStart.has(chunk));
  const ofLoaded = imports.filter((one) => !ofNode.includes(one) && !ofStart.includes(one));
  const loaded = new Set([...loadedBy(text), ...ofLoaded.map(({ chunk }) => chunk)]);
  /** What the function of the chunk gets: its names, and what they are outside of it. */
  const given = [
    ...[...loaded].map((chunk) => [loaderOf(chunk), loaderOf(chunk)]),
    ...ofStart.flatMap(({ names }) => names.map(([, local]) => [local, local])),
    ...ofLoaded.flatMap(({ chunk, names }) => names.map(([one, local]) => [local, `${loaderOf(chunk)}().${one}`])),
  ];
  const required = ofNode.map(
    ({ module, names }) => `const{${names.map((pair) => pair.join(':'))}}=require("${module}");`,
  );
  const [exported, names] = EXPORT.exec(text);
  const result = `return{${pairsOf(names).map(([local, one]) => `${one}:${local}`)}}})`;
  const kept = callingLoaders(
    [IMPORT, LICENCES, exported].reduce((left, found) => edited(left, found, () => ''), text),
  );
  const body = kept.replace(IMPORTED, (_, file) => `later[${file}]()`).replace(MAP, (map) => `${result}\n${map}`);
  const files = [...text.matchAll(IMPORTED)].map(([call, file]) => `${file}:()=>${call}`);
  const made = below(`(function({${given.map(([local]) => local)}},require,later){${required.join('')}`, body);
  return [
    ...[...loaded].map(importLoader),
    ...ofStart.map(({ module, names }) => `import{${names.map((pair) => pair.join(' as '))}}from"${module}";`),
    `${folder === undefined ? '' : 'import{compile}from"./compile.js";'}let exported;`,
    `export const load=()=>exported??=${folder === undefined ? made.replace(MAP, '') : compiling(name, made, folder)}`,
    `({${given.map((pair) => pair.join(':'))}},require,{${files}});`,
    LICENCES.exec(text)?.[0] ?? '',
  ].join('\n');
}

/** Returns an expression that compiles a text, whose source map it writes. */
function compiling(name, text, folder) {
  const file = `render-rgd.${nameOf(name)}.js`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${file}.map`), Buffer.from(MAP.exec(text)[2], 'base64'));
  const source = `"use strict";module.exports=${text.replace(MAP, `$1${file}.map`)}`;
  return `compile(${JSON.stringify(source)},${JSON.stringify(file)})`;
}

/** Adds a first line. */
const below = (line, text) => {
  const moved = text.replace(MAP, (_, start, encoded) => {
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString());
    const shifted = JSON.stringify({ ...map, mappings: `;${map.mappings}` });
    return `${start}data:application/json;base64,${Buffer.from(shifted).toString('base64')}`;
  });
  return `${line}\n${moved}`;
};

/** Replaces a text without moving what follows it, so that the source map stays right. */
const edited = (text, found, replacement) =>
  text.replace(found, (all, ...rest) => replacement(all, ...rest).padEnd(all.length));

/** Resolves the imports of chunks. */
const from = (chunks, root) => ({
  name: 'chunks',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\.\// }, ({ path }) => {
      const name = basename(path, '.js');
      return chunks.has(name) ? { path: name, namespace: 'chunk' } : { path, external: true };
    });
    onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({
      contents: chunks.get(path),
      resolveDir: `${root}dist`,
    }));
  },
});
