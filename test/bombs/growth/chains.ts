/** Packages in which each of `n` things leads to the next one, or contains it. */
import type { Dimension, Files } from './dimensions.ts';
import { config, instance, item, policy, READS_ANOTHER, repeated, resourceSet, rgd } from './parts.ts';

const app = rgd(
  'App',
  '{a: "string | default=x"}',
  config('c', '"${schema.metadata.name}"', '{a: "${schema.spec.a}"}'),
);
const one = instance('App', 'one');
const withApp = (files: Files): Files => ({ 'p/app.yaml': app + one, ...files });
const ofPackage = (text: string): Files => withApp({ 'p/more.yaml': text });
const expression = (text: string): Files => ({
  'p/rgd.yaml':
    rgd('App', '{a: "string | default=x"}', config('c', 'c', `{a: ${JSON.stringify(`\${${text}}`)}}`)) + one,
});
const template = (text: string): Files => ofPackage(resourceSet('set', '{a: b}', text));
const folders = (n: number, files: (i: number) => Files): Files =>
  Object.assign({}, ...Array.from({ length: n }, (_, i) => files(i))) as Files;
const source =
  '---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: g, namespace: flux}\nspec: {url: "https://h/x"}\n';
const kustomization = (name: string, path: string, more = ''): string =>
  `---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux}\nspec: {path: ${path}, targetNamespace: web, prune: true, sourceRef: {kind: GitRepository, name: g}${more}}\n`;
const application = (name: string, path: string): string =>
  `---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec: {project: default, destination: {namespace: a, server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: ${path}}}\n`;
const base = { 'base/c.yaml': item('c', '{a: VERSION}'), 'base/kustomization.yaml': 'resources: [c.yaml]\n' };

export const chains: Readonly<Record<string, Dimension>> = {
  'expressions: and': (n) => expression(`string(true${' && true'.repeat(n)})`),
  'expressions: or': (n) => expression(`string(true${' || true'.repeat(n)})`),
  'expressions: conditions': (n) => expression(`${'true ? "a" : '.repeat(n)}"b"`),
  'expressions: nots': (n) => expression(`string(${'!'.repeat(n)}true)`),
  'expressions: minuses': (n) => expression(`string(${'- '.repeat(n)}1)`),
  'expressions: indices': (n) => expression(`string(schema.spec${'["a"]'.repeat(n)})`),
  'expressions: calls in one another': (n) => expression(`${'string('.repeat(n)}1${')'.repeat(n)}`),
  'expressions: lists in one another': (n) => expression(`string(size(${'['.repeat(n)}${']'.repeat(n)}))`),
  'expressions: maps in one another': (n) => expression(`string(size(${'{"a":'.repeat(n)}1${'}'.repeat(n)}))`),
  'expressions: optional fields': (n) => expression(`schema.spec${'.?a'.repeat(n)}.orValue("x")`),
  'expressions: macros in one another': (n) => expression(`string(${'[1].exists(x, '.repeat(n)}true${')'.repeat(n)})`),
  'expressions: binds in one another': (n) =>
    expression(`${repeated(n, (i) => `cel.bind(x${i}, ${i === 0 ? '"a"' : `x${i - 1}`}, `)}x${n - 1}${')'.repeat(n)}`),
  'expressions: parentheses of a pattern': (n) =>
    expression(`string(schema.spec.a.matches("${'('.repeat(n)}a${')'.repeat(n)}"))`),
  'expressions: alternatives of a pattern': (n) => expression(`string(schema.spec.a.matches("a${'|a'.repeat(n)}"))`),
  'expressions: repetitions of a pattern': (n) => expression(`string(schema.spec.a.matches("a${'*?'.repeat(n)}"))`),
  'schema: a pattern with parentheses': (n) => ({
    'p/rgd.yaml':
      rgd('App', `{a: 'string | pattern="${'('.repeat(n)}a${')'.repeat(n)}" default="a"'}`, config('c', 'c')) + one,
  }),
  'schema: rules': (n) => ({
    'p/rgd.yaml':
      rgd('App', `{a: 'string | validation="self${' + self'.repeat(n)} != 1" default="a"'}`, config('c', 'c')) + one,
  }),
  'schema: maps of maps': (n) => ({
    'p/rgd.yaml': rgd('App', `{a: "${'map[string]'.repeat(n)}string"}`, config('c', 'c')) + one,
  }),
  'schema: types that contain one another': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{x: T0}',
        config('c', 'c'),
        '{}',
        `{${repeated(n, (i) => `T${i}: {a: ${i === n - 1 ? 'string' : `T${i + 1}`}}`, ', ')}}`,
      ) + one,
  }),
  'schema: lists of types that contain one another': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{x: "[]T0"}',
        config('c', 'c'),
        '{}',
        `{${repeated(n, (i) => `T${i}: {a: "[]${i === n - 1 ? 'string' : `T${i + 1}`}"}`, ', ')}}`,
      ) + one,
  }),
  'nodes: the data of the one before': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(n, (i) => config(`n${i}`, `n${i}`, `{a: "\${${i === 0 ? 'schema.spec.a' : `n${i - 1}.data.a`}}"}`)),
        `{a: "\${n${n - 1}.data.a}"}`,
      ) + one,
  }),
  'nodes: the data of the one after': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(n, (i) =>
          config(`n${i}`, `n${i}`, `{a: "\${${i === n - 1 ? 'schema.spec.a' : `n${i + 1}.data.a`}}"}`),
        ),
        `{a: "\${n0.data.a}"}`,
      ) + one,
  }),
  'nodes: a Secret through all': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        `  - {id: s, externalRef: {apiVersion: v1, kind: Secret, metadata: {name: s}}}\n${repeated(n, (i) => config(`n${i}`, `n${i}`, `{a: "\${${i === 0 ? 'string(s.data.a)' : `n${i - 1}.data.a`}}"}`))}`,
      ) +
      one +
      '---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: web}\ndata: {a: YQ==}\n',
  }),
  'nodes: a status that is pending through all': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        `  - {id: s, template: {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}]}}}\n${repeated(n, (i) => config(`n${i}`, `n${i}`, `{a: "\${${i === 0 ? 's.status.loadBalancer.ingress[0].hostname' : `n${i - 1}.data.a`}}"}`))}`,
      ) + one,
  }),
  'nodes: conditions that exclude the next': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(
          n,
          (i) =>
            `  - {id: n${i}, includeWhen: ["\${${i === 0 ? 'schema.spec.a == "y"' : `n${i - 1}.data.a == "b"`}}"], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: n${i}}, data: {a: b}}}\n`,
        )
          .replaceAll('"y"', "'y'")
          .replaceAll('== "b"', "== 'b'"),
      ) + one,
  }),
  'nodes: references to the one before': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        repeated(
          n,
          (i) =>
            `${config(`n${i}`, `n${i}`, `{a: "\${${i === 0 ? 'schema.spec.a' : `e${i - 1}.data.a`}}"}`)}  - {id: e${i}, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: n${i}}}}\n`,
        ),
      ) + one,
  }),
  'instances: wait for the next': (n) => ({
    'p/rgd.yaml':
      READS_ANOTHER +
      instance('App', 'one', '{a: i0}') +
      repeated(n, (i) => instance('App', `i${i}`, `{a: i${i + 1}}`)),
  }),
  'instances: read the next': (n) => ({
    'p/rgd.yaml':
      READS_ANOTHER +
      instance('App', 'one', '{a: i0}') +
      item('c-last', '{a: VERSION}') +
      repeated(n, (i) => instance('App', `i${i}`, `{a: ${i === n - 1 ? 'last' : `i${i + 1}`}}`)),
  }),
  'instances: read the one before': (n) => ({
    'p/rgd.yaml':
      READS_ANOTHER +
      repeated(n, (i) => instance('App', `i${i}`, `{a: ${i === 0 ? 'last' : `i${i - 1}`}}`)) +
      instance('App', 'one', `{a: i${n - 1}}`) +
      item('c-last', '{a: VERSION}'),
  }),
  'instances: a status of the next': (n) => {
    // An RGD whose nodes refer to its own kind is rejected, so that each instance has a kind of its own.
    const kind = (level: number): string => (level === 0 ? 'App' : `Kind${level}`);
    const reference = (level: number): string =>
      `  - {id: e, externalRef: {apiVersion: kro.run/v1alpha1, kind: ${kind(level)}, metadata: {namespace: web, name: one}}}\n`;
    const reading = repeated(n, (level) =>
      rgd(
        kind(level),
        '{}',
        reference(level + 1) + config('c', `c${level}`, '{a: "${e.status.a}"}'),
        '{a: "${c.data.a}"}',
      ),
    );
    const last = rgd(kind(n), '{}', config('c', `c${n}`, '{a: VERSION}'), '{a: "${c.data.a}"}');
    return { 'p/rgd.yaml': reading + last + repeated(n + 1, (level) => instance(kind(level), 'one')) };
  },
  'instances: a Secret through all': (n) => ({
    'p/rgd.yaml':
      rgd(
        'App',
        '{a: "string | default=x"}',
        `  - {id: s, externalRef: {apiVersion: v1, kind: Secret, metadata: {name: s}}}\n  - {id: e, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: "c-\${schema.spec.a}"}}}\n${config('c', '"c-${schema.metadata.name}"', '{a: "${e.data.a + string(s.data.a)}"}')}`,
      ) +
      instance('App', 'one', '{a: i0}') +
      item('c-last', '{a: VERSION}') +
      '---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: web}\ndata: {a: YQ==}\n' +
      repeated(n, (i) => instance('App', `i${i}`, `{a: ${i === n - 1 ? 'last' : `i${i + 1}`}}`)),
  }),
  'graphs: nodes': (n) =>
    ofPackage(
      `---\napiVersion: experimental.kro.run/v1alpha1\nkind: Graph\nmetadata: {name: g, namespace: web}\nspec:\n  nodes:\n${repeated(n, (i) => config(`n${i}`, `n${i}`, `{a: "\${${i === 0 ? '"a"' : `n${i - 1}.data.a`}}"}`)).replaceAll('"${"a"}"', 'a')}`,
    ),
  'yaml: aliases of aliases': (n) =>
    ofPackage(`${repeated(n, (i) => `a${i}: &a${i} [${i === 0 ? '1' : `*a${i - 1}`}]\n`)}`),
  'yaml: merges of merges': (n) =>
    ofPackage(`${repeated(n, (i) => `a${i}: &a${i} {${i === 0 ? 'x: 1' : `<<: *a${i - 1}`}}\n`)}`),
  'yaml: aliases of scalars': (n) =>
    ofPackage(`${repeated(n, (i) => `a${i}: &a${i} ${i === 0 ? '1' : `{x${i}: *a${i - 1}}`}\n`)}`),
  'yaml: dashes': (n) => ofPackage(`${'- '.repeat(n)}a\n`),
  'yaml: questions': (n) => ofPackage(`${'? '.repeat(n)}a\n`),
  'yaml: brackets that do not close': (n) => ofPackage('['.repeat(n)),
  'yaml: braces that do not close': (n) => ofPackage('{a: '.repeat(n)),
  'json: lists': (n) => withApp({ 'p/more.json': `${'['.repeat(n)}${']'.repeat(n)}` }),
  'json: in an annotation': (n) =>
    ofPackage(
      `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: web, annotations: {kubectl.kubernetes.io/last-applied-configuration: '${'['.repeat(n)}${']'.repeat(n)}'}}\n`,
    ),
  'lists of lists of objects': (n) =>
    ofPackage(`${'{apiVersion: v1, kind: List, items: ['.repeat(n)}${']}'.repeat(n)}`),
  'templates: pipes': (n) => template(`<< "a"${' | print'.repeat(n)} >>`),
  'templates: blocks in one another': (n) => template(`${'<< if true >>'.repeat(n)}a${'<< end >>'.repeat(n)}`),
  'templates: else if': (n) => template(`<< if false >>a${'<< else if false >>a'.repeat(n)}<< end >>`),
  'templates: templates that call the next': (n) =>
    template(
      `${repeated(n, (i) => `<< define "t${i}" >><< template "t${i + 1}" >><< end >>`)}<< define "t${n}" >>a<< end >><< template "t0" >>`,
    ),
  'templates: variables': (n) => template(`${repeated(n, (i) => `<< $v${i} := ${i === 0 ? '1' : `$v${i - 1}`} >>`)}a`),
  'ResourceSets: depend on the next': (n) =>
    ofPackage(
      repeated(n, (i) =>
        resourceSet(`s${i}`, '{a: b}', 'x').replace(
          'spec:\n',
          `spec:\n  dependsOn: [{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, name: s${i + 1}, namespace: web}]\n`,
        ),
      ),
    ),
  'policies: variables': (n) =>
    ofPackage(
      policy('p', `variables.v${n - 1} == "x"`).replace(
        '  validations:',
        `  variables:\n${repeated(n, (i) => `  - {name: v${i}, expression: '${i === 0 ? 'object.metadata.name' : `variables.v${i - 1}`}'}\n`)}  validations:`,
      ) + item('o'),
    ),
  'plan: substitutions in one another': (n) =>
    withApp({
      'base/c.yaml': item('c', `{a: "${'${a:-'.repeat(n)}VERSION${'}'.repeat(n)}"}`),
      'base/kustomization.yaml': 'resources: [c.yaml]\n',
      'apps.yaml': source + kustomization('k', './base', ', postBuild: {substitute: {b: VERSION}}'),
    }),
  'plan: substitutions that do not close': (n) =>
    withApp({
      'base/c.yaml': item('c', `{a: "${'${a:-'.repeat(n)}VERSION"}`),
      'base/kustomization.yaml': 'resources: [c.yaml]\n',
      'apps.yaml': source + kustomization('k', './base', ', postBuild: {substitute: {b: VERSION}}'),
    }),
  'plan: Kustomizations that depend on the next': (n) =>
    withApp({
      ...base,
      'apps.yaml': source + repeated(n, (i) => kustomization(`k${i}`, './base', `, dependsOn: [{name: k${i + 1}}]`)),
    }),
  'plan: Kustomizations that apply the next': (n) =>
    withApp({
      'apps.yaml': source + kustomization('k', './f0'),
      ...folders(n, (i) => ({ [`f${i}/c.yaml`]: kustomization(`k${i}`, `./f${i + 1}`) })),
      [`f${n}/c.yaml`]: item('c', '{a: VERSION}'),
    }),
  'plan: Applications that apply the next': (n) =>
    withApp({
      'apps.yaml': application('a', 'f1000'),
      ...folders(n, (i) => ({ [`f${1000 + i}/c.yaml`]: application(`a${1000 + i}`, `f${1001 + i}`) })),
      [`f${1000 + n}/c.yaml`]: item('c', '{a: VERSION}'),
    }),
  'plan: Applications that apply the one before': (n) =>
    withApp({
      'apps.yaml': application('a', 'f1999'),
      ...folders(n, (i) => ({ [`f${1999 - i}/c.yaml`]: application(`a${1999 - i}`, `f${1998 - i}`) })),
      [`f${1999 - n}/c.yaml`]: item('c', '{a: VERSION}'),
    }),
  'plan: Applications that apply the next, in a cycle': (n) =>
    withApp(
      folders(n, (i) => ({
        [`f${i}/c.yaml`]: application(`a${i}`, `f${(i + 1) % n}`) + item(`c${i}`, '{a: VERSION}'),
      })),
    ),
  'plan: slashes and names of a path': (n) =>
    withApp({
      ...base,
      'apps.yaml':
        `---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec: {project: default, destination: {namespace: a, server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: base${'/x'.repeat(n)}}}\n` +
        source +
        kustomization('k', `./base${'/x'.repeat(n)}`),
    }),
  'plan: parents of a path': (n) =>
    withApp({
      ...base,
      'apps.yaml': `---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec: {project: default, destination: {namespace: a, server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: base${'/x'.repeat(n)}${'/..'.repeat(n)}}}\n`,
    }),
  'plan: a resource of many parts': (n) =>
    withApp({
      'k/c.yaml': item('c', '{a: VERSION}'),
      'k/kustomization.yaml': `resources: [c.yaml, "x${'/x'.repeat(n)}"]\n`,
    }),
  'plan: a transformer of many parts': (n) =>
    withApp({
      'k/c.yaml': item('c', '{a: VERSION}'),
      'k/kustomization.yaml': `resources: [c.yaml]\ntransformers: ["x${'/x'.repeat(n)}"]\n`,
    }),
  'plan: components in a chain': (n) =>
    withApp({
      ...folders(n, (i) => ({ [`k/k${i}/kustomization.yaml`]: `components: [../k${i + 1}]\n` })),
      [`k/k${n}/kustomization.yaml`]: 'resources: [c.yaml]\n',
      [`k/k${n}/c.yaml`]: item('c', '{a: VERSION}'),
    }),
  'plan: applications of many parts': (n) =>
    withApp({ ...base, 'render-rgd.yaml': `applications:\n- {name: a, path: "base${'/x'.repeat(n)}"}\n` }),
  'plan: generators in one another': (n) =>
    withApp({
      ...base,
      'apps.yaml': `---\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: set, namespace: argocd}\nspec:\n  generators: [${'{matrix: {generators: ['.repeat(n)}{list: {elements: [{a: b}]}}${', {list: {elements: [{c: d}]}}]}}'.repeat(n)}]\n  template: {metadata: {name: "a"}, spec: {project: default, destination: {namespace: a, server: "https://kubernetes.default.svc"}, source: {repoURL: "https://h/x", path: base}}}\n`,
    }),
  'kinds: a CRD of many levels': (n) =>
    ofPackage(
      `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ks.x.y}\nspec: {group: x.y, scope: Namespaced, names: {kind: K, plural: ks}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${'{type: object, properties: {a: '.repeat(n)}{type: string}${'}}'.repeat(n)}}}]}\n---\napiVersion: x.y/v1\nkind: K\nmetadata: {name: k, namespace: web}\n`,
    ),
  'folders in one another': (n) =>
    withApp({
      [`p/${'d/'.repeat(Math.min(n, 1500))}c.yaml`]: item('c', '{a: VERSION}'),
      [`tests/${'d/'.repeat(Math.min(n, 1500))}test.yaml`]: 'input: []\n',
    }),
};
