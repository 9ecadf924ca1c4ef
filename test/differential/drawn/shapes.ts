import type { Json, JsonMap } from '../types.ts';
import { type Drawn, type Row, schemaOf, textsIn, tools } from './rows.ts';

/*
 * What kro's documentation describes beside its API: shapes of templates, positions of an expression, kinds of values,
 * and ways to read them.
 */

const { mapOf, listOf } = tools;
const templates = ({ nodes }: Drawn): JsonMap[] => nodes.map(({ template }) => mapOf(template));
const isExpression = (value: Json | undefined): boolean => typeof value === 'string' && /^\$\{.*\}$/s.test(value);
const hasExpression = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('${');
const isMixed = (value: Json | undefined): boolean => hasExpression(value) && !isExpression(value);
const inAll = (value: Json | undefined, test: (one: Json, key: string) => boolean, key = ''): boolean => {
  if (value === undefined) return false;
  if (test(value, key)) return true;
  if (Array.isArray(value)) return value.some((item) => inAll(item, test, '[]'));
  return Object.entries(mapOf(value)).some(([name, member]) => inAll(member, test, name));
};

const statuses = ({ rgds }: Drawn): JsonMap[] => rgds.map((rgd) => mapOf(schemaOf(rgd).status));
const inStatus =
  (test: (value: Json, key: string) => boolean): Row['has'] =>
  (drawn) =>
    statuses(drawn).some((status) => inAll(status, test));
const isListOf =
  (test: (item: Json) => boolean) =>
  (value: Json): boolean =>
    Array.isArray(value) && value.length > 0 && value.some(test);
const inMetadata =
  (test: (metadata: JsonMap, template: JsonMap) => boolean): Row['has'] =>
  (drawn) =>
    templates(drawn).some((template) => test(mapOf(template.metadata), template));
const ofKind = (kind: string): Row => ({
  name: `kind ${kind}`,
  has: (drawn) => templates(drawn).some((template) => template.kind === kind),
});
const written = (name: string, pattern: RegExp): Row => ({ name, has: ({ code }) => pattern.test(code) });
const inSchema = (name: string, pattern: RegExp): Row => ({ name, has: ({ schemas }) => pattern.test(schemas) });

const KINDS = [
  ...['ConfigMap', 'Secret', 'Service', 'Deployment', 'Namespace', 'Widget', 'Gadget', 'Inner', 'Innermost'],
  ...['StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Pod', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget'],
  ...['HorizontalPodAutoscaler', 'PersistentVolumeClaim', 'ResourceQuota', 'LimitRange', 'ServiceAccount', 'Role'],
  ...['ClusterRole', 'ClusterRoleBinding', 'StorageClass', 'PriorityClass', 'CustomResourceDefinition'],
];

const ID = String.raw`\b(?:conf|web|svc|item|ref)\d+`;
const NESTED = String.raw`${ID}(?:\[0\])?\.\??status\.\??`;

export const shapeRows: readonly Row[] = [
  ...KINDS.map(ofKind),
  // Positions of an expression.
  { name: 'position: metadata.name', has: inMetadata(({ name }) => hasExpression(name)) },
  { name: 'position: metadata.namespace', has: inMetadata(({ namespace }) => hasExpression(namespace)) },
  { name: 'position: all labels', has: inMetadata(({ labels }) => isExpression(labels)) },
  { name: 'position: a label', has: inMetadata(({ labels }) => Object.values(mapOf(labels)).some(hasExpression)) },
  { name: 'position: all annotations', has: inMetadata(({ annotations }) => isExpression(annotations)) },
  {
    name: 'position: an annotation',
    has: inMetadata(({ annotations }) => Object.values(mapOf(annotations)).some(hasExpression)),
  },
  { name: 'position: a text around it', has: ({ nodes }) => inAll(nodes as Json[], isMixed) },
  {
    name: 'position: a whole map',
    has: (drawn) => templates(drawn).some(({ data, spec }) => isExpression(data) || isExpression(spec)),
  },
  {
    name: 'position: an item of a list',
    has: ({ nodes }) =>
      nodes.some(({ template }) =>
        inAll(
          template,
          isListOf((item) => hasExpression(item)),
        ),
      ),
  },
  {
    name: 'position: a selector',
    has: ({ nodes }) =>
      nodes.some(({ externalRef }) =>
        hasExpression(JSON.stringify(mapOf(mapOf(externalRef).metadata).selector ?? null)),
      ),
  },
  { name: 'position: a list of forEach', has: ({ nodes }) => nodes.some(({ forEach }) => listOf(forEach).length > 0) },
  { name: 'forEach with two iterators', has: ({ nodes }) => nodes.some(({ forEach }) => listOf(forEach).length === 2) },
  {
    name: 'forEach over objects of a node',
    has: ({ nodes }) =>
      nodes.some(({ forEach }) =>
        textsIn(forEach ?? null).some((text) =>
          new RegExp(String.raw`^\$\{${ID}(?:\.(?:filter|slice)\(.*)?\}$`).test(text),
        ),
      ),
  },
  {
    name: 'forEach over maps',
    has: ({ nodes }) =>
      nodes.some(({ forEach }) => textsIn(forEach ?? null).some((text) => text.includes('{"name": "a"'))),
  },
  {
    name: 'forEach and includeWhen',
    has: ({ nodes }) => nodes.some(({ forEach, includeWhen }) => forEach !== undefined && includeWhen !== undefined),
  },
  {
    name: 'includeWhen with two conditions',
    has: ({ nodes }) => nodes.some(({ includeWhen }) => listOf(includeWhen).length === 2),
  },
  {
    name: 'includeWhen reads the status of a nested instance',
    has: ({ nodes }) =>
      nodes.some(({ includeWhen }) => textsIn(includeWhen ?? null).some((text) => new RegExp(NESTED).test(text))),
  },
  {
    name: 'forEach over a list in the status of a nested instance',
    has: ({ nodes }) =>
      nodes.some(({ forEach }) =>
        textsIn(forEach ?? null).some((text) => new RegExp(String.raw`^\$\{${NESTED}\w+`).test(text)),
      ),
  },
  {
    name: 'a reference to an instance',
    has: ({ nodes }) => nodes.some(({ externalRef }) => /^Inner/.test(String(mapOf(externalRef).kind))),
  },
  {
    name: 'includeWhen reads a node',
    has: ({ nodes }) =>
      nodes.some(({ includeWhen }) => textsIn(includeWhen ?? null).some((text) => new RegExp(ID).test(text))),
  },
  {
    name: 'readyWhen reads each',
    has: ({ nodes }) =>
      nodes.some(({ readyWhen }) => textsIn(readyWhen ?? null).some((text) => text.includes('each.'))),
  },
  // Ways of writing.
  {
    name: 'written: blanks around an expression',
    has: ({ nodes }) =>
      nodes.some((node) => inAll(node, (value) => typeof value === 'string' && /^\$\{\s/.test(value))),
  },
  {
    name: 'written: a comment',
    has: ({ nodes }) =>
      nodes.some((node) => inAll(node, (value) => typeof value === 'string' && /\/\/ (?:as )?drawn\n/.test(value))),
  },
  {
    name: 'written: single quotes',
    has: ({ nodes }) =>
      nodes.some((node) => inAll(node, (value) => typeof value === 'string' && /^\$\{.*[^R]'\w/s.test(value))),
  },
  {
    name: 'written: raw texts',
    has: ({ nodes }) =>
      nodes.some((node) => inAll(node, (value) => typeof value === 'string' && /[(,: [{][rR]["']/.test(value))),
  },
  {
    name: 'written: three quotes',
    has: ({ nodes }) =>
      nodes.some((node) => inAll(node, (value) => typeof value === 'string' && value.includes('"""'))),
  },
  {
    name: 'written: a hexadecimal number',
    has: ({ nodes }) =>
      nodes.some((node) => inAll(node, (value) => typeof value === 'string' && /\b0x[\da-f]/.test(value))),
  },
  // Namespaces.
  {
    name: 'namespace of blanks',
    has: inMetadata(({ namespace }) => typeof namespace === 'string' && namespace !== '' && namespace.trim() === ''),
  },
  { name: 'empty namespace', has: inMetadata(({ namespace }) => namespace === '') },
  {
    name: 'an instance of a cluster-scoped kind',
    has: ({ rgds }) => rgds.some((rgd) => schemaOf(rgd).scope === 'Cluster'),
  },
  { name: 'two instances', has: ({ instances }) => instances.length === 2 },
  {
    name: 'an instance in a collection',
    has: ({ nodes }) =>
      nodes.some(({ forEach, template }) => forEach !== undefined && /^Inner/.test(String(mapOf(template).kind))),
  },
  {
    name: 'an instance in an instance in an instance',
    has: ({ rgds }) => rgds.some((rgd) => schemaOf(rgd).kind === 'Innermost'),
  },
  {
    name: 'a live object of a rendered one',
    has: ({ pack }) => pack.observed.some(({ metadata }) => mapOf(metadata).uid !== undefined),
  },
  { name: 'an earlier instance', has: ({ pack }) => pack.observed.some(({ kind }) => kind === 'App') },
  {
    name: 'a reference by name',
    has: ({ nodes }) => nodes.some(({ externalRef }) => mapOf(mapOf(externalRef).metadata).name !== undefined),
  },
  // The status.
  { name: 'status: a list', has: inStatus((value) => Array.isArray(value) && value.some(isExpression)) },
  { name: 'status: a list of lists', has: inStatus(isListOf((item) => Array.isArray(item))) },
  { name: 'status: a list of maps', has: inStatus(isListOf((item) => Object.keys(mapOf(item)).length > 0)) },
  {
    name: 'status: a map',
    has: (drawn) =>
      statuses(drawn).some((status) => Object.values(status).some((value) => Object.keys(mapOf(value)).length > 0)),
  },
  { name: 'status: a text', has: inStatus((value) => isMixed(value)) },
  { name: 'status: an empty list', has: inStatus((value) => Array.isArray(value) && value.length === 0) },
  {
    name: 'status: an empty map',
    has: (drawn) =>
      statuses(drawn).some((status) => Object.values(status).some((value) => JSON.stringify(value) === '{}')),
  },
  { name: 'status: state', has: (drawn) => statuses(drawn).some(({ state }) => state !== undefined) },
  { name: 'status: conditions', has: (drawn) => statuses(drawn).some(({ conditions }) => conditions !== undefined) },
  {
    name: 'status: a condition for each item',
    has: inStatus((value) => typeof value === 'string' && value.includes('.map(one, runtime')),
  },
  {
    name: 'status: null',
    has: inStatus((value) => typeof value === 'string' && value.includes('dyn(null) : dyn(null)')),
  },
  {
    name: 'status: a whole node',
    has: inStatus((value) => typeof value === 'string' && new RegExp(String.raw`^\$\{${ID}\}$`).test(value)),
  },
  {
    name: 'status: an element that may wait',
    has: inStatus(isListOf((item) => typeof item === 'string' && /^\$\{[\w.]+\}$/.test(item))),
  },
  // Reads.
  written('read: an element by index', /[\w)]\[\d\]/),
  written('read: an element, optional', /\[\?\d\]/),
  written('read: a key', /\w\[""\]/),
  written('read: the field of an element', /\w\[\d\]\.\w/),
  written('read: an element of an element', /\w\[\d\]\[\d\]/),
  written('read: the status of a nested instance by index', new RegExp(String.raw`${NESTED}\w+\[\d\]`)),
  written(
    'read: the size of the status of a nested instance',
    new RegExp(String.raw`size\(${NESTED}\w+\)|${NESTED}\w+\.size\(\)`),
  ),
  written('read: the existence of the status of a nested instance', new RegExp(String.raw`has\(${NESTED}\w+\)`)),
  written(
    'read: a whole field of the status of a nested instance',
    new RegExp(String.raw`json\.marshal\(${NESTED}\w+\)`),
  ),
  written('read: the whole status of a nested instance', new RegExp(String.raw`json\.marshal\(${ID}\.status\)`)),
  written(
    'read: the status of each nested instance of a collection',
    new RegExp(String.raw`${ID}\.map\(one, .*status`),
  ),
  written('read: a whole node', new RegExp(String.raw`(?:json\.marshal|dyn)\(${ID}\)`)),
  written('read: whole metadata', new RegExp(String.raw`${ID}(?:\[0\])?\.metadata\)`)),
  written('read: a field that a server sets, with a fallback', /\.metadata\.\??uid/),
  written('read: a field of an iterator', /\bit\d\.\w/),
  written('read: a collection in a loop', new RegExp(String.raw`${ID}\.(?:map|filter|exists|all|transformList)\(`)),
  // The schema.
  inSchema('schema: a list', /^\[\]\w/m),
  inSchema('schema: a map', /^map\[string\]\w/m),
  inSchema('schema: a list of lists', /^\[\]\[\]/m),
  inSchema('schema: a map of maps', /^map\[string\]map/m),
  inSchema('schema: a list of maps', /^\[\]map/m),
  inSchema('schema: a map of lists', /^map\[string\]\[\]/m),
  inSchema('schema: object', /^object\b/m),
  inSchema('schema: a custom type', /\b(?:Port|Zone|Tier)\b/),
  inSchema('schema: an alias', /\bAlias\b/),
  inSchema('schema: a list or map of lists or maps of a custom type', /^(?:\[\]|map\[string\]){2}[A-Z]/m),
  {
    name: 'schema: a type that contains itself',
    has: ({ rgds }) => rgds.some((rgd) => mapOf(mapOf(schemaOf(rgd).types).Port).again !== undefined),
  },
  {
    name: 'schema: a type before those that it uses',
    has: ({ rgds }) =>
      rgds.some((rgd) => {
        const types = mapOf(schemaOf(rgd).types);
        const names = Object.keys(types);
        return names.some((name, at) =>
          names
            .slice(at + 1)
            .some((later) => textsIn(types[name] ?? null).some((text) => new RegExp(`\\b${later}\\b`).test(text))),
        );
      }),
  },
  {
    name: 'schema: a struct in a struct',
    has: ({ rgds }) =>
      rgds.some((rgd) =>
        Object.values(mapOf(schemaOf(rgd).spec)).some((field) => Object.keys(mapOf(field)).length > 0),
      ),
  },
  {
    name: 'schema: an odd name',
    has: ({ rgds }) =>
      rgds.some((rgd) =>
        Object.keys(mapOf(schemaOf(rgd).spec)).some((name) =>
          /^(?:in|a-b|x\.y|namespace|apiVersion|kind|size|string|__a|Ünï|null|1st)$/.test(name),
        ),
      ),
  },
  inSchema('default: a negative zero', /default=-0(?:\.0)?\b/),
  inSchema('default: a number of Go', /default=(?:007|\+1|\.5|1e3|5e-1)/),
  inSchema('default: a boolean of Go', /default=(?:TRUE|T)\b/),
  inSchema('default: null', /default=null/),
  inSchema('default: an empty list or map', /default=(?:\[\]|\{\})/),
  inSchema('enum: other characters', /enum="(?:a b, c|Ünï,x-y,10)"/),
  inSchema('rule: a transition', /oldSelf|immutable=true/),
  { name: 'null in an RGD', has: ({ rgds }) => inAll(rgds as Json[], (value) => value === null) },
  { name: 'null in an instance', has: ({ instances }) => inAll(instances as Json[], (value) => value === null) },
  {
    name: 'an unknown field',
    has: ({ instances }) => instances.some(({ spec }) => mapOf(spec).stranger !== undefined),
  },
  {
    name: 'a quantity',
    has: (drawn) =>
      templates(drawn).some((template) =>
        inAll(template, (_, key) => key === 'storage' || key === 'cpu' || key === 'memory'),
      ),
  },
  {
    name: 'an integer or a text',
    has: (drawn) =>
      templates(drawn).some((template) =>
        inAll(template, (_, key) => /^(?:minAvailable|maxUnavailable|targetPort)$/.test(key)),
      ),
  },
];
