import type { Draw } from '../differential/draw.ts';
import { pipeline } from '../templates/expressions.ts';
import { INPUTS as TEMPLATE_INPUTS } from '../templates/templates.ts';
import { fluxFunctions, surface } from './surface.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };

/** A ResourceSet and the providers beside it. */
export interface GeneratedSet {
  set: Fields;
  providers: Fields[];
}

/** The types of providers, as their CRD lists them. */
const PROVIDERS = surface.providers;

const API = 'fluxcd.controlplane.io/v1';
const NAMES = ['a', 'b', 'red-crab', 'quay.1', 'x0'];
const WORDS = [
  'word',
  'lo',
  'post',
  'it',
  'a',
  'deep-blue',
  'Ærø',
  '日本',
  'yes',
  '1',
  '0x1f',
  "it's",
  '#',
  ': ',
  ' ',
  '  ',
  '\n',
  '"',
  "'",
  '\\',
  '- ',
  '\u2028',
  '\u0085',
  '\u007f',
  '\ufeff',
  '\uffff',
  '>',
  '<',
  '{',
  '}',
  '%',
  '&amp;',
  '\t',
];
const PLAIN = ['word', 'lo', 'post', 'it', 'deep-blue', 'Ærø', '日本', 'of', 'the', '|', '()', 'a.b'];
const ACTIONS = [
  '<< inputs.e >>',
  '<<inputs.name>>',
  '<< inputs.name | quote >>',
  '<< inputs.count >>',
  '<<- inputs.name ->>',
  '<< inputs.text | indent 2 >>',
  '<< inputs.text | quote >>',
  '<< inputs.map | toYaml | nindent 4 >>',
  '<< inputs.list | join "," >>',
  '<< if inputs.on >>on<< else >>off << end >>',
  '<< range $i, $x := inputs.list >><< $x >> << end >>',
  '<< get inputs "none" | default "a fallback" | quote >>',
  '<< inputs.name | upper | trunc 3 >>',
  '<< slugify inputs.text >>',
  '<< index inputs "name" >>',
  '<</* a comment of words */>>',
  '<< "a  b" >>',
  '<< printf "%s-%v" inputs.name inputs.count >>',
  '<< inputs.count | int | add 1 >>',
  '<< $v := inputs.name >><< $v >>',
  '<< with inputs.e >>x<< else >> y << end >>',
  '<< inputs.provider.name >>',
  '<< `raw text` >>',
  '<< inputs.lines >>',
  '<< dig "in" "box" "none" inputs.deep.box >>',
  '<< range inputs.deep.rows >><< kindOf . >> << end >>',
  '<< len inputs.deep.rows >>',
  '<< trunc 1 "é" >>',
  '<< substr 0 2 "日本" | quote >>',
  '<< inputs.text | trunc 3 >>',
];
/** Actions that render to plain words in any context. */
const CALM = ACTIONS.filter(
  (action) => !/inputs\.(?:text|map|provider|lines)|quote|trunc 1|-</.test(action) || /slugify/.test(action),
);

/** A next line and a line separator, which YAML 1.1 reads as line breaks. */
const LINES = ['a\u0085b', 'c \u0085 d', 'e', 'f\u0085', '# g\u0085h'];

const INPUTS: Fields[] = [
  { e: '', name: 'quay', text: 'one\ntwo\n', count: 4, on: true, list: ['b', 'a'], map: { k: 'v', a10: 1, a2: null } },
  { e: ' ', name: 'tug', text: 'a: b # c', count: 0, on: false, list: [], map: {} },
  {
    e: 'x',
    name: 'deep-blue',
    text: 'long words that go on and on until the eightieth column has been passed by far, yes',
    count: -1.5,
    on: true,
    list: ['1', 'yes'],
    map: { items: [1, 'x'], 'a key': '<&>' },
  },
];

/** Values in values. */
const DEEP: Fields[] = [
  { rows: [{ name: 'one', port: 80 }, { name: 'two' }], box: { in: { box: 'x' } } },
  { rows: [], box: {} },
  { rows: [['a'], 'b', null], box: { in: {} } },
];

/** `index` is the number of the sample: every fourth one calls a function, each function in turn. */
export function setOf(draw: Draw, index = draw.int(0, 1_000_000)): GeneratedSet {
  const permutes = draw.chance(5);
  const providers = draw.chance(40) ? draw.times(1, 3, (index) => providerOf(draw, NAMES[index] as string)) : [];
  const calls = index % CALLS === 0;
  const inputs = draw.times(1, 3, () => ({
    ...(calls && (JSON.parse(draw.pick(TEMPLATE_INPUTS)) as Fields)),
    ...draw.pick(INPUTS),
    lines: draw.pick(LINES),
    deep: draw.pick(DEEP),
    id: draw.pick(['1', 'two', 3]),
  }));
  const spec: Fields = {
    ...(draw.chance(97) && { inputs }),
    ...(providers.length > 0 && { inputsFrom: draw.times(1, 2, () => referenceOf(draw, providers.length)) }),
    ...(permutes && {
      inputStrategy: { name: 'Permute', ...(draw.chance(30) && { includeEmptyProviders: draw.chance(50) }) },
    }),
    ...(draw.chance(20) && { commonMetadata: metadataOf(draw) }),
    ...(draw.chance(5) && { dependsOn: draw.times(1, 2, () => dependencyOf(draw)) }),
    ...(draw.chance(5) && { wait: draw.chance(50) }),
    ...(draw.chance(5) && { serviceAccountName: 'boats' }),
    ...(draw.chance(15)
      ? {
          steps: draw.times(1, 3, (index) => ({
            name: `s${index}`,
            ...(draw.chance(15) && { timeout: draw.pick(['5m', '1h30m', '10s']) }),
            ...templatesOf(draw, `s${index}`),
          })),
        }
      : templatesOf(draw, 'only')),
  };
  if (calls) addCall(draw, spec, fluxFunctions[(index / CALLS) % fluxFunctions.length] ?? 'inputs');
  const set: Fields = { apiVersion: API, kind: 'ResourceSet', metadata: { name: 'boats', namespace: 'sea' }, spec };
  if (draw.chance(3)) spoil(draw, spec);
  return { set, providers };
}

const CALLS = 4;

/** Calls of functions that the table of the templates lacks. */
const ODD_CALLS = new Map([
  ['ago', 'ago (toDate "2006-01-02" "2031-04-05")'],
  ['fail', 'fail "the words"'],
  ['inputs', 'inputs.name'],
  ['randInt', 'randInt 1 2'],
]);

const inputOf = (draw: Draw): Fields => ({
  ...draw.pick(INPUTS),
  lines: draw.pick(LINES),
  deep: draw.pick(DEEP),
});

const dependencyOf = (draw: Draw): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: draw.pick(NAMES),
  ...(draw.chance(50) && { namespace: 'sea' }),
  ...(draw.chance(50) && {
    ready: true,
    ...(draw.chance(50) && { readyExpr: draw.pick(['true', 'data.a == "b"', 'has(status.ready)']) }),
  }),
});

/** Calls a function, in a template of a document of its own. */
function addCall(draw: Draw, spec: Fields, name: string): void {
  if (spec.steps !== undefined) delete spec.steps;
  delete spec.resources;
  const scope = { draw, variables: [], dot: false };
  const call = ODD_CALLS.get(name) ?? pipeline(scope, 'any', 0, name);
  const written = draw.pick(['toJson', 'toString | quote', 'toYaml | nindent 4']);
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: calls, namespace: sea }\ndata:\n  k: << ${call} | ${written} >>\n`;
  spec.resourcesTemplate = text;
}

const providerOf = (draw: Draw, name: string): Fields => {
  const type = draw.chance(60) ? 'Static' : draw.pick(PROVIDERS);
  const metadata = {
    name,
    namespace: draw.chance(90) ? 'sea' : 'lake',
    labels: { fleet: draw.pick(['tugs', 'barges']) },
  };
  const provider = { apiVersion: API, kind: 'ResourceSetInputProvider', metadata };
  const defaults = draw.chance(95) && { defaultValues: inputOf(draw) };
  if (type === 'Static') return { ...provider, spec: { type, ...defaults } };
  const exported = draw.times(0, 3, (index) => ({ ...inputOf(draw), id: String(index), branch: draw.pick(NAMES) }));
  return {
    ...provider,
    spec: { type, ...defaults, ...(draw.chance(10) ? serviceOf(draw, type) : allowedOf(serviceOf(draw, type), type)) },
    status: { exportedInputs: exported },
  };
};

/** The fields of a provider that asks a service. */
const serviceOf = (draw: Draw, type: string): Fields => ({
  ...(type !== 'ExternalArtifact' && { url: urlOf(type) }),
  ...(type === 'ExternalArtifact' && { selectors: draw.times(1, 2, () => selectorOf(draw)) }),
  ...(draw.chance(30) && { secretRef: { name: 'token' } }),
  ...(draw.chance(20) && { certSecretRef: { name: 'ca' } }),
  ...(draw.chance(20) && { serviceAccountName: 'boats' }),
  ...(draw.chance(10) && { insecure: draw.chance(50) }),
  ...(draw.chance(50) && { filter: filterOf(draw) }),
  ...(draw.chance(20) && { skip: { labels: ['hold'] } }),
  ...(draw.chance(20) && {
    schedule: [{ cron: '0 8 * * 1-5', ...(draw.chance(50) && { timeZone: 'Europe/Oslo', window: '2h' }) }],
  }),
});

/** Removes what the CRD refuses for the type. */
function allowedOf(service: Fields, type: string): Fields {
  const isAws = type.startsWith('AWSCodeCommit');
  const isAzure = type.startsWith('AzureDevOps');
  const isOci = type.endsWith('ArtifactTag');
  const isCloud = isOci && type !== 'OCIArtifactTag';
  const isArtifact = type === 'ExternalArtifact';
  const { secretRef, certSecretRef, serviceAccountName, insecure, ...rest } = service;
  return {
    ...rest,
    ...(secretRef !== undefined && !isAws && !isCloud && !isArtifact && { secretRef }),
    ...(certSecretRef !== undefined && !isAws && !isAzure && !isCloud && !isArtifact && { certSecretRef }),
    ...(serviceAccountName !== undefined && (isAws || isAzure || isOci || isArtifact) && { serviceAccountName }),
    ...(insecure !== undefined && ['ExternalService', 'OCIArtifactTag'].includes(type) && { insecure }),
  };
}

function urlOf(type: string): string {
  if (type === 'OCIArtifactTag') return 'oci://registry.example/boats';
  if (type === 'ACRArtifactTag') return 'oci://boats.azurecr.io/tugs';
  if (type === 'ECRArtifactTag') return 'oci://123456789012.dkr.ecr.eu-north-1.amazonaws.com/tugs';
  if (type === 'GARArtifactTag') return 'oci://europe-docker.pkg.dev/boats/tugs/app';
  if (type.startsWith('AWSCodeCommit')) return 'https://git-codecommit.eu-north-1.amazonaws.com/v1/repos/boats';
  return type.startsWith('AzureDevOps') ? 'https://dev.azure.com/sea/boats/_git/tugs' : 'https://git.example/sea/boats';
}

const selectorOf = (draw: Draw): Fields =>
  draw.chance(50)
    ? { name: 'boats', namespace: 'sea' }
    : {
        namespace: 'sea',
        ...(draw.chance(60) && { matchLabels: { fleet: 'tugs' } }),
        ...(draw.chance(60) && { matchExpressions: [{ key: 'fleet', operator: 'In', values: ['tugs'] }] }),
      };

const filterOf = (draw: Draw): Fields => ({
  ...(draw.chance(30) && { includeBranch: '^feat/' }),
  ...(draw.chance(30) && { excludeBranch: '^main$' }),
  ...(draw.chance(30) && { includeTag: '^v' }),
  ...(draw.chance(30) && { excludeTag: '-rc' }),
  ...(draw.chance(30) && { includeEnvironment: '^review/' }),
  ...(draw.chance(30) && { excludeEnvironment: '^prod' }),
  ...(draw.chance(30) && { labels: ['deploy'] }),
  ...(draw.chance(30) && { limit: draw.pick([1, 100]) }),
  ...(draw.chance(30) && { semver: '>=1.0.0' }),
});

const referenceOf = (draw: Draw, known: number): Fields => ({
  ...(draw.chance(20) && { apiVersion: API }),
  ...(draw.chance(20) && { kind: 'ResourceSetInputProvider' }),
  ...sourceOf(draw, known),
});

const sourceOf = (draw: Draw, known: number): Fields =>
  draw.chance(60)
    ? { name: draw.pick(NAMES.slice(0, draw.chance(97) ? known : 4)) }
    : {
        selector: draw.pick<Fields>([
          {},
          { matchLabels: { fleet: 'tugs' } },
          { matchExpressions: [{ key: 'fleet', operator: 'NotIn', values: ['tugs'] }] },
        ]),
      };

const metadataOf = (draw: Draw): Fields => ({
  ...(draw.chance(70) && { labels: { tier: draw.pick(['one', 'two']) } }),
  ...(draw.chance(50) && { annotations: { note: draw.pick(['a: b', '', 'two words']) } }),
});

/** Names differ between steps, because the same object of two steps is refused. */
function templatesOf(draw: Draw, step: string): Fields {
  const suffix = step === 'only' || draw.chance(20) ? '' : `-${step}`;
  const resources = draw.times(1, 3, (index) => objectOf(draw, `r${index}${suffix}`));
  const separator = draw.chance(10) ? draw.pick(SEPARATORS) : '\n---\n';
  const documents = draw.times(1, 2, (index) => documentOf(draw, `t${index}${suffix}`)).join(separator);
  const text = draw.chance(2) ? `%YAML 1.${draw.int(1, 2)}\n---\n${documents}` : documents;
  const choice = draw.int(0, 5);
  if (choice === 0) return { resourcesTemplate: text };
  return choice === 1 ? { resources, resourcesTemplate: text } : { resources };
}

/** Documents without an object, between two others. */
const SEPARATORS = [
  '\n---\n---\n',
  '\n---\n# nothing\n---\n',
  '\n---\nnull\n---\n',
  '\n--- # a comment\n',
  '\n---\n<< if false >>x<< end >>\n---\n',
];

const nameOf = (draw: Draw, name: string): string =>
  draw.pick([name, `${name}-<< inputs.name >>`, `${name}-<< inputs.id >>`, 'same']);

function objectOf(draw: Draw, name: string): Fields {
  const disabled = draw.chance(10) && {
    annotations: { 'fluxcd.controlplane.io/reconcile': draw.pick(['disabled', 'enabled', '<< inputs.name >>']) },
  };
  const isOther = draw.chance(8);
  return {
    ...draw.pick<Fields>([
      ...(isOther ? OTHER_KINDS : []),
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { apiVersion: 'v1', kind: 'Secret' },
      { apiVersion: 'sea.example/v1', kind: 'ConfigMap' },
      { apiVersion: 'lake.example/v1', kind: 'ConfigMap' },
      { apiVersion: 'lake.example/v2', kind: 'ConfigMap' },
    ]),
    metadata: {
      name: nameOf(draw, name),
      ...(draw.chance(70) && { namespace: draw.chance(90) ? 'sea' : draw.pick(['<< inputs.name >>', 'lake', '']) }),
      ...(draw.chance(20) && { labels: { app: draw.pick(['a', '<< inputs.name >>']) } }),
      ...disabled,
    },
    data: Object.fromEntries(draw.times(0, 4, (index) => [`k${index}`, drawnValue(draw, 0)])),
  };
}

/** Kinds without a namespace, of a list, and computed ones. */
const OTHER_KINDS: readonly Fields[] = [
  { apiVersion: 'v1', kind: 'Namespace' },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
  { apiVersion: 'v1', kind: '<< if inputs.on >>ConfigMap<< else >>Secret<< end >>' },
  { apiVersion: '<< inputs.name >>.example/v1', kind: 'Boat' },
  { apiVersion: 'v1', kind: 'List' },
  { apiVersion: API, kind: 'ResourceSetInputProvider' },
];

function documentOf(draw: Draw, name: string): string {
  if (draw.chance(8)) {
    const loop = draw.pick([
      'range $i, $x := inputs.list',
      'range $i, $x := inputs.deep.rows',
      'range $i, $x := until 2',
    ]);
    return `<<- ${loop} >>\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}-<< $i >>\n  namespace: sea\ndata:\n  k: << $x | toJson | quote >>\n<<- end >>\n`;
  }
  const head = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${nameOf(draw, name)}\n  namespace: sea\n`;
  return `${head}data:\n  k: ${draw.pick(['x', '<< inputs.name | quote >>', '<< inputs.text | quote >>', '|\n<< inputs.text | indent 4 >>', '<< inputs.count >>', '"<< inputs.lines >>"'])}\n`;
}

function drawnValue(draw: Draw, depth: number): Json {
  if (depth < 2 && draw.chance(12)) return draw.times(0, 3, () => drawnValue(draw, depth + 1));
  if (depth < 2 && draw.chance(12))
    return Object.fromEntries(
      draw.times(0, 3, () => [draw.pick(draw.chance(15) ? WORDS : NAMES), drawnValue(draw, depth + 1)]),
    );
  if (draw.chance(10)) return draw.pick<Json>([1, 2.5, true, 1e21, 12345678]);
  // One quoted word or one text of two lines is enough for a set that does not render.
  const odd = draw.chance(3);
  const wordOf = (): string => draw.pick(odd && draw.chance(10) ? WORDS : PLAIN);
  const actionOf = (): string => draw.pick(odd ? ACTIONS : CALM);
  return draw
    .times(1, draw.chance(40) ? 40 : 5, () => (draw.chance(25) ? actionOf() : wordOf()))
    .join(draw.chance(10) ? '' : ' ');
}

/** Adds something that an API server rejects. */
function spoil(draw: Draw, spec: Fields): void {
  const [key, value] = draw.pick<[string, Json]>([
    ['wait', 'yes'],
    ['wait', true],
    ['steps', []],
    ['inputStrategy', { name: 'Flatten', includeEmptyProviders: true }],
    ['inputStrategy', {}],
    ['inputsFrom', [{ name: 'a', selector: {} }]],
    ['inputsFrom', [{}]],
    ['inputs', { a: 1 }],
    ['resources', 'x'],
    ['dependsOn', [{ apiVersion: 'v1', kind: 'A' }]],
    ['dependsOn', [{ apiVersion: 'v1', kind: 'A', name: 'a' }]],
    ['serviceAccountName', 1],
    ['steps', [{ name: 'Bad Name', resourcesTemplate: 'a' }]],
    ['steps', [{ name: 'a', timeout: '5us', resourcesTemplate: 'a' }]],
    ['unknown', 1],
  ]);
  spec[key] = value;
}
