// The Vite plugin of the playground: the examples as a module, and the page with its policy and a rendered example.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { examplesOf } from './examples.mjs';

/** Editors add their style sheets with it. Code that could read it could write to the page anyway. */
const NONCE = 'cmVuZGVyLXJnZC1wbGF5Z3JvdW5k';

/** No eval, only the page's own scripts, no requests. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${NONCE}'`,
  // Browsers themselves style text that is typed over a selection, before the editor reads it.
  "style-src-attr 'unsafe-inline'",
  "worker-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function pagePlugin(root) {
  const examples = examplesOf(root);
  const id = '\0virtual:examples';
  return {
    name: 'render-rgd-playground',
    resolveId: (name) => (name === 'virtual:examples' ? id : undefined),
    load: (name) => (name === id ? `export const examples = ${JSON.stringify(examples)};` : undefined),
    transformIndexHtml: {
      order: 'post',
      handler: async (html) => withExample(withPolicy(html), examples[0], await loadLibrary(root)),
    },
  };
}

const withPolicy = (html) =>
  html.replace(
    '<meta charset="utf-8" />',
    `<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="style-nonce" content="${NONCE}" />`,
  );

function withExample(html, { files }, { render, toYaml }) {
  const { objects, diagnostics } = render({ objects: files.map(({ name, text }) => ({ file: name, text })) });
  if (objects.length === 0) throw new Error(`the first example renders nothing: ${JSON.stringify(diagnostics)}`);
  const shown = objects.map((object) => {
    const { kind, metadata } = object;
    const title = [kind, metadata.namespace, metadata.name].filter((part) => part !== undefined).join('/');
    const text = escaped(toYaml([object]));
    return `<details class="object" open><summary>${escaped(title)}</summary><pre class="yaml" tabindex="0">${text}</pre></details>`;
  });
  return html
    .replace('<!--first-tabs-->', () =>
      files.map(({ name }) => `<button type="button">${escaped(name)}</button>`).join(''),
    )
    .replace('<!--first-source-->', () => escaped(files[0].text))
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
