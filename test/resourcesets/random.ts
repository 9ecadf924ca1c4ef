import type { Draw } from '../differential/draw.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };

/** A ResourceSet and the providers beside it. */
export interface GeneratedSet {
  set: Fields;
  providers: Fields[];
}

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
];
/** Actions that render to plain words in any context. */
const CALM = ACTIONS.filter(
  (action) => !/inputs\.(?:text|map|provider)|quote|-</.test(action) || /slugify/.test(action),
);

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

export function setOf(draw: Draw): GeneratedSet {
  const permutes = draw.chance(5);
  const providers = draw.chance(40) ? draw.times(1, 3, (index) => providerOf(draw, NAMES[index] as string)) : [];
  const inputs = draw.times(1, 3, () => ({ ...draw.pick(INPUTS), id: draw.pick(['1', 'two', 3]) }));
  const spec: Fields = {
    ...(draw.chance(97) && { inputs }),
    ...(providers.length > 0 && { inputsFrom: draw.times(1, 2, () => referenceOf(draw, providers.length)) }),
    ...(permutes && {
      inputStrategy: { name: 'Permute', ...(draw.chance(30) && { includeEmptyProviders: draw.chance(50) }) },
    }),
    ...(draw.chance(20) && { commonMetadata: metadataOf(draw) }),
    ...(draw.chance(15)
      ? { steps: draw.times(1, 3, (index) => ({ name: `s${index}`, ...templatesOf(draw) })) }
      : templatesOf(draw)),
  };
  const set: Fields = { apiVersion: API, kind: 'ResourceSet', metadata: { name: 'boats', namespace: 'sea' }, spec };
  if (draw.chance(5)) spoil(draw, spec);
  return { set, providers };
}

const providerOf = (draw: Draw, name: string): Fields => ({
  apiVersion: API,
  kind: 'ResourceSetInputProvider',
  metadata: { name, namespace: draw.chance(90) ? 'sea' : 'lake', labels: { fleet: draw.pick(['tugs', 'barges']) } },
  spec: { type: 'Static', ...(draw.chance(95) && { defaultValues: draw.pick(INPUTS) }) },
});

const referenceOf = (draw: Draw, known: number): Fields =>
  draw.chance(60)
    ? { name: draw.pick(NAMES.slice(0, draw.chance(93) ? known : 4)) }
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

function templatesOf(draw: Draw): Fields {
  const resources = draw.times(1, 3, (index) => objectOf(draw, `r${index}`));
  const text = draw.times(1, 2, (index) => documentOf(draw, `t${index}`)).join('\n---\n');
  const choice = draw.int(0, 5);
  if (choice === 0) return { resourcesTemplate: text };
  return choice === 1 ? { resources, resourcesTemplate: text } : { resources };
}

const nameOf = (draw: Draw, name: string): string =>
  draw.pick([name, `${name}-<< inputs.name >>`, `${name}-<< inputs.id >>`, 'same']);

function objectOf(draw: Draw, name: string): Fields {
  const disabled = draw.chance(10) && {
    annotations: { 'fluxcd.controlplane.io/reconcile': draw.pick(['disabled', 'enabled', '<< inputs.name >>']) },
  };
  return {
    apiVersion: draw.pick(['v1', 'v1', 'apps/v1']),
    kind: draw.pick(['ConfigMap', 'Secret']),
    metadata: {
      name: nameOf(draw, name),
      ...(draw.chance(70) && { namespace: 'sea' }),
      ...(draw.chance(20) && { labels: { app: draw.pick(['a', '<< inputs.name >>']) } }),
      ...disabled,
    },
    data: Object.fromEntries(draw.times(0, 4, (index) => [`k${index}`, drawnValue(draw, 0)])),
  };
}

function documentOf(draw: Draw, name: string): string {
  const head = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${nameOf(draw, name)}\n  namespace: sea\n`;
  return `${head}data:\n  k: ${draw.pick(['x', '<< inputs.name | quote >>', '<< inputs.text | quote >>', '|\n<< inputs.text | indent 4 >>', '<< inputs.count >>'])}\n`;
}

function drawnValue(draw: Draw, depth: number): Json {
  if (depth < 2 && draw.chance(12)) return draw.times(0, 3, () => drawnValue(draw, depth + 1));
  if (depth < 2 && draw.chance(12))
    return Object.fromEntries(draw.times(0, 3, () => [draw.pick(WORDS), drawnValue(draw, depth + 1)]));
  if (draw.chance(10)) return draw.pick<Json>([1, 2.5, true, 1e21, 12345678]);
  // One quoted word or one text of two lines is enough for a set that does not render.
  const odd = draw.chance(5);
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
