#!/usr/bin/env node
// Cuts sets of copies out of public repositories, for `npm run extract -- --packages 0 --sets FOLDER/sets`:
// node tools/extract-sets.mjs CLONES FOLDER [NAME...]
// CLONES has a clone of each repository that SETS names, with or without a work tree: OWNER+NAME or OWNER+NAME/repo.
// FOLDER/sets gets a folder for each set, and FOLDER/definitions the CRDs of their kinds. Needs git, kustomize, helm and
// Go, which downloads the modules with CRDs.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** The commits that are measured. */
const COMMITS = {
  'argoproj/argocd-example-apps': '0d521c6e049889134f3122eb32d7ed342f43ca0d',
  'devantler-tech/platform': '2dc642957fd7d1589985b76d48fdc9ac01adc15d',
  'fluxcd/flux2-kustomize-helm-example': '4f1a5b1051b469108d1bdf0ebec6c814427e3834',
  'GoogleCloudPlatform/bank-of-anthos': 'd0af04743a6d951665169ca6370d15725ec51252',
  'GoogleCloudPlatform/microservices-demo': '34ffea9175946982c3088ed84994fe6019ad6e92',
  'istio/istio': '86c9f01fd735fb01d8192f5bcaf0d424afb7f14c',
  'kubernetes/ingress-nginx': 'dbb11b92ddb77bee9c35e462479129354c84f939',
  'microservices-demo/microservices-demo': '9dff06fae4981921caec6a62393a6ebfce4b3e3f',
  'ministryofjustice/cloud-platform-environments': 'ccab751e88c440b05f6208f89af40358280044da',
  'onedr0p/home-ops': 'd9078e4dd52174ad68a4408ca3398f731b2f889e',
  'operate-first/apps': '34402be8f720c55cc59f59ac1ec5ae92226bfaa7',
  'stefanprodan/podinfo': 'eec06d1ea459af4cb4e10e806f8be7c7bd58b361',
};

/** A part of a commit with CRDs, and files of Go modules. */
const CRD_FOLDERS = [
  { repository: 'istio/istio', folder: 'manifests/charts/base/files' },
  {
    repository: 'operate-first/apps',
    folder: 'cluster-scope/base/apiextensions.k8s.io/customresourcedefinitions/applications.argoproj.io',
  },
];
const CRD_MODULES = [
  { module: 'github.com/cert-manager/cert-manager@v1.21.2', folder: 'deploy/crds' },
  { module: 'github.com/cloudnative-pg/plugin-barman-cloud@v0.15.0', folder: 'config/crd/bases' },
  { module: 'github.com/external-secrets/external-secrets@v1.3.2', folder: 'config/crds/bases' },
  { module: 'github.com/fluxcd/helm-controller@v1.6.0', folder: 'config/crd/bases' },
  { module: 'github.com/fluxcd/kustomize-controller@v1.10.1', folder: 'config/crd/bases' },
  { module: 'github.com/fluxcd/source-controller@v1.10.1', folder: 'config/crd/bases' },
  { module: 'sigs.k8s.io/gateway-api@v1.4.0', folder: 'config/crd/standard' },
];

/**
 * The sets: the part of a repository that is read, and a function that returns the copies by name. A copy is the text of
 * one file, or the paths of several.
 */
const SETS = {
  'boutique-services': {
    repository: 'GoogleCloudPlatform/microservices-demo',
    folder: 'kubernetes-manifests',
    copies: (folder) => eachFile(folder, /^(.*service)\.yaml$/),
  },
  'boutique-policies': {
    repository: 'GoogleCloudPlatform/microservices-demo',
    folder: 'kustomize/components/network-policies',
    copies: (folder) => eachFile(folder, /^network-policy-(?!deny-all)(.*)\.yaml$/),
  },
  'boutique-overlays': {
    repository: 'GoogleCloudPlatform/microservices-demo',
    folder: 'kustomize',
    copies: (folder) => ({ plain: kustomize(folder), ...overlays(join(folder, 'tests'), /-components$/) }),
  },
  'bank-services': {
    repository: 'GoogleCloudPlatform/bank-of-anthos',
    folder: 'kubernetes-manifests',
    copies: (folder) =>
      eachFile(folder, /^(balance-reader|contacts|ledger-writer|transaction-history|userservice)\.yaml$/),
  },
  'bank-overlays': {
    repository: 'GoogleCloudPlatform/bank-of-anthos',
    folder: 'src',
    copies: (folder) => overlays(join(folder, 'accounts/contacts/k8s/overlays'), /^(development|staging|production)$/),
  },
  'home-kustomizations': {
    repository: 'onedr0p/home-ops',
    folder: 'kubernetes/apps/default',
    copies: (folder) => eachFolder(folder, /./, /^ks\.yaml$/),
  },
  'home-apps': {
    repository: 'onedr0p/home-ops',
    folder: 'kubernetes/apps/default',
    copies: (folder) =>
      eachFolder(
        folder,
        /^(atuin|autobrr|bazarr|prowlarr|radarr|recyclarr|sabnzbd|seerr|sonarr|tautulli)$/,
        /^(helmrelease|ocirepository)\.yaml$/,
        'app',
      ),
  },
  'justice-tenants': {
    repository: 'ministryofjustice/cloud-platform-environments',
    folder: 'namespaces/live.cloud-platform.service.justice.gov.uk',
    copies: (folder) => first(13, eachFolder(folder, /./, /^0.*\.yaml$/)),
  },
  'devantler-tenants': {
    repository: 'devantler-tech/platform',
    folder: 'k8s/bases/apps',
    copies: (folder) => overlays(folder, /^(ascoachingogvaner|doggy-countdown|wedding-app)$/),
  },
  'operate-first-namespaces': {
    repository: 'operate-first/apps',
    folder: 'cluster-scope/base/core/namespaces',
    copies: (folder) => {
      const all = eachFolder(folder, /./, /^(namespace|resourcequota)\.yaml$/);
      return first(10, Object.fromEntries(Object.entries(all).filter(([, files]) => files.length === 2)));
    },
  },
  'operate-first-applications': {
    repository: 'operate-first/apps',
    folder: 'argocd/overlays/moc-infra/applications',
    copies: (folder) => {
      const all = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.yaml'));
      const applications = all
        .map((name) => join(folder, name))
        .filter((file) => /^kind: Application$/m.test(readFileSync(file, 'utf8')));
      // Of files with one name, the last one stays.
      return Object.fromEntries(applications.sort().map((file) => [basename(file, '.yaml'), [file]]));
    },
  },
  'ingress-nginx-values': {
    repository: 'kubernetes/ingress-nginx',
    folder: 'charts/ingress-nginx',
    copies: (folder) => {
      const values = eachFile(join(folder, 'ci'), /^controller-(.*)-values\.yaml$/);
      return Object.fromEntries(
        Object.entries(values).map(([name, [file]]) => [name, helm(name, folder, '--values', file)]),
      );
    },
  },
  'podinfo-values': {
    repository: 'stefanprodan/podinfo',
    folder: 'charts/podinfo',
    copies: (folder) => ({
      shop: helm('shop', folder),
      blog: helm('blog', folder, '--values', join(folder, 'values-prod.yaml')),
      docs: helm('docs', folder, '--set', 'ingress.enabled=true,hpa.enabled=true,replicaCount=3'),
      team: helm('team', folder, '--set', 'ingress.enabled=true,ui.message=hello,logLevel=debug'),
    }),
  },
  'podinfo-overlays': {
    repository: 'stefanprodan/podinfo',
    folder: 'deploy',
    copies: (folder) => overlays(join(folder, 'overlays'), /^(dev|staging|production)$/),
  },
  'guestbook-values': {
    repository: 'argoproj/argocd-example-apps',
    folder: 'helm-guestbook',
    copies: (folder) => ({
      one: helm('one', folder),
      two: helm('two', folder, '--values', join(folder, 'values-production.yaml')),
      three: helm(
        'three',
        folder,
        '--set',
        'replicaCount=3,service.type=LoadBalancer,resources.limits.cpu=200m,resources.limits.memory=256Mi',
      ),
      four: helm('four', folder, '--set', 'image.tag=v4,nodeSelector.disk=ssd'),
    }),
  },
  'sock-services': {
    repository: 'argoproj/argocd-example-apps',
    folder: 'sock-shop/base',
    copies: (folder) =>
      Object.fromEntries(
        ['carts', 'catalogue', 'orders', 'payment', 'shipping', 'user'].map((name) => [
          name,
          [join(folder, `${name}-dep.yaml`), join(folder, `${name}-svc.yaml`)],
        ]),
      ),
  },
  'sock-autoscalers': {
    repository: 'microservices-demo/microservices-demo',
    folder: 'deploy/kubernetes/autoscaling',
    copies: (folder) => eachFile(folder, /^(.*)-hsc\.yaml$/),
  },
  'flux-overlays': {
    repository: 'fluxcd/flux2-kustomize-helm-example',
    folder: 'apps',
    copies: (folder) => overlays(folder, /^(staging|production)$/),
  },
  'bookinfo-services': {
    repository: 'istio/istio',
    folder: 'samples/bookinfo/platform/kube',
    copies: (folder) => byLabels(join(folder, 'bookinfo.yaml'), ['app', 'account']),
  },
};

const [clones, target, ...names] = process.argv.slice(2);
if (clones === undefined || target === undefined) {
  console.error('usage: node tools/extract-sets.mjs CLONES FOLDER [NAME...]');
  process.exit(2);
}
const temporary = mkdtempSync(join(tmpdir(), 'extract-sets-'));
try {
  const chosen = names.length === 0 ? Object.keys(SETS) : names;
  for (const name of chosen) writeSet(name);
  if (names.length === 0) writeDefinitions();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** Writes the copies of a set: a file for a text, a folder for files. */
function writeSet(name) {
  const { repository, folder, copies } = SETS[name];
  const found = copies(checkout(repository, folder));
  const set = join(target, 'sets', name);
  rmSync(set, { recursive: true, force: true });
  mkdirSync(set, { recursive: true });
  for (const [copy, content] of Object.entries(found)) {
    if (typeof content === 'string') writeFileSync(join(set, `${copy}.yaml`), content);
    else for (const file of content) cpSync(file, join(set, copy, basename(file)));
  }
  console.log(`${name}: ${Object.keys(found).length} copies of ${repository}`);
}

function writeDefinitions() {
  const definitions = join(target, 'definitions');
  rmSync(definitions, { recursive: true, force: true });
  mkdirSync(definitions, { recursive: true });
  const folders = [
    ...CRD_FOLDERS.map(({ repository, folder }) => checkout(repository, folder)),
    ...CRD_MODULES.map(({ module, folder }) => join(moduleFolder(module), folder)),
  ];
  for (const [at, folder] of folders.entries()) {
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.yaml'))) {
      cpSync(join(folder, name), join(definitions, `${at}-${name}`));
    }
  }
}

/** Writes a folder of the commit of a repository to a temporary one, and returns its path. */
function checkout(repository, folder) {
  const tree = join(temporary, repository);
  mkdirSync(tree, { recursive: true });
  const clone = join(clones, repository.replace('/', '+'));
  const path = existsSync(join(clone, 'repo')) ? join(clone, 'repo') : clone;
  const archive = run('git', ['-C', path, 'archive', COMMITS[repository], folder]);
  run('tar', ['-x', '-C', tree], { input: archive });
  return join(tree, folder);
}

function moduleFolder(module) {
  return JSON.parse(run('go', ['mod', 'download', '-json', module], { cwd: temporary })).Dir;
}

/** Returns a copy for each file whose name matches; its name is what the parentheses match. */
function eachFile(folder, pattern) {
  const found = {};
  for (const name of readdirSync(folder).sort()) {
    const match = pattern.exec(name);
    if (match !== null) found[match[1]] = [join(folder, name)];
  }
  return found;
}

/** Returns a copy for each folder that has files whose names match, in the folder itself or in one in it. */
function eachFolder(folder, folders, files, inner = '.') {
  const found = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name, inner);
    if (!folders.test(name) || !isFolder(path)) continue;
    const matching = readdirSync(path)
      .filter((file) => files.test(file))
      .sort();
    if (matching.length > 0) found[name] = matching.map((file) => join(path, file));
  }
  return found;
}

/** Returns a copy for each folder whose name matches, built by kustomize. */
function overlays(folder, folders) {
  const matching = readdirSync(folder).filter((name) => folders.test(name));
  return Object.fromEntries(matching.sort().map((name) => [name, kustomize(join(folder, name))]));
}

/** Returns a copy for each value of labels: the first of them that an object has. */
function byLabels(file, keys) {
  const found = {};
  for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
    const object = document.toJS();
    const key = keys.find((one) => object?.metadata?.labels?.[one] !== undefined);
    if (key === undefined) continue;
    const name = object.metadata.labels[key];
    found[name] = `${found[name] ?? ''}---\n${String(document)}`;
  }
  return found;
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function first(count, copies) {
  return Object.fromEntries(Object.entries(copies).slice(0, count));
}

function kustomize(folder) {
  return run('kustomize', ['build', '--load-restrictor', 'LoadRestrictionsNone', folder]).toString();
}

function helm(name, chart, ...args) {
  return run('helm', ['template', '--kube-version', '1.31.0', name, chart, ...args]).toString();
}

/** Runs a program; kustomize and helm have no configuration of a user. */
function run(command, args, options = {}) {
  const own = { PATH: process.env.PATH, HOME: temporary };
  const env = command === 'go' ? { ...process.env, GOTOOLCHAIN: 'auto' } : own;
  return execFileSync(command, args, { env, maxBuffer: 1 << 28, stdio: 'pipe', ...options });
}
