import { describe, expect, it } from 'vitest';
import { extracted, fieldsOf, nodesOf } from './extracting.ts';

/** An object with `%` where the copies differ. */
const pod = (container: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: fixed }\nspec: { containers: [{ name: web, image: x, ${container} }] }\n`;

const service = (spec: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: fixed }\nspec: { ${spec} }\n`;

const deployment = (spec: string, template = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: fixed }\nspec: { ${spec}selector: { matchLabels: { app: x } }, template: { metadata: { labels: { app: x } }, spec: { ${template}containers: [{ name: web, image: x }] } } }\n`;

const widget = (spec: string): string =>
  `apiVersion: example.org/v1\nkind: Widget\nmetadata: { name: fixed }\nspec: { ${spec} }\n`;

const configMap = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: fixed }\ndata: { ${data} }\n`;

/** Extracts two copies of a text that differ where it has `%` and `~`. */
function namesIn(text: string): string[] {
  const copyWith = (first: string, second: string): string => text.replaceAll('%', first).replaceAll('~', second);
  const isNumber = !/["'][^"']*[%~]/.test(text);
  const result = isNumber
    ? extracted({ one: copyWith('11', '21'), two: copyWith('12', '32') })
    : extracted({ one: copyWith('red', 'north'), two: copyWith('blue', 'south') });
  return Object.keys(fieldsOf(result));
}

// The name of a field is the shortest one that says what it fills: docs/extract.md.
describe('the name of a field', () => {
  it.each([
    ['its key', deployment('replicas: %, '), ['replicas']],
    ['the word for several keys of one thing', pod('ports: [{ containerPort: % }]'), ['port']],
    ['the item of which it is the value', pod('env: [{ name: LOG_LEVEL, value: "%" }]'), ['logLevel']],
    ['a key that somebody chose', configMap('LOG_LEVEL: "%"'), ['logLevel']],
    ['a file without its ending', configMap('app-config.yaml: "%"'), ['appConfig']],
    ['the last part of a key with a domain', configMap('example.org.owner: "%"'), ['exampleOrgOwner']],
    ['no digits at its start', configMap('2-nd: "%"'), ['nd']],
    ['a word only once in a row', configMap('log-log_level: "%"'), ['logLevel']],
    ['a key, with its node if CEL reserves it', configMap('in: "%"'), ['configMapIn']],
    ['a limit', pod('resources: { limits: { memory: "%Mi" } }'), ['memoryLimit']],
    ['a request', pod('resources: { requests: { cpu: "%" } }'), ['cpuRequest']],
    ['the node, where the keys say nothing', service('type: "%", ports: [{ port: 80 }]'), ['serviceType']],
    ['the key around one that says nothing', widget('strategy: { type: "%" }'), ['strategyType']],
    ['what a reference refers to', widget('issuerRef: { name: "%" }'), ['issuerName']],
    ['what a reference to a key refers to', widget('tokenKeyRef: { name: "%" }'), ['tokenName']],
    ['the singular of the key around it', widget('policies: { kind: "%" }'), ['policyKind']],
    ['the number of a port', widget('port: { number: % }'), ['port']],
    ['the word before `=` in a text', pod('args: ["--max-size=%"]'), ['maxSize']],
    ['the singular of a list of texts', pod('args: ["%"]'), ['arg']],
    ['the singular of a list in -es', widget('addresses: ["%"]'), ['address']],
    [
      'the key around one of several equal keys',
      widget('reader: { timeout: % }, writer: { timeout: ~ }'),
      ['readerTimeout', 'writerTimeout'],
    ],
    [
      'the item around one of several equal keys',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: fixed }\nspec: { containers: [{ name: web, image: "x/%" }, { name: proxy, image: "y/~" }] }\n',
      ['webImage', 'proxyImage'],
    ],
    [
      'what a label says',
      `${configMap('a: x').replace('name: fixed', 'name: fixed, labels: { example.org/tier: "%" }')}`,
      ['tier'],
    ],
    [
      'the key of a field and not that of a label with its value',
      `${widget('team: "%"').replace('name: fixed', 'name: fixed, labels: { owner: "%" }')}`,
      ['team'],
    ],
    [
      'the key of a label and not that of an annotation',
      `${widget('x: 1').replace('name: fixed', 'name: fixed, annotations: { note: "%" }, labels: { owner: "%" }')}`,
      ['owner'],
    ],
  ])('is %s', (_, text, expected) => {
    expect(namesIn(text)).toEqual(expected);
  });

  it.each([
    ['nodeSelector', pod('tty: true').replace('containers:', 'nodeSelector: { % }, containers:')],
    ['nodeSelector', deployment('', 'nodeSelector: { % }, ')],
    [
      'podAnnotations',
      deployment('').replace('labels: { app: x } }, spec', 'labels: { app: x }, annotations: { % } }, spec'),
    ],
    ['labels', widget('x: 1').replace('name: fixed', 'name: fixed, labels: { % }')],
  ])('is %s for a map of free keys', (name, text) => {
    const result = extracted({ one: text.replace('%', 'a: "1"'), two: text.replace('%', 'b: "2", c: "3"') });
    expect(Object.keys(fieldsOf(result))).toEqual([name]);
  });
});

describe('the id of a node', () => {
  const of = (...objects: [apiVersion: string, kind: string, name: string][]): string[] => {
    const text = objects
      .map(([apiVersion, kind, name]) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name} }\n`)
      .join('---\n');
    return nodesOf(extracted({ one: text, two: text.replaceAll('one', 'two') })).map(({ id }) => id);
  };

  it('is the kind in lowerCamelCase', () => {
    expect(of(['example.org/v1', 'HTTPRoute', 'one'])).toEqual(['httpRoute']);
    expect(of(['example.org/v1', 'DNS', 'one'])).toEqual(['dns']);
    expect(of(['example.org/v1', 'ThingOfMine', 'one'])).toEqual(['thingOfMine']);
    expect(of(['v1', 'Namespace', 'one'])).toEqual(['ns']);
  });

  it('has what distinguishes the name, if there are several of a kind', () => {
    expect(of(['v1', 'ConfigMap', 'one-reader'], ['v1', 'ConfigMap', 'one-writer'])).toEqual([
      'readerConfigMap',
      'writerConfigMap',
    ]);
    expect(of(['v1', 'ConfigMap', 'one'], ['v1', 'ConfigMap', 'one-writer'])).toEqual(['configMap', 'writerConfigMap']);
    expect(of(['example.org/v1', 'Thing', 'one'], ['example.net/v1', 'Thing', 'one'])).toEqual(['thing', 'thing2']);
  });
});

describe('the field of a tag', () => {
  it('is named after the image, also where a text of a ConfigMap contains the tag', () => {
    const copy = (name: string, tag: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: web, image: 'web:${tag}' }] }\n---\n${configMap(`notes: "of ${tag}\\nas it is\\n"`)}`;
    expect(Object.keys(fieldsOf(extracted({ one: copy('one', '1.4'), two: copy('two', '1.5') })))).toEqual([
      'imageTag',
    ]);
  });
});

describe('the type and the variable of items', () => {
  const ports = (...items: [string, number][]): string =>
    widget(`ports: [${items.map(([title, size]) => `{ title: ${title}, size: ${size}, fixed: yes }`).join(', ')}]`);

  it('are the singular of the field', () => {
    const result = extracted({ one: ports(['a', 1], ['b', 2]), two: ports(['c', 3], ['d', 4], ['e', 5]) });
    expect(fieldsOf(result)).toEqual({ ports: '[]Port | required=true' });
    const { schema } = (result.rgd as unknown as { spec: { schema: { types: unknown } } }).spec;
    expect(schema.types).toEqual({ Port: { title: 'string | required=true', size: 'integer | required=true' } });
    expect(nodesOf(result)[0]?.template.spec).toEqual({
      ports: '${schema.spec.ports.map(port, {"title": port.title, "size": port.size, "fixed": true})}',
    });
  });
});
