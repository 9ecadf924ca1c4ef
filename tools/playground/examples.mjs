// The folders of examples/ in the playground; it starts with the first one.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The definition that the instance names comes before its building block. */
const COLLECTIONS = ['storefront.rgd.yaml', 'cache.rgd.yaml', 'books.yaml'].map((name) => `collections/input/${name}`);

const EXAMPLES = [
  { name: 'collections', title: 'Collections, a product, an RGD in an RGD', paths: COLLECTIONS },
  { name: 'pending', title: 'A value that only a cluster knows', paths: ['pending/site'] },
  {
    name: 'policies',
    title: 'Admission policies of the package',
    paths: ['policies/platform.yaml', 'policies/shop.yaml', 'policies/policies'],
  },
  {
    name: 'graph',
    title: 'A Graph of kro 0.10',
    paths: ['../playground/examples/shop.graph.yaml'],
    options: { kro: '0.10', experimental: ['graph'] },
  },
  {
    name: 'upgrade',
    title: 'kro 0.10: what the upgrade changes',
    paths: ['../playground/examples/report.rgd.yaml', '../playground/examples/report.yaml'],
  },
  { name: 'resourceset', title: 'A Flux ResourceSet', paths: ['resourceset/input'] },
  {
    name: 'kustomize',
    title: 'kustomize: sites',
    paths: ['kustomize/base/site.rgd.yaml', 'kustomize/base/sites.yaml'],
  },
  {
    name: 'kpt',
    title: 'kpt: queues',
    paths: ['kpt/package/queue.rgd.yaml', 'kpt/package/images.yaml', 'kpt/package/mail.yaml'],
  },
  {
    name: 'argocd',
    title: 'Argo CD: a shop and a blog',
    paths: ['argocd/platform', 'argocd/shop/shop.yaml', 'argocd/blog/blog.yaml'],
  },
  { name: 'ci', title: 'CI: what a pull request renders', paths: ['ci/github-actions.yaml', ...COLLECTIONS] },
  {
    name: 'tests',
    title: 'A golden test: the address is known',
    paths: ['pending/site', 'tests/address-known/observed.yaml'],
  },
];

/** Returns every example with its options, its files and their roles. */
export const examplesOf = (root) =>
  EXAMPLES.map(({ name, title, paths, options = {} }) => ({
    name,
    title,
    options,
    files: paths.flatMap((path) => filesAt(join(root, 'examples', path))),
  }));

function filesAt(path) {
  if (statSync(path).isDirectory()) {
    return (
      readdirSync(path)
        .filter((file) => /\.ya?ml$/.test(file))
        // RGDs first.
        .sort((a, b) => Number(b.includes('rgd')) - Number(a.includes('rgd')) || (a < b ? -1 : 1))
        .flatMap((file) => filesAt(join(path, file)))
    );
  }
  const name = basename(path);
  return [{ name, text: readFileSync(path, 'utf8'), role: /^observed/.test(name) ? 'observed' : 'objects' }];
}
