import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPlain } from '../../../../src/api/plain.ts';
import type { JsonValue } from '../../../../src/api/types.ts';
import { codes, isError } from '../../../../src/core/diagnostics/diagnostic.ts';
import { Collector } from '../../../../src/core/diagnostics/index.ts';
import { type InputObject, identityOf, type KubeObject, nameOf } from '../../../../src/core/model/object.ts';
import type { RenderOptions } from '../../../../src/core/model/render.ts';
import type { Value, ValueMap } from '../../../../src/core/model/value.ts';
import type { PendingValue } from '../../../../src/kubernetes/front-end/index.ts';
import { defaultRenderOptions } from '../../../../src/render/options/index.ts';
import { renderPackage, surveyPackage } from '../../../../src/render/pipeline.ts';
import { liveObjects, observedObjects, withLive } from '../../../../src/render/survey/index.ts';
import { LONG, runs } from '../../../properties/runs.ts';

/** Returns the answer of a cluster for any object. */
function liveObject({ object: { apiVersion, kind, namespace, name } }: PendingValue, isScoped: boolean): KubeObject {
  const id = `${kind}-${name}`.toLowerCase();
  // A rendered instance is not in a cluster.
  expect(apiVersion).not.toMatch(/^kro\.run\//);
  // kubectl uses the default namespace for objects without one.
  const where: ValueMap = isScoped ? { namespace: namespace === '' ? 'default' : namespace } : {};
  const item = (type: string): ValueMap => ({ type, id: `${id}-${type}`.toLowerCase() });
  return {
    apiVersion,
    kind,
    metadata: {
      name: name ?? '',
      ...where,
      uid: `uid-${id}`,
      labels: { 'kro.run/node-id': `label-${id}` },
      annotations: { 'a.b/c': `note-${id}` },
    },
    spec: { clusterIP: '10.0.0.1' },
    data: { a: `data-${id}`, k: 'v' },
    status: {
      id,
      value: `value-${id}`,
      ready: true,
      list: [item('Pending'), item('Ready'), item('Old')],
      map: { k: `map-${id}`, value: 'v' },
      loadBalancer: { ingress: [{ hostname: `${id}.example` }] },
    },
  };
}

const STEP = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g;

/** Returns the value at a path of `pending` and nothing else. */
function part(value: Value, path: string): Value {
  const [before = ''] = path.split('[*]');
  const steps = [...before.matchAll(STEP)].map(([, index, quoted, plain]) =>
    index === undefined ? (plain ?? (JSON.parse(`"${quoted}"`) as string)) : Number(index),
  );
  const cut = (inner: Value | undefined, [step, ...rest]: readonly (string | number)[]): Value => {
    if (step === undefined || inner === undefined || inner === null) return inner ?? {};
    if (Array.isArray(inner)) {
      return inner.slice(0, Number(step) + 1).map((item, index) => (index === step ? cut(item, rest) : {}));
    }
    return { [step]: cut((inner as ValueMap)[String(step)], rest) };
  };
  return cut(value, steps);
}

/** Merges lists by index. */
function merged(over: Value, under: Value | undefined): Value {
  if (!Array.isArray(over) || !Array.isArray(under)) {
    if (over === null || typeof over !== 'object' || Array.isArray(over)) return over;
    if (under === undefined || under === null || typeof under !== 'object' || Array.isArray(under)) return over;
    const keys = new Set([...Object.keys(under), ...Object.keys(over)]);
    const join = (key: string): Value =>
      over[key] === undefined ? (under[key] as Value) : merged(over[key] as Value, under[key]);
    return Object.fromEntries([...keys].map((key) => [key, join(key)]));
  }
  return Array.from({ length: Math.max(over.length, under.length) }, (_, index) =>
    over[index] === undefined ? (under[index] as Value) : merged(over[index] as Value, under[index]),
  );
}

const exactly = ({ apiVersion, kind, metadata, ...rest }: KubeObject, path: string): KubeObject => {
  const { name, namespace } = metadata as ValueMap;
  const identity = {
    apiVersion,
    kind,
    metadata: namespace === undefined ? { name } : { name, namespace },
  } as KubeObject;
  return path === ''
    ? identity
    : (merged(identity, part({ metadata: metadata ?? null, ...rest } as Value, path)) as KubeObject);
};

interface Round {
  objects: readonly InputObject[];
  options: RenderOptions;
  observed: readonly InputObject[];
}

function waitingIn({ objects, options, observed }: Round): {
  pending: boolean;
  others: string[];
  awaited: PendingValue[];
  rendered: ReadonlySet<string>;
} {
  const { entries, reports } = renderPackage({ objects, observed }, options);
  const rendered = new Set(
    entries.flatMap((one) => one.rendered.map(({ object }) => `${object.kind} ${nameOf(object)}`)),
  );
  const stages = reports.filter(isError);
  const others = stages.filter(({ code }) => codes[code].stage !== 'pending').map(({ message }) => message);
  const { survey } = surveyPackage({ objects, observed }, options);
  const awaited = survey?.flatMap((one) => one.pending()) ?? [];
  return { pending: stages.length > others.length, others, awaited, rendered };
}

/** Supplies pending values until there are none: returns the number of rounds. */
function rounds(
  objects: readonly InputObject[],
  options: RenderOptions,
  isScoped: boolean,
  observing: boolean,
): number {
  const supplied = new Map<string, KubeObject>();
  const everAsked = new Set<string>();
  for (let round = 0; ; round += 1) {
    const observed = [...supplied.values()].map((object) => ({ object }));
    const { pending, others, awaited, rendered } = waitingIn({ objects, options, observed });
    expect(others).toEqual([]);
    const required = awaited.filter(({ optional }) => !optional);
    if (!pending) {
      expect(required).toEqual([]);
      expect([...everAsked].filter((name) => !name.includes('shared') && !rendered.has(name))).toEqual([]);
      return round;
    }
    const asked = required.filter(({ object }) => object.name !== undefined);
    expect(asked.length).toBeGreaterThan(0);
    for (const { object } of asked) everAsked.add(`${object.kind} ${object.name}`);
    const before = JSON.stringify([...supplied.values()]);
    if (observing) {
      const live = asked.map((one) => ({ object: liveObject(one, isScoped) }));
      for (const object of observe({ objects, options, observed }, live)) supplied.set(identityOf(object), object);
    } else {
      for (const one of asked) {
        const object = exactly(liveObject(one, isScoped), one.path);
        const key = identityOf(object);
        supplied.set(key, merged(object, supplied.get(key)) as KubeObject);
      }
    }
    // A repeated request for a supplied value would never end.
    expect(JSON.stringify([...supplied.values()])).not.toBe(before);
  }
}

function observe({ objects, options, observed }: Round, live: readonly InputObject[]): KubeObject[] {
  const seen = { live: liveObjects(live, new Collector()), earlier: observed };
  const { survey } = surveyPackage(withLive({ objects }, seen, new Collector()), options);
  return survey === undefined ? [] : observedObjects(survey, seen, true, new Collector());
}

/** Reads of a live object that is called `n`; all of them return strings. */
const READS = [
  '${n.status.id}',
  '${n.status.value}',
  '${n.metadata.uid}',
  '${n.metadata.annotations["a.b/c"]}',
  '${n.metadata.labels["kro.run/node-id"]}',
  '${n.status.list[1].id}',
  '${n.status.list[int(schema.spec.index)].id}',
  '${n.status.list[size(n.status.list) - 1].id}',
  '${n.status.list.filter(l, l.type == "Ready")[0].id}',
  '${n.status.list.map(l, l.id).join("-")}',
  '${n.status.list.exists(l, l.type == "Ready") ? n.status.id : "no"}',
  '${n.status.map[schema.spec.key]}',
  '${n.status.map.value}',
  '${n.status.?id.orValue("none")}',
  '${n.?status.?id.orValue("none")}',
  '${has(n.status.id) ? n.status.id : "none"}',
  '${string(n.status.ready)}',
  'a-${n.status.id}-${n.status.value}',
] as const;
const SERVICE_READS = [
  '${n.status.loadBalancer.ingress[0].hostname}',
  '${n.status.loadBalancer.ingress.map(i, i.hostname)[0]}',
  '${n.status.loadBalancer.ingress.filter(i, i.hostname != "")[0].hostname}',
  '${n.spec.clusterIP}',
  '${n.metadata.uid}',
] as const;
const NESTED_READS = [
  '${n.status.id}',
  '${n.status.deep.first}',
  '${n.metadata.uid}',
  '${n.metadata.labels["kro.run/node-id"]}',
  '${n.spec.a}',
] as const;

interface Planned {
  kind: 'cloud' | 'service' | 'nested' | 'reference' | 'collection' | 'toNested';
  reads: readonly { of: number; which: number }[];
  named: boolean;
  guarded: boolean;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  kind: fc.constantFrom('cloud', 'cloud', 'service', 'nested', 'reference', 'collection', 'toNested'),
  reads: fc.array(fc.record({ of: fc.nat({ max: 20 }), which: fc.nat({ max: 50 }) }), { maxLength: 3 }),
  named: fc.boolean(),
  guarded: fc.boolean(),
});

const CLOUD = 'cloud.example/v1';

/** Returns the text that a read of an earlier node returns; `undefined` if there is none to read. */
function readOf(nodes: readonly Planned[], index: number, { of, which }: Planned['reads'][number]): string | undefined {
  if (index === 0) return undefined;
  const target = of % index;
  const kind = nodes[target]?.kind;
  const pick = (texts: readonly string[], name = `n${target}`): string =>
    (texts[which % texts.length] as string).replaceAll(/\bn\b/g, name);
  if (kind === 'service') return pick(SERVICE_READS);
  if (kind === 'nested') return pick(NESTED_READS);
  // The label is that of a node, which an instance of the package does not have.
  if (kind === 'toNested') return pick(NESTED_READS.filter((text) => !text.includes('labels')));
  return kind === 'collection' ? pick(READS, `n${target}[0]`) : pick(READS);
}

function nodeOf(nodes: readonly Planned[], index: number): object {
  const { kind, reads, named, guarded } = nodes[index] as Planned;
  const texts = reads.flatMap((read) => readOf(nodes, index, read) ?? []);
  const spec = Object.fromEntries(texts.map((text, at) => [`f${at}`, text]));
  const firstRead = reads[0] === undefined ? undefined : readOf(nodes, index, { ...reads[0], which: 0 });
  const name = named && firstRead !== undefined ? `o${index}-${firstRead}` : `o${index}`;
  const id = `n${index}`;
  const cloud = index > 0 && ['cloud', 'reference'].includes(nodes[0]?.kind ?? '');
  const condition = guarded && cloud ? { includeWhen: ['${n0.status.ready}'] } : {};
  // A value with a fallback changes after it is observed, and names derive from it.
  const fixed = texts.find((text) => !text.includes('none'));
  const nested = nodes.findIndex((one, at) => at < index && one.kind === 'nested');
  switch (kind) {
    case 'service':
      return {
        id,
        template: { apiVersion: 'v1', kind: 'Service', metadata: { name: `o${index}`, annotations: spec } },
      };
    case 'nested':
      return {
        id,
        template: {
          apiVersion: 'kro.run/v1',
          kind: 'Inner',
          metadata: { name: `o${index}` },
          spec: { a: fixed ?? 'a' },
        },
      };
    case 'reference':
      return { id, externalRef: { apiVersion: CLOUD, kind: 'Net', metadata: { name: `shared${index}` } } };
    case 'toNested':
      // A reference to a nested instance of another node.
      return {
        id,
        externalRef: {
          apiVersion: 'kro.run/v1',
          kind: 'Inner',
          metadata: { name: nested < 0 ? 'other' : `o${nested}` },
        },
      };
    case 'collection':
      return {
        id,
        ...condition,
        forEach: [{ z: '${schema.spec.zones}' }],
        template: { apiVersion: CLOUD, kind: 'Zone', metadata: { name: `o${index}-\${z}` }, spec },
      };
    default:
      return { id, ...condition, template: { apiVersion: CLOUD, kind: 'Net', metadata: { name }, spec } };
  }
}

const inner = {
  apiVersion: 'kro.run/v1alpha1',
  kind: 'ResourceGraphDefinition',
  metadata: { name: 'inner' },
  spec: {
    schema: {
      apiVersion: 'v1',
      kind: 'Inner',
      spec: { a: 'string | default=d' },
      status: { id: '${string(net.status.id)}', deep: { first: '${string(gate.status.list[0].id)}' } },
    },
    resources: [
      {
        id: 'net',
        template: {
          apiVersion: CLOUD,
          kind: 'Net',
          metadata: { name: '${schema.metadata.name}-${schema.spec.a}-net' },
          spec: { a: '${schema.spec.a}' },
        },
      },
      {
        id: 'gate',
        template: {
          apiVersion: CLOUD,
          kind: 'Gate',
          metadata: { name: '${schema.metadata.name}-gate' },
          spec: { net: '${net.status.id}' },
        },
      },
    ],
  },
};

const packages = fc
  .array(planned, { minLength: 1, maxLength: 6 })
  .map((nodes) => nodes.map((_, index) => nodeOf(nodes, index)));

function packageOf(resources: readonly object[], namespace: string | undefined): InputObject[] {
  const schema = { apiVersion: 'v1', kind: 'App', spec: { index: 'integer', key: 'string', zones: '[]string' } };
  const rgd = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'app' },
    spec: { schema, resources },
  };
  const where = namespace === undefined ? {} : { namespace };
  const instance = {
    apiVersion: 'kro.run/v1',
    kind: 'App',
    metadata: { name: 'i', ...where },
    spec: { index: 1, key: 'k', zones: ['a', 'b'] },
  };
  const other = { apiVersion: 'kro.run/v1', kind: 'Inner', metadata: { name: 'other', ...where }, spec: {} };
  return [inner, rgd, instance, other].map((object) => ({ object: fromPlain(object as JsonValue) as KubeObject }));
}

describe('rendering succeeds after all values that pending lists are supplied', () => {
  it.each<[string, string | undefined, string, boolean]>([
    ['in a namespace', 'team', '', true],
    ['in the chosen namespace', undefined, 'web', true],
    ['in no namespace', undefined, '', true],
    ['of kinds that have no namespaces after all', 'team', '', false],
  ])(
    '%s',
    (_, namespace, chosen, isScoped) => {
      const options = { ...defaultRenderOptions, namespace: chosen };
      fc.assert(
        fc.property(packages, fc.boolean(), (resources, observing) => {
          const objects = packageOf(resources, namespace);
          // Services always have namespaces, so only packages of unknown kinds can be cluster-scoped.
          fc.pre(isScoped || !JSON.stringify(resources).includes('"Service"'));
          expect(rounds(objects, options, isScoped, observing)).toBeLessThan(20);
        }),
        runs(25),
      );
    },
    LONG,
  );
});
