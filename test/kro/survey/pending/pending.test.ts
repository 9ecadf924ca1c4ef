import { describe, expect, it } from 'vitest';
import { awaitedIn, cloud, instance, lineOf, rgd } from './packages.ts';

const linesOf = (text: string, observed = ''): string[] => awaitedIn(text, observed).map(lineOf);

describe('pending values', () => {
  it('are empty if everything renders', () => {
    expect(linesOf(rgd('App', cloud('net', 'Net', '{size: 1}')) + instance('App'))).toEqual([]);
  });

  it('are listed after other pending values too', () => {
    const nodes = [
      cloud('net', 'Net', '{}'),
      cloud('subnet', 'Subnet', '{net: "${net.status.id}"}'),
      cloud('host', 'Host', '{subnet: "${subnet.status.id}", net: "${net.status.id}"}'),
    ].join('');
    const text = rgd('App', nodes) + instance('App');
    expect(linesOf(text)).toEqual([
      'subnet spec.net <- Net ns/net status.id',
      'host spec.subnet <- Subnet ns/subnet status.id',
      'host spec.net <- Net ns/net status.id',
    ]);
    const net = '{apiVersion: cloud.example/v1, kind: Net, metadata: {name: net, namespace: ns}, status: {id: n1}}';
    expect(linesOf(text, net)).toEqual(['host spec.subnet <- Subnet ns/subnet status.id']);
  });

  it('exclude values that another pending node sets', () => {
    const nodes = [
      cloud('net', 'Net', '{}'),
      cloud('subnet', 'Subnet', '{net: "${net.status.id}", size: 4}'),
      cloud('host', 'Host', '{net: "${subnet.spec.net}", size: "${string(subnet.spec.size)}"}'),
    ].join('');
    expect(linesOf(rgd('App', nodes) + instance('App'))).toEqual(['subnet spec.net <- Net ns/net status.id']);
  });

  it('have no object while its name is pending', () => {
    const nodes = [
      cloud('net', 'Net', '{}'),
      cloud('subnet', 'Subnet', '{}', 's-${net.status.id}'),
      cloud('host', 'Host', '{subnet: "${subnet.status.id}"}'),
    ].join('');
    expect(linesOf(rgd('App', nodes) + instance('App'))).toEqual([
      'subnet metadata.name <- Net ns/net status.id',
      'host spec.subnet <- Subnet ns/? status.id',
    ]);
  });

  it('are optional if the expression renders without them', () => {
    const nodes = [
      cloud('net', 'Net', '{}'),
      cloud('a', 'Host', '{net: "${net.status.?id.orValue(\\"none\\")}"}'),
      cloud('b', 'Host', '{net: "${has(net.status) && has(net.status.id) ? net.status.id : \\"none\\"}"}'),
    ].join('');
    const text = rgd('App', nodes) + instance('App');
    expect(linesOf(text)).toEqual([
      // There is no status to trace.
      'a spec.net <- Net ns/net status',
      '?a spec.net <- Net ns/net status.id',
      '?b spec.net <- Net ns/net status',
      '?b spec.net <- Net ns/net status.id',
    ]);
    const net = '{apiVersion: cloud.example/v1, kind: Net, metadata: {name: net, namespace: ns}, status: {}}';
    expect(linesOf(text, net)).toEqual([]);
  });

  it('have distinct items of a collection, through iterators and comprehensions', () => {
    const nodes = `${cloud('net', 'Net', '{}')}- id: subnets
  forEach: [{zone: "\${schema.spec.zones}"}]
  template: {apiVersion: cloud.example/v1, kind: Subnet, metadata: {name: "s-\${zone}"}, spec: {net: "\${net.status.id}"}}
- id: hosts
  forEach: [{subnet: "\${subnets}"}]
  template: {apiVersion: cloud.example/v1, kind: Host, metadata: {name: "h-\${subnet.metadata.name}"}, spec: {subnet: "\${subnet.status.id}"}}
${cloud('all', 'Cluster', '{subnets: "${subnets.map(s, s.status.id)}", first: "${subnets[0].status.id}"}')}`;
    const text = rgd('App', nodes, '{spec: {zones: "[]string"}}') + instance('App', '{zones: [a, b]}');
    expect(linesOf(text)).toEqual([
      'subnets spec.net <- Net ns/net status.id',
      'hosts spec.subnet <- Subnet ns/s-a status.id',
      'hosts spec.subnet <- Subnet ns/s-b status.id',
      'all spec.subnets <- Subnet ns/s-a status.id',
      'all spec.subnets <- Subnet ns/s-b status.id',
      'all spec.first <- Subnet ns/s-a status.id',
    ]);
  });

  it('include those of conditions and lists', () => {
    const nodes = `${cloud('net', 'Net', '{}')}- id: host
  includeWhen: ["\${net.status.ready}"]
  template: {apiVersion: cloud.example/v1, kind: Host, metadata: {name: host}, spec: {net: "\${net.status.id}"}}
- id: peers
  forEach: [{peer: "\${net.status.peers}"}]
  template: {apiVersion: cloud.example/v1, kind: Peer, metadata: {name: "\${peer.name}"}}
`;
    expect(linesOf(rgd('App', nodes) + instance('App'))).toEqual([
      'host includeWhen[0] <- Net ns/net status.ready',
      'host spec.net <- Net ns/net status.id',
      'peers forEach[0].peer <- Net ns/net status.peers',
      'peers metadata.name <- Net ns/net status.peers[*].name',
    ]);
  });

  it('are traced through the status of a nested instance to their object', () => {
    const inner = rgd(
      'Network',
      cloud('net', 'Net', '{}', '${schema.metadata.name}-net'),
      '{status: {id: "${string(net.status.id)}"}}',
    );
    const outer = rgd(
      'App',
      `- id: network
  template: {apiVersion: kro.run/v1alpha1, kind: Network, metadata: {name: main}, spec: {}}
${cloud('host', 'Host', '{net: "${network.status.id}"}')}`,
    );
    expect(linesOf(inner + outer + instance('App'))).toEqual(['host spec.net <- Net ns/main-net status.id']);
  });

  it('are found inside a nested instance that is pending itself', () => {
    const inner = rgd(
      'Network',
      cloud('net', 'Net', '{zone: "${schema.spec.zone}"}', 'inner-net') +
        cloud('gate', 'Gate', '{net: "${net.status.id}"}'),
      '{spec: {zone: string}, status: {gate: "${string(gate.status.id)}"}}',
    );
    const outer = rgd(
      'App',
      `${cloud('zone', 'Zone', '{}')}- id: network
  template: {apiVersion: kro.run/v1alpha1, kind: Network, metadata: {name: main}, spec: {zone: "\${zone.status.id}"}}
${cloud('host', 'Host', '{gate: "${network.status.gate}"}')}`,
    );
    expect(linesOf(inner + outer + instance('App'))).toEqual([
      'network spec.zone <- Zone ns/zone status.id',
      'host spec.gate <- Gate ns/gate status.id',
      'gate spec.net <- Net ns/inner-net status.id',
    ]);
  });

  it('are those that an expression searches if it finds everything that it names', () => {
    const nodes = (read: string) => cloud('net', 'Net', '{}') + cloud('host', 'Host', `{a: "${read}"}`);
    const net =
      '{apiVersion: cloud.example/v1, kind: Net, metadata: {name: net, namespace: ns}, status: {ids: [{t: a, id: x}], map: {a: b}}}';
    const app = (read: string) => rgd('App', nodes(read), '{spec: {at: integer}}') + instance('App', '{at: 3}');
    for (const [read, line] of [
      ['${net.status.ids[2].id}', 'status.ids[2].id'],
      ['${net.status.ids[int(schema.spec.at)].id}', 'status.ids'],
      ['${net.status.ids.filter(i, i.t == \\"b\\")[0].id}', 'status.ids'],
      ['${net.status.map[string(schema.spec.at)]}', 'status.map'],
    ] as const) {
      expect(linesOf(app(read), net)).toEqual([`host spec.a <- Net ns/net ${line}`]);
    }
    expect(linesOf(app('${net.status.ids[int(schema.spec.at) - 3].id}'), net)).toEqual([]);
  });

  it('exclude objects that a default of a nested instance would render', () => {
    const inner = rgd(
      'Network',
      cloud('net', 'Net', '{}', '${schema.spec.zone}-net') + cloud('host', 'Host', '{id: "${net.status.id}"}'),
      '{spec: {zone: "string | default=none"}}',
    );
    const outer = rgd(
      'App',
      `${cloud('zone', 'Zone', '{}')}- id: network
  template: {apiVersion: kro.run/v1alpha1, kind: Network, metadata: {name: main}, spec: {zone: "\${zone.status.id}"}}
`,
    );
    expect(linesOf(inner + outer + instance('App'))).toEqual([
      'network spec.zone <- Zone ns/zone status.id',
      'host spec.id <- Net ns/? status.id',
    ]);
  });

  it('are whole objects if a reference finds nothing', () => {
    const nodes = `- id: shared
  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: shared, namespace: infra}}
${cloud('host', 'Host', '{net: "${shared.data.net}", size: "${shared.data.?size.orValue(\\"1\\")}"}')}`;
    expect(linesOf(rgd('App', nodes) + instance('App'))).toEqual([
      'shared externalRef <- ConfigMap infra/shared',
      'host spec.net <- ConfigMap infra/shared data.net',
      'host spec.size <- ConfigMap infra/shared data',
      '?host spec.size <- ConfigMap infra/shared data.size',
    ]);
  });

  it('exclude objects that another instance is going to render', () => {
    const owner = rgd(
      'Net',
      `${cloud('net', 'Vpc', '{}')}- id: shared
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: shared}, data: {id: "\${net.status.id}"}}
`,
    );
    const reader = rgd(
      'App',
      `- id: shared
  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: shared}}
${cloud('host', 'Host', '{net: "${shared.data.id}"}')}`,
    );
    expect(linesOf(owner + reader + instance('Net') + instance('App'))).toEqual([
      'shared data.id <- Vpc ns/net status.id',
    ]);
  });

  it('are listed once for each field', () => {
    const nodes = cloud('net', 'Net', '{}') + cloud('host', 'Host', '{net: "${net.status.id + net.status.id}"}');
    expect(linesOf(rgd('App', nodes) + instance('App'))).toEqual(['host spec.net <- Net ns/net status.id']);
  });
});
