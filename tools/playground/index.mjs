import { dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { versionOf } from '../package.mjs';
import { pagePlugin } from './page.mjs';

/** Unused parts of our own modules are omitted, as `sideEffects` of the package declares. */
const ROLLDOWN = {
  treeshake: { moduleSideEffects: (id) => !/\/src\/(?!api\/language-worker).*\.ts$/.test(id) },
  // Otherwise each use of a table would have a copy of it.
  optimization: { inlineConst: false },
};

/** Modules of the project that the page loads later: those of playground/engine with the same purpose replace them. */
const LATER = {
  'data/controller-kinds.json': 'playground/engine/controller-kinds.ts',
  'data/kubernetes-minors.json': 'playground/engine/kubernetes-minors.ts',
  'data/transliteration.json': 'playground/engine/transliteration.ts',
  'src/render/front-ends.ts': 'playground/engine/front-ends.ts',
};

const lazyParts = (root) => {
  const rest = new Set(Object.keys(LATER));
  return {
    name: 'render-rgd-lazy-parts',
    enforce: 'pre',
    resolveId: (name, importer) => {
      if (!importer?.startsWith(join(root, 'src/')) || !name.startsWith('.')) return undefined;
      const path = relative(root, join(dirname(importer), name));
      rest.delete(path);
      return Object.hasOwn(LATER, path) ? join(root, LATER[path]) : undefined;
    },
    buildEnd: (error) => {
      if (error === undefined && rest.size > 0) throw new Error(`nothing imports ${[...rest].join(', ')}`);
    },
  };
};

/** The texts of the reference of diagnostics are not shown: each code has a link to it. */
const leanTable = {
  name: 'render-rgd-lean-table',
  enforce: 'pre',
  transform: (text, id) => {
    if (!id.endsWith('/data/diagnostics.json')) return undefined;
    const named = (codes) => Object.fromEntries(Object.keys(codes).map((code) => [code, {}]));
    const table = Object.entries(JSON.parse(text)).map(([stage, codes]) => [stage, named(codes)]);
    return { code: JSON.stringify(Object.fromEntries(table)), map: null };
  },
};

/** Collects the content of the bundles, as an esbuild metafile. */
function moduleCollector(root, outputs) {
  return {
    name: 'render-rgd-modules',
    generateBundle: (_, bundle) => {
      for (const { type, fileName, modules = {} } of Object.values(bundle)) {
        if (type !== 'chunk') continue;
        const inputs = Object.entries(modules).map(([id, { renderedLength }]) => [
          id.replaceAll('\\', '/').replace(root.replaceAll('\\', '/'), ''),
          { bytesInOutput: renderedLength },
        ]);
        outputs[fileName] = { inputs: Object.fromEntries(inputs.filter(([id]) => !id.startsWith('\0'))) };
      }
    },
  };
}

/**
 * Builds the playground into a folder of static files, which works below any path. Returns the content of the bundles,
 * as builds of esbuild do. With `fetches` the page can open addresses of GitHub.
 */
export async function buildPlayground(root, outDir, { fetches = false } = {}) {
  const outputs = {};
  const plugins = [moduleCollector(root, outputs)];
  await build({
    root: join(root, 'playground'),
    base: './',
    configFile: false,
    logLevel: 'error',
    define: { RENDER_RGD_VERSION: JSON.stringify(versionOf(root)), RENDER_RGD_FETCH: JSON.stringify(fetches) },
    plugins: [pagePlugin(root, fetches), leanTable, ...plugins],
    worker: { format: 'es', plugins: () => [lazyParts(root), leanTable, ...plugins], rolldownOptions: ROLLDOWN },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // Browsers with light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4000,
      rolldownOptions: ROLLDOWN,
    },
  });
  return { metafile: { outputs } };
}
