// The command in one file. All commands but `render` are in a function that is called when one of them is asked for, so
// that neither `render` nor the KRM function evaluates them at its start.
import { basename } from 'node:path';
import { build } from 'esbuild';
import { commandBundle, commandChunks } from './bundles.mjs';

const IMPORT = /\bimport(?:\{[^}]*\}from|[\w$]+ from)?"[^"]+";/g;
const EXPORT = /\bexport\{([^}]*)\};/;
const LOADING = /\bimport\("(\.\/commands-\w+\.js)"\)/;
const MAP = /^(\/\/# sourceMappingURL=data:application\/json;base64,)(.*)$/m;

/** Builds the command, with these changes of esbuild's options, and returns the metafile of its sources. */
export async function buildCommand(root, changes = {}) {
  const { outputFiles, metafile } = await build(commandChunks(root));
  const chunks = new Map(outputFiles.map(({ path, text }) => [`./${basename(path)}`, text]));
  const main = chunks.get('./main.js');
  const [loading, commands] = LOADING.exec(main);
  chunks.set(
    './main.js',
    below(`import{load as load_commands}from"${commands}";`, edited(main, loading, 'load_commands()')),
  );
  chunks.set(commands, inFunction(chunks.get(commands)));
  await build({
    ...commandBundle(root),
    stdin: { contents: 'import"./main.js"' },
    plugins: [from(chunks, root)],
    ...changes,
  });
  return { metafile };
}

/** Returns a module with a function `load` that evaluates a module and returns its exports. */
function inFunction(text) {
  const [exported, names] = EXPORT.exec(text);
  const entries = names.split(',').map((one) => one.split(' as ').reverse().join(':'));
  const imports = text.match(IMPORT).join('');
  const body = edited(edited(text, IMPORT, ''), exported, '');
  return below(`${imports}export function load(){`, body.replace(MAP, `return{${entries}}}\n$&`));
}

/** Adds a first line. */
function below(line, text) {
  const moved = text.replace(MAP, (_, start, encoded) => {
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString());
    return start + Buffer.from(JSON.stringify({ ...map, mappings: `;${map.mappings}` })).toString('base64');
  });
  return `${line}\n${moved}`;
}

/** Replaces a text without moving what follows it, so that the source map stays right. */
const edited = (text, found, replacement) => text.replace(found, (all) => replacement.padEnd(all.length));

/** Resolves the imports of chunks. */
const from = (chunks, root) => ({
  name: 'chunks',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\.\// }, ({ path }) =>
      chunks.has(path) ? { path, namespace: 'chunk' } : { path, external: true },
    );
    onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({
      contents: chunks.get(path),
      resolveDir: `${root}dist`,
    }));
  },
});
