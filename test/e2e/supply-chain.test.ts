import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle } from './sandbox.ts';

const root = dirname(dirname(bundle));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Component {
  type: string;
  name: string;
  version: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
}
const { components } = JSON.parse(read('dist/sbom.cdx.json')) as { components: Component[] };

/** Packages of the playground and the language server for web pages. */
const OF_PAGES = new Set([
  ...[
    'autocomplete',
    'commands',
    'lang-yaml',
    'language',
    'lint',
    'lsp-client',
    'merge',
    'search',
    'state',
    'view',
  ].map((name) => `@codemirror/${name}`),
  ...['common', 'highlight', 'lr', 'yaml'].map((name) => `@lezer/${name}`),
  ...['@marijn/find-cluster-break', 'crelt', 'marked', 'style-mod', 'w3c-keyname'],
  ...[
    'vscode-jsonrpc',
    'vscode-languageserver',
    'vscode-languageserver-protocol',
    'vscode-languageserver-textdocument',
  ],
  'vscode-languageserver-types',
]);

/** Packages of the server for assistants. */
const OF_ASSISTANTS = [
  ...['@modelcontextprotocol/sdk', 'ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'],
  ...['zod', 'zod-to-json-schema'],
];

describe('the bill of materials', () => {
  it('lists every package in the bundle', () => {
    // esbuild collects the licence comments of bundled modules, each under its path in node_modules.
    const said = [...read('dist/render-rgd.js').matchAll(/^((?:@[\w.-]+\/)?[\w.-]+)\/\S+\.m?js:$/gm)].map(
      ([, name]) => name,
    );
    const libraries = components.filter(({ type }) => type === 'library').map(({ name }) => name);
    expect(libraries.filter((name) => !OF_PAGES.has(name) && !OF_ASSISTANTS.includes(name))).toEqual([
      '@dagrejs/dagre',
      '@noble/hashes',
      'diff',
      'js-yaml',
      're2js',
    ]);
    for (const name of [...OF_PAGES, ...OF_ASSISTANTS]) expect(libraries).toContain(name);
    // Not every library has such comments.
    expect(said.filter((name) => !libraries.includes(name ?? ''))).toEqual([]);
    expect(said).toContain('js-yaml');
  });

  it('has the versions and the checksums of the installed packages', () => {
    const lock = JSON.parse(read('package-lock.json')).packages as Record<
      string,
      { version: string; integrity: string }
    >;
    for (const { type, name, version, purl, hashes } of components) {
      if (type !== 'library') continue;
      // A package may have its own version of a dependency.
      const entries = Object.entries(lock).filter(([path]) => path.endsWith(`node_modules/${name}`));
      const locked = entries.map(([, entry]) => entry).find((entry) => entry.version === version);
      const encoded = name.replace('@', '%40');
      expect({ version, purl }).toEqual({ version: locked?.version, purl: `pkg:npm/${encoded}@${locked?.version}` });
      const digest = Buffer.from(locked?.integrity.replace('sha512-', '') ?? '', 'base64').toString('hex');
      expect(hashes).toEqual([{ alg: 'SHA-512', content: digest }]);
    }
  });
});

describe('the notices', () => {
  it('contain the copyright line of every bundled package', () => {
    const notices = read('dist/THIRD_PARTY_NOTICES.txt');
    for (const { name, version } of components) expect(notices).toContain(`${name} ${version} (`);
    for (const holder of ['Vitaly Puzrin', 'Oleksii Vasyliev', 'Mark Bates', 'Chris Pettitt', 'Kevin Decker']) {
      expect(notices).toMatch(new RegExp(`Copyright .*${holder}`));
    }
  });
});
