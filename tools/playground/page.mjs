// The Vite plugin of the playground: the examples as a module, and the page with its policy and a rendered example.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { examplesOf } from './examples.mjs';

/** Editors add their style sheets with it. Code that could read it could write to the page anyway. */
const NONCE = 'cmVuZGVyLXJnZC1wbGF5Z3JvdW5k';

/** No eval, only the page's own scripts, and no requests, unless the build allows those to GitHub. */
const policyOf = (fetches) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${NONCE}'`,
    // Browsers themselves style text that is typed over a selection, before the editor reads it.
    "style-src-attr 'unsafe-inline'",
    "worker-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${fetches ? 'https://api.github.com' : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

const DEFINITION = 'kro.run/resource-graph-definition-name';

export function pagePlugin(root, fetches = false) {
  const examples = examplesOf(root);
  // The first visit needs the titles and one of the examples.
  const modules = {
    'virtual:examples': `export const examples = ${JSON.stringify(examples.map(({ name, title }) => ({ name, title })))};
export const first = ${JSON.stringify(examples[0].files)};`,
    'virtual:example-files': `export const contents = ${JSON.stringify(Object.fromEntries(examples.map(({ name, files, options }) => [name, { files, options }])))};`,
  };
  return {
    name: 'render-rgd-playground',
    resolveId: (name) => (Object.hasOwn(modules, name) ? `\0${name}` : undefined),
    load: (name) => modules[name.slice(1)],
    transformIndexHtml: {
      order: 'post',
      handler: async (html) => withExample(withPolicy(html, policyOf(fetches)), examples[0], await loadLibrary(root)),
    },
  };
}

const withPolicy = (html, policy) =>
  html.replace(
    '<meta charset="utf-8" />',
    `<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="style-nonce" content="${NONCE}" />`,
  );

function withExample(html, { files }, { render, toYaml }) {
  const { objects, diagnostics } = render({ objects: files.map(({ name, text }) => ({ file: name, text })) });
  if (objects.length === 0) throw new Error(`the first example renders nothing: ${JSON.stringify(diagnostics)}`);
  // The page opens the same object.
  const opened = objects.findIndex(({ metadata }) =>
    files[0].text.includes(`\n  name: ${metadata.labels[DEFINITION]}\n`),
  );
  const shown = objects.map((object, index) => {
    const { kind, metadata } = object;
    const title = [metadata.namespace, metadata.name].filter((part) => part !== undefined).join('/');
    const text = escaped(toYaml([object]));
    const summary = `<span class="kind">${escaped(kind)}</span> <span class="name">${escaped(title)}</span>`;
    return `<details class="object"${index === opened ? ' open' : ''}><summary>${summary}</summary><pre class="yaml" tabindex="0">${text}</pre></details>`;
  });
  return html
    .replace('<!--first-tabs-->', () =>
      files.map(({ name }) => `<button type="button">${escaped(name)}</button>`).join(''),
    )
    .replace('<!--first-source-->', () => escaped(files[0].text))
    .replace('<!--first-instance-->', () => escaped(files.at(-1).text))
    .replace('<!--first-objects-->', () => shown.join('\n'));
}

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Loads the library of these sources for Node. */
async function loadLibrary(root) {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-playground-'));
  try {
    const outfile = join(folder, 'index.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: ['src/api/index.ts'],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
