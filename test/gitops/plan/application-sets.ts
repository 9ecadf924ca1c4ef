import { Collector } from '../../../src/core/diagnostics/index.ts';
import { get, isMap, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import { applicationsOf } from '../../../src/gitops/plan/discover/application-set.ts';
import { createRepositories, NotRendered } from '../../../src/gitops/plan/repository.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { filesOf, type Texts } from './repository.ts';

/** An ApplicationSet; test/gitops/plan/application-sets.json has what Argo CD makes of it. */
export interface SetCase {
  /** YAML: generators, template, templatePatch, ... */
  spec: string;
  /** What plan says where Argo CD makes Applications. */
  unsupported?: RegExp;
}

const LIST =
  '[{ list: { elements: [{ name: a, team: "Team One", replicas: 1000000, enabled: true, values: { x: z } }, { name: b, empty: "" }] } }]';
const TEMPLATE =
  '{ metadata: { name: "web-{{.name}}" }, spec: { project: default, source: { path: "apps/{{.name}}", repoURL: x }, destination: { namespace: web } } }';

/** An ApplicationSet with a templatePatch, in Go's language. */
const patch = (text: string, more = ''): SetCase => ({
  spec: `goTemplate: true\n${more}\ngenerators: ${LIST}\ntemplate: ${TEMPLATE}\ntemplatePatch: |\n${indented(text)}`,
});
/** One with an expression for a label of each Application. */
const label = (text: string, more = ''): SetCase => ({
  spec: `goTemplate: true\n${more}\ngenerators: ${LIST}\ntemplate:\n  metadata:\n    name: "web-{{.name}}"\n    labels:\n      found: |-\n${indented(text, '        ')}\n  spec: { source: { path: x, repoURL: x }, project: default, destination: {} }`,
});
/** The same where parameters are names in braces. */
const plain = (text: string, path = 'apps/{{name}}'): SetCase => ({
  spec: `generators: [{ list: { elements: [{ name: a, team: one, values: { x: z } }] } }]\ntemplate: { metadata: { name: "web-{{ name }}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: ${JSON.stringify(path)} } } }\ntemplatePatch: |\n${indented(text)}`,
});

const indented = (text: string, by = '  '): string =>
  text
    .split('\n')
    .map((line) => by + line)
    .join('\n');

/** The repository of git generators. */
export const FILES = {
  'apps/My_App.One/config.json': '{"team": "a", "count": 3000000, "ratio": 1.5, "list": [1, {"a": null}]}',
  'apps/b/config.yaml': 'team: b\n',
};

export const SET_CASES: Readonly<Record<string, SetCase>> = {
  // templatePatch
  'a field that the template lacks': patch('spec:\n  source:\n    directory: { recurse: true }'),
  'a field that the template has': patch('metadata:\n  labels: { a: b }\nspec:\n  source: { path: "other/{{.name}}" }'),
  'a condition': patch('{{- if eq .name "a" }}\nspec:\n  source:\n    targetRevision: v1\n{{- end }}'),
  'a loop over values': patch(
    'metadata:\n  annotations:\n    {{- range $key, $value := .values }}\n    {{ $key }}: {{ $value }}\n    {{- end }}\n    z: z',
  ),
  'a null removes': patch('spec:\n  source: null\n  sources: [{ path: "one/{{.name}}", repoURL: x }]'),
  'a list replaces': {
    spec: `goTemplate: true\ngenerators: ${LIST}\ntemplate: { metadata: { name: "web-{{.name}}" }, spec: { project: default, destination: {}, sources: [{ path: one, repoURL: x }, { path: two, repoURL: x }] } }\ntemplatePatch: |\n  spec:\n    sources:\n    - path: three\n      repoURL: x`,
  },
  'a label that is no text': patch('metadata: { labels: { a: true } }'),
  'an annotation that is no text': patch('metadata: { annotations: { a: {{ .replicas }} } }'),
  'the project stays': patch('spec: { project: other }'),
  'the name changes': patch('metadata: { name: "{{.name}}-renamed" }'),
  JSON: patch('{"spec": {"source": {"path": "json/{{.name}}"}}}'),
  'flow YAML that begins as JSON': patch('{ spec: { source: { path: x } } }'),
  'no YAML': patch('spec: [\n  a: {{ .name }}: b'),
  'a text that is no map': patch('- spec'),
  'nothing at all': patch('{{ if .never }}spec: x{{ end }}'),
  '$patch: replace': patch('spec:\n  source:\n    $patch: replace\n    path: new\n    repoURL: z'),
  '$patch: delete': patch('spec:\n  source:\n    $patch: delete'),
  '$patch of a field that the template lacks': patch('spec:\n  syncPolicy:\n    $patch: delete\n    automated: {}'),
  $retainKeys: {
    ...patch('spec:\n  source:\n    $retainKeys: [path]\n    path: kept'),
    unsupported: /has \$retainKeys, which is not supported/,
  },
  'values of a chart': patch(
    'spec:\n  source:\n    helm:\n      valueFiles: ["{{.name}}.yaml"]\n      values: |\n        a: {{ .replicas }}',
    'goTemplateOptions: []',
  ),
  'a key that nobody gives': patch('spec: { source: { path: "{{ .nobody }}" } }'),
  'a key that nobody gives, an error': patch(
    'spec: { source: { path: "{{ .nobody }}" } }',
    'goTemplateOptions: ["missingkey=error"]',
  ),
  'no template': patch('spec: {{ if }}'),
  'a parameter in braces': plain('spec: { source: { path: "{{ team }}/{{values.x}}/{{nobody}}" } }'),
  'braces over lines': plain('spec:\n  source:\n    path: "{{\n      name}}"'),
  'braces without an end': plain('metadata: { labels: { a: "{{name}}", b: "{{" } }'),
  'braces in braces': plain('metadata: { labels: { a: "{{{{name}}}}" } }'),
  'maps of valuesObject': {
    spec: `goTemplate: true\ngenerators: ${LIST}\ntemplate: { metadata: { name: "web-{{.name}}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x, helm: { valuesObject: { a: { b: 1 }, c: 1 } } } } }\ntemplatePatch: |\n  spec: { source: { helm: { valuesObject: { a: { d: 2 } } } } }`,
  },
  'scalars of valuesObject': {
    spec: `goTemplate: true\ngenerators: ${LIST}\ntemplate: { metadata: { name: "web-{{.name}}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x, helm: { valuesObject: { a: { b: 1 }, c: 1 } } } } }\ntemplatePatch: |\n  spec: { source: { helm: { valuesObject: { c: 2, d: { e: f } } } } }`,
  },
  // template
  'a number is a float': label('{{ .replicas }} {{ printf "%T" .replicas }}'),
  'a missing key prints': label('{{ .nobody }}|{{ .nobody.deeper }}|{{ default "x" .nobody }}'),
  'a missing key is zero': label('{{ .nobody }}', 'goTemplateOptions: ["missingkey=zero"]'),
  'a field of a zero': label('{{ .nobody.deeper }}', 'goTemplateOptions: ["missingkey=zero"]'),
  'a missing key of a function': label('{{ upper .nobody }}'),
  'a missing key is an error': label('{{ .nobody }}', 'goTemplateOptions: ["missingkey=error"]'),
  'a missing key in a condition': label(
    '{{ if .nobody }}a{{ else }}b{{ end }}{{ range .nobody }}c{{ else }}d{{ end }}{{ with .nobody }}e{{ end }}',
  ),
  'the last option counts': label('{{ .nobody }}', 'goTemplateOptions: ["missingkey=error", "missingkey=invalid"]'),
  'an option that Go does not know': label('x', 'goTemplateOptions: ["missing=error"]'),
  conditions: label('{{ if and .enabled (eq .name "a") }}on{{ else if .values }}values{{ else }}off{{ end }}'),
  normalize: label('{{ normalize (default "--Ä_B.c..--" .team) }}'),
  'a long name': label('{{ repeat 60 "ab_-." | normalize | len }}'),
  slugify: label(
    '{{ slugify (default "feat/A really.long_name" .team) }}|{{ slugify 10 "feat-areally-long" }}|{{ slugify 10 false "feat-areally-long" }}|{{ slugify 10 true "feat/areally-long" }}|{{ slugify "" }}|{{ slugify 3 "abcdef" }}',
  ),
  'a slug of a number': label('{{ slugify .replicas "x" }}', 'goTemplateOptions: ["missingkey=error"]'),
  'a slug shorter than its name': label('{{ slugify 50 false "short" }}'),
  toYaml: label('{{ toYaml . }}'),
  fromYaml: label(
    '{{ (fromYaml "a: {b: 1000000}").a.b }} {{ index (fromYamlArray "[x, 2]") 1 }} {{ fromYaml "" | len }}',
  ),
  'YAML that is no map': label('{{ fromYaml "[a]" }}'),
  tpl: label('{{ tpl "<{{ .name }}{{ .nobody }}>" . }}'),
  'tpl in tpl': label('{{ tpl (tpl "{{ .name }}" . | printf "{{ %q }}") . }}'),
  'tpl without end': label('{{ tpl (dict "t" "{{ tpl .t . }}").t (dict "t" "{{ tpl .t . }}") }}'),
  sprig: label(
    '{{ .team | default "none" | lower | replace " " "-" | trunc 5 | quote }} {{ list 1 2 | join "," }} {{ dict "a" 1 | toJson }} {{ ternary "y" "n" true }} {{ "a-b" | splitList "-" | first }} {{ sha256sum "x" | trunc 8 }}',
  ),
  'a function of sprig that slim-sprig lacks': {
    ...label('{{ kebabcase "aB" }}'),
    unsupported: /calls kebabcase, which is not supported/,
  },
  'a function of sprig that depends on chance': {
    ...label('{{ if false }}{{ randAlpha 3 }}{{ end }}'),
    unsupported: /calls randAlpha, which has another result every time/,
  },
  'a function that Argo CD removes': label('{{ env "HOME" }}'),
  'a function that nobody knows': label('{{ lookup "v1" "Pod" "" "" }}'),
  'a key in Go': {
    spec: 'goTemplate: true\ngenerators: [{ list: { elements: [{ name: a }] } }]\ntemplate: { metadata: { name: x, labels: { "{{ .name }}-key": "{{ .name }}" } }, spec: { project: default, destination: {}, source: { repoURL: x, path: x } } }',
  },
  'no parameters': {
    spec: 'goTemplate: true\ngenerators: [{ list: { elements: [{}] } }]\ntemplate: { metadata: { name: "x-{{ .name }}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x } } }\ntemplatePatch: |\n  spec: { source: { path: "{{ .name }}" } }',
  },
  // generators
  'folders of git': {
    spec: 'goTemplate: true\ngenerators: [{ git: { repoURL: x, revision: HEAD, directories: [{ path: apps/* }], values: { v: "{{ .path.basename }}" } } }]\ntemplate: { metadata: { name: "{{ .path.basenameNormalized }}", labels: { v: "{{ .values.v }}" } }, spec: { project: default, destination: {}, source: { repoURL: x, path: "{{ .path.path }}" } } }\ntemplatePatch: |\n  metadata: { annotations: { segment: "{{ index .path.segments 1 }}" } }',
  },
  'files of git': {
    spec: 'goTemplate: true\ngenerators: [{ git: { repoURL: x, revision: HEAD, files: [{ path: "apps/*/config.json" }] } }]\ntemplate: { metadata: { name: "{{ .team }}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: "{{ .path.path }}" } } }\ntemplatePatch: |\n  metadata: { annotations: { all: {{ toJson . | quote }}, count: "{{ .count }}-{{ .ratio }}" } }',
  },
  'a number of a list': {
    spec: `generators: [{ list: { elements: [{ name: a, count: 1 }] } }]\ntemplate: { metadata: { name: "{{name}}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x } } }`,
  },
  'a map of a list': {
    spec: `generators: [{ list: { elements: [{ name: { first: a } }] } }]\ntemplate: { metadata: { name: "{{name.first}}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x } } }`,
  },
  'a number in the values of a list': {
    spec: `generators: [{ list: { elements: [{ name: a, values: { count: 1 } }] } }]\ntemplate: { metadata: { name: "{{name}}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x } } }`,
  },
  'values of a list': {
    spec: `generators: [{ list: { elements: [{ name: a, values: { team: one }, "path.basename": b }] } }]\ntemplate: { metadata: { name: "{{name}}-{{values.team}}-{{path.basename}}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x } } }`,
  },
  'files of git, with names in braces': {
    spec: 'generators: [{ git: { repoURL: x, revision: HEAD, files: [{ path: "apps/*/config.json" }] } }]\ntemplate: { metadata: { name: "{{team}}-{{count}}-{{ratio}}-{{list.0}}-{{list.1.a}}", labels: { segment: "{{path[1]}}", path: "{{path}}", file: "{{path.filename}}", base: "{{path.basenameNormalized}}" } }, spec: { project: default, destination: {}, source: { repoURL: x, path: "{{path}}" } } }',
  },
  'a matrix': {
    spec: `goTemplate: true\ngoTemplateOptions: ["missingkey=error"]\ngenerators: [{ matrix: { generators: [{ list: { elements: [{ team: one, count: 2 }] } }, { list: { elements: [{ name: "{{ .team | upper }}", count: 3 }] } }] } }]\ntemplate: { metadata: { name: "{{ .name }}-{{ .count }}" }, spec: { project: default, destination: {}, source: { repoURL: x, path: x } } }`,
  },
};

/** `WRITE=true` and test/e2e/argocd-applicationsets.test.ts write it: it has what Argo CD's own code makes. */
export const EXPECTED = new URL('application-sets.json', import.meta.url);

export const setOf = ({ spec }: SetCase): ValueMap => {
  const [document] = readStreams([{ file: 'spec.yaml', text: spec }], new Collector(), true);
  const value = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'all' } };
  return { ...value, spec: document?.object as ValueMap };
};

/** What plan makes of a case. */
export function madeOf(one: SetCase, files: Texts): { applications: Value[] } | { error: string } {
  const repository = createRepositories()(filesOf(files));
  try {
    return { applications: applicationsOf(setOf(one), { repository, urls: [] }).map(shown) };
  } catch (error) {
    if (error instanceof NotRendered) return { error: error.message };
    throw error;
  }
}

/** What both write alike: Argo CD writes empty fields of its types, and sets a finalizer. */
export function shown(application: Value): Value {
  const metadata = get(application, 'metadata');
  return withoutEmpty({
    name: get(metadata, 'name') ?? null,
    labels: get(metadata, 'labels') ?? null,
    annotations: get(metadata, 'annotations') ?? null,
    spec: get(application, 'spec') ?? null,
  });
}

function withoutEmpty(value: Value): Value {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

const isEmpty = (value: Value): boolean =>
  value === null || value === '' || value === false || (isMap(value) && Object.keys(value).length === 0);
