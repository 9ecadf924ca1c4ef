import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { surveyPackage } from '../../../src/render/pipeline.ts';
import { liveObjects, observedObjects, withLive } from '../../../src/render/survey/index.ts';
import { cloud, instance, objectsIn, rgd } from '../../kro/survey/pending/packages.ts';

interface Given {
  live: string;
  earlier?: string;
  observed?: string;
  allowSecrets?: boolean;
}

function observe(text: string, { live, earlier = '', observed = '', allowSecrets = false }: Given) {
  const reports = new Collector();
  const seen = { live: liveObjects(objectsIn(live), reports), earlier: objectsIn(earlier) };
  const input = withLive({ objects: objectsIn(text), observed: objectsIn(observed) }, seen, reports);
  const { survey, reports: found } = surveyPackage(input, defaultRenderOptions);
  reports.addAll(found);
  const objects = survey === undefined ? [] : observedObjects(survey, seen, allowSecrets, reports);
  const told = reports.all
    .filter(({ code }) => code !== 'unknown-kind')
    .map(({ code, message }) => `${code}: ${message}`);
  return { objects: objects as Value[], told };
}

const live = (kind: string, name: string, rest: string, metadata = ''): string =>
  `{apiVersion: cloud.example/v1, kind: ${kind}, metadata: {name: ${name}, namespace: ns${metadata}}, ${rest}}\n---\n`;
const seen = (kind: string, name: string, rest: object, metadata: object = {}): object => ({
  apiVersion: 'cloud.example/v1',
  kind,
  metadata: { name, namespace: 'ns', ...metadata },
  ...rest,
});

const nets =
  rgd('App', cloud('net', 'Net', '{size: "4"}') + cloud('host', 'Host', '{net: "${net.status.id}"}')) + instance('App');

describe('the output of observe', () => {
  it('contains the fields that are read and nothing else', () => {
    const given = live('Net', 'net', 'spec: {size: "4"}, status: {id: n1, ready: true}', ', uid: u, labels: {a: b}');
    expect(observe(nets, { live: given })).toEqual({
      objects: [seen('Net', 'net', { status: { id: 'n1' } })],
      told: [],
    });
  });

  it('contains a uid and labels that are read', () => {
    const nodes =
      cloud('net', 'Net', '{}') + cloud('host', 'Host', '{net: "${net.metadata.uid}", a: "${net.metadata.labels.a}"}');
    const given = live('Net', 'net', 'status: {id: n1}', ', uid: u, labels: {a: b, c: d}');
    expect(observe(rgd('App', nodes) + instance('App'), { live: given }).objects).toEqual([
      seen('Net', 'net', {}, { uid: 'u', labels: { a: 'b' } }),
    ]);
  });

  it('has no managed fields or status bookkeeping if a whole object is read', () => {
    const nodes = cloud('net', 'Net', '{}') + cloud('host', 'Host', '{net: "${json.marshal(net)}"}');
    const marks = 'kubectl.kubernetes.io/last-applied-configuration: "{}", note: x';
    const given = live('Net', 'net', 'status: {id: n1}', `, managedFields: [{manager: m}], annotations: {${marks}}`);
    expect(observe(rgd('App', nodes) + instance('App'), { live: given }).objects).toEqual([
      seen('Net', 'net', { status: { id: 'n1' } }, { annotations: { note: 'x' } }),
    ]);
  });

  it('omits objects that the package contains', () => {
    const nodes = cloud('net', 'Net', '{size: "4"}') + cloud('host', 'Host', '{size: "${net.spec.size}"}');
    const result = observe(rgd('App', nodes) + instance('App'), { live: live('Net', 'net', 'spec: {size: "5"}') });
    expect(result).toEqual({ objects: [], told: ['observed-unread: nothing reads Net ns/net: omitted'] });
  });

  it('shows that a value is missing by its parent', () => {
    const nodes = cloud('net', 'Net', '{}') + cloud('host', 'Host', '{net: "${net.status.?id.orValue(\\"none\\")}"}');
    const text = rgd('App', nodes) + instance('App');
    expect(observe(text, { live: live('Net', 'net', 'status: {ready: true}') }).objects).toEqual([
      seen('Net', 'net', { status: {} }),
    ]);
  });

  it('is sorted by group, kind, namespace and name', () => {
    const ids = ['c', 'a', 'b'];
    const nodes = ids.map((id) => cloud(id, id === 'a' ? 'Zone' : 'Net', '{}')).join('');
    const host = cloud('host', 'Host', `{all: "${ids.map((id) => `\${${id}.status.id}`).join('')}"}`);
    const given = ids.map((id) => live(id === 'a' ? 'Zone' : 'Net', id, 'status: {id: x}')).join('');
    const { objects } = observe(rgd('App', nodes + host) + instance('App'), { live: given });
    expect(objects.map((object) => (object as { metadata: { name: string } }).metadata.name)).toEqual(['b', 'c', 'a']);
  });

  it('contains objects of lists, and of earlier observations if there is nothing newer', () => {
    const nodes =
      cloud('a', 'Net', '{}') +
      cloud('b', 'Net', '{}') +
      cloud('host', 'Host', '{a: "${a.status.id}", b: "${b.status.id}"}');
    const text = rgd('App', nodes) + instance('App');
    const earlier =
      live('Net', 'a', 'status: {id: old}') +
      live('Net', 'b', 'status: {id: old}') +
      live('Net', 'gone', 'status: {id: old}');
    const list = `{apiVersion: v1, kind: List, items: [${live('Net', 'a', 'status: {id: new}').replace('\n---\n', '')}]}`;
    const result = observe(text, { live: list, earlier });
    expect(result.objects).toEqual([
      seen('Net', 'a', { status: { id: 'new' } }),
      seen('Net', 'b', { status: { id: 'old' } }),
    ]);
    expect(result.told).toEqual(['observed-unread: nothing reads Net ns/gone: omitted']);
  });

  it('replaces older observations, and keeps the mark of observed objects', () => {
    const marked = live('Net', 'net', 'status: {id: old}', ', annotations: {render-rgd.dev/observed: "true"}');
    const unmarked = live('Net', 'net', 'status: {id: new}');
    expect(observe(nets + marked, { live: unmarked, observed: live('Net', 'net', 'status: {id: older}') })).toEqual({
      objects: [seen('Net', 'net', { status: { id: 'new' } })],
      told: [],
    });
    const kept = observe(nets, { live: unmarked, earlier: marked }).objects;
    expect(kept).toEqual([
      seen('Net', 'net', { status: { id: 'new' } }, { annotations: { 'render-rgd.dev/observed': 'true' } }),
    ]);
    expect(observe(nets, { live: marked }).objects).toEqual([
      seen('Net', 'net', { status: { id: 'old' } }, { annotations: { 'render-rgd.dev/observed': 'true' } }),
    ]);
  });

  it('contains the labels by which a selector finds objects', () => {
    const nodes = `- id: peers
  externalRef: {apiVersion: cloud.example/v1, kind: Net, metadata: {selector: {matchLabels: {team: red}}}}
${cloud('host', 'Host', '{ids: "${peers.map(p, p.status.id)}"}')}`;
    const given =
      live('Net', 'one', 'status: {id: x, ready: true}', ', labels: {team: red, other: x}') +
      live('Net', 'two', 'status: {id: y}', ', labels: {team: blue}');
    expect(observe(rgd('App', nodes) + instance('App'), { live: given })).toEqual({
      objects: [seen('Net', 'one', { status: { id: 'x' } }, { labels: { team: 'red' } })],
      told: ['observed-unread: nothing reads Net ns/two: omitted'],
    });
  });
});

const secret =
  '{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: ns}, data: {key: aGk=, other: aGk=}, type: Opaque}';
const reading = (expression: string): string =>
  rgd(
    'App',
    `- id: secret
  externalRef: {apiVersion: v1, kind: Secret, metadata: {name: s}}
${cloud('host', 'Host', `{value: "\${${expression}}"}`)}`,
  ) + instance('App');

describe('observe and Secrets', () => {
  it('rejects expressions that read their values', () => {
    const { objects, told } = observe(reading('string(secret.data.key)'), { live: secret });
    expect(objects).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/^observed-secret: .*Secret\/s/)]);
    expect(told.join()).not.toContain('aGk=');
  });

  it('keeps the values that are read, if that is allowed', () => {
    const { objects, told } = observe(reading('string(secret.data.key)'), { live: secret, allowSecrets: true });
    expect(objects).toEqual([
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'ns' }, data: { key: 'aGk=' } },
    ]);
    expect(told).toEqual([]);
  });

  it('accepts expressions that do not read their values', () => {
    const { objects, told } = observe(reading('secret.metadata.name + secret.type'), { live: secret });
    expect(objects).toEqual([
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'ns' }, type: 'Opaque' },
    ]);
    expect(told).toEqual([]);
  });
});

describe('a live object', () => {
  it.each([
    [
      'of another group',
      '{apiVersion: other.example/v1, kind: Net, metadata: {name: net, namespace: ns}}',
      'observed-mismatch: Net/net is of other.example/v1, the package reads the one of cloud.example/v1',
    ],
    [
      'of another version',
      '{apiVersion: cloud.example/v2, kind: Net, metadata: {name: net, namespace: ns}, status: {id: x}}',
      'observed-version: the version is cloud.example/v2, the package has cloud.example/v1: fields may differ',
    ],
    [
      'there twice',
      live('Net', 'net', 'status: {id: a}') + live('Net', 'net', 'status: {id: b}'),
      'observed-twice: Net/net is a duplicate with different contents',
    ],
    [
      'an answer of the API server',
      '{apiVersion: v1, kind: Status, status: Failure, message: not found}',
      'observed-answer: expected an object, got an answer of the API server: not found',
    ],
    [
      'a table',
      '{apiVersion: meta.k8s.io/v1, kind: Table}',
      'observed-answer: this is a table, not objects; use kubectl get -o yaml',
    ],
  ])('is reported: %s', (_, given, expected) => {
    expect(observe(nets, { live: given }).told).toContain(expected);
  });

  it('without the namespace that its kind requires is reported', () => {
    const front = '- id: front\n  template: {apiVersion: v1, kind: Service, metadata: {name: front}}\n';
    const text = rgd('App', front + cloud('host', 'Host', '{ip: "${front.spec.clusterIP}"}')) + instance('App');
    const given = '{apiVersion: v1, kind: Service, metadata: {name: front}, spec: {clusterIP: a}}';
    expect(observe(text, { live: given }).told).toContain(
      "observed-mismatch: Service/front has no namespace, the package reads the one in 'ns'",
    );
  });

  it('without a namespace is accepted if the scope of its kind is assumed', () => {
    const given = '{apiVersion: cloud.example/v1, kind: Net, metadata: {name: net}, status: {id: a, b: c}}';
    expect(observe(nets, { live: given })).toEqual({
      objects: [{ apiVersion: 'cloud.example/v1', kind: 'Net', metadata: { name: 'net' }, status: { id: 'a' } }],
      told: [],
    });
  });

  it('in default matches an object without a namespace', () => {
    const text = nets.replace('namespace: ns', '');
    const given = live('Net', 'net', 'status: {id: a, b: c}').replace('namespace: ns', 'namespace: default');
    const { objects, told } = observe(text, { live: given });
    expect(told).toEqual([]);
    expect(objects).toEqual([seen('Net', 'net', { status: { id: 'a' } }, { namespace: 'default' })]);
  });

  it('is accepted twice with equal content', () => {
    const net = live('Net', 'net', 'status: {id: a}');
    expect(observe(nets, { live: net + net }).told).toEqual([]);
  });
});
