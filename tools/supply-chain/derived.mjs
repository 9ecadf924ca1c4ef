// Data in our own sources that is derived from the work of others. No package manager knows it, so it is listed here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (root, path) => readFileSync(join(root, path), 'utf8').trim();

const sources = [
  {
    files: ['data/kubernetes.json', 'data/kubernetes-descriptions.json', 'data/defaults.json'],
    name: 'k8s.io/kubernetes',
    what: 'the schemas, descriptions and defaults of the built-in kinds',
    version: (root) => /k8s\.io\/kubernetes v([\d.]+)/.exec(read(root, 'tools/kubernetes-types/go.mod'))[1],
    license: 'Apache-2.0',
    text: (root) => read(root, 'LICENSE'),
    url: 'https://github.com/kubernetes/kubernetes',
  },
  {
    files: ['data/kubernetes-lifecycles.json', 'data/kubernetes-minors.json'],
    name: 'k8s.io/api',
    what: 'the lifecycles of the built-in kinds, and their schemas in earlier releases of Kubernetes',
    version: (root) => JSON.parse(read(root, 'data/kubernetes-lifecycles.json')).newest,
    license: 'Apache-2.0',
    text: (root) => read(root, 'LICENSE'),
    url: 'https://github.com/kubernetes/api',
  },
  {
    files: ['data/plural.json'],
    name: 'github.com/gobuffalo/flect',
    what: 'the nouns with an irregular plural',
    version: (root) => /gobuffalo\/flect v([\d.]+\d)/.exec(read(root, 'data/plural.json'))[1],
    license: 'MIT',
    text: (root) => read(root, 'tools/supply-chain/flect-licence.txt'),
    url: 'https://github.com/gobuffalo/flect',
  },
  {
    files: ['data/transliteration.json'],
    name: 'github.com/gosimple/unidecode',
    what: 'the ASCII texts for characters beyond ASCII',
    version: (root) => /unidecode@v([\d.]+\d)/.exec(read(root, 'data/transliteration.json'))[1],
    license: 'Apache-2.0',
    text: (root) => read(root, 'LICENSE'),
    url: 'https://github.com/gosimple/unidecode',
  },
  {
    // Its file contains graphlib, which no list of packages would show.
    files: ['node_modules/@dagrejs/dagre/dist/dagre.esm.js'],
    name: '@dagrejs/graphlib',
    what: 'the graphs that dagre lays out',
    version: (root) => JSON.parse(read(root, 'node_modules/@dagrejs/graphlib/package.json')).version,
    license: 'MIT',
    text: (root) => read(root, 'node_modules/@dagrejs/graphlib/LICENSE'),
    url: 'https://github.com/dagrejs/graphlib',
  },
];

/** Returns the part of it in a bundle of these files. */
export const derivedData = (inputs, root) =>
  sources
    .filter(({ files }) => files.some((file) => inputs.includes(file)))
    .map(({ version, text, ...rest }) => ({ ...rest, version: version(root), text: text(root) }));
