/** RGDs with one fault, and the same RGDs without it. Nothing here knows how the exploration searches. */
import type { Draw } from '../differential/draw.ts';

type Json = string | number | boolean | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

/** A part of an RGD: its fields, its own types and its nodes. */
interface Part {
  fields: JsonMap;
  types?: JsonMap;
  nodes: JsonMap[];
}

/** A part with a fault, and without. */
interface Pair {
  clean: Part;
  faulty: Part;
}

export interface Planted {
  fault: string;
  /** The node that has the fault. */
  node: string;
  clean: JsonMap;
  faulty: JsonMap;
}

/** Makes a fault; `n` makes its names different from those of other parts. */
type Plant = (draw: Draw, n: number) => Pair;

const LETTERS = 'pattern="^[a-z]+$"';
const named = (n: number): string => `c${n}-\${schema.metadata.name}`;
const node = (id: string, template: JsonMap, more: JsonMap = {}): JsonMap => ({ id, ...more, template });
const configMap = (id: string, name: string, data: JsonMap, more: JsonMap = {}): JsonMap =>
  node(id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }, more);
const object = (id: string, apiVersion: string, kind: string, name: string, spec: JsonMap): JsonMap =>
  node(id, { apiVersion, kind, metadata: { name }, spec });

function deployment(n: number, container: JsonMap, spec: JsonMap = {}, labels: Json = { app: 'web' }): JsonMap {
  const pod = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1.27', ...container }] } };
  const all: JsonMap = { selector: { matchLabels: labels }, template: pod, ...spec };
  return object(`n${n}`, 'apps/v1', 'Deployment', named(n), all);
}

/** Returns a pair in which only one field differs. */
const byField = (name: string, clean: Json, faulty: Json, nodes: JsonMap[], others: JsonMap = {}): Pair => ({
  clean: { fields: { [name]: clean, ...others }, nodes },
  faulty: { fields: { [name]: faulty, ...others }, nodes },
});

/** Returns a pair in which only the nodes differ. */
const byNodes = (fields: JsonMap, clean: JsonMap[], faulty: JsonMap[], types: JsonMap = {}): Pair => ({
  clean: { fields, nodes: clean, types },
  faulty: { fields, nodes: faulty, types },
});

const service = (n: number, name: string, ports: Json): JsonMap => object(`n${n}`, 'v1', 'Service', name, { ports });

function unguarded(draw: Draw, n: number): Pair {
  const field = `note${n}`;
  const at = `schema.spec.${field}`;
  const one = (value: string): JsonMap[] => [configMap(`n${n}`, named(n), { value: `\${${value}}` })];
  const included = (condition: string): JsonMap[] => [
    configMap(`n${n}`, named(n), { a: 'b' }, { includeWhen: [`\${${condition}}`] }),
  ];
  const forms: (() => Pair)[] = [
    () => byNodes({ [field]: 'string' }, one(`schema.spec.?${field}.orValue("x")`), one(at)),
    () => byNodes({ [field]: { sub: 'string' } }, one(`schema.spec.?${field}.?sub.orValue("x")`), one(`${at}.sub`)),
    () =>
      byNodes({ [field]: 'string' }, included(`schema.spec.?${field}.orValue("") == "on"`), included(`${at} == "on"`)),
    () => {
      const toggle = `use${n}`;
      const fields = { [field]: 'string', [toggle]: 'boolean | default=false' };
      const clean = `schema.spec.${toggle} && has(${at}) ? ${at} : "none"`;
      return byNodes(fields, one(clean), one(`schema.spec.${toggle} ? ${at} : "none"`));
    },
    () => {
      const types = { [`Item${n}`]: { id: 'string | required=true', note: 'string' } };
      const clean = `${at}.map(x, has(x.note) ? x.note : "").join(",")`;
      const fields = { [field]: `[]Item${n} | default=[]` };
      return byNodes(fields, one(clean), one(`${at}.map(x, x.note).join(",")`), types);
    },
  ];
  return draw.pick(forms)();
}

function tooLong(draw: Draw, n: number): Pair {
  const field = `name${n}`;
  const other = `part${n}`;
  const text = (most: number): string => `string | required=true minLength=1 maxLength=${most} ${LETTERS}`;
  const prefix = draw.pick(['web', 'frontend', 'a']);
  const ports = [{ port: 80 }];
  const more = draw.int(1, 20);
  const forms: (() => Pair)[] = [
    () => {
      const most = 62 - prefix.length;
      return byField(field, text(most), text(most + more), [service(n, `${prefix}-\${schema.spec.${field}}`, ports)]);
    },
    () => {
      const nodes = [service(n, `\${schema.spec.${field}}-\${schema.spec.${other}}`, ports)];
      const clean = { [field]: text(30), [other]: text(30) };
      return {
        clean: { fields: clean, nodes },
        faulty: { fields: { [field]: text(30 + more), [other]: text(33) }, nodes },
      };
    },
    () => {
      const labels = { tier: `\${schema.spec.${field}}` };
      const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: named(n), labels } };
      return byField(field, text(63), text(63 + more), [node(`n${n}`, template)]);
    },
    () => {
      const template = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `ns-\${schema.spec.${field}}` } };
      return byField(field, text(60), text(60 + more), [node(`n${n}`, template)]);
    },
    () => {
      const container = { ports: [{ containerPort: 80, name: `\${schema.spec.${field}}` }] };
      return byField(field, text(15), text(15 + more), [deployment(n, container)]);
    },
  ];
  return draw.pick(forms)();
}

function sharedKey(draw: Draw, n: number): Pair {
  const field = `items${n}`;
  const each = (name: string): JsonMap[] => [
    configMap(`n${n}`, name, { a: 'b' }, { forEach: [{ x: `\${schema.spec.${field}}` }] }),
  ];
  const types = { [`Item${n}`]: { id: 'string | required=true', team: 'string | required=true' } };
  const mapped = { [field]: `[]Item${n} | required=true listType=map listMapKey=id` };
  const set = { [field]: '[]string | required=true uniqueItems=true' };
  const start = `k${n}-\${schema.metadata.name}-`;
  const forms: (() => Pair)[] = [
    () => byNodes(mapped, each(`${start}\${x.id}`), each(`${start}\${x.team}`), types),
    () => byNodes(set, each(`${start}\${x}`), each(`${start}\${x.lowerAscii()}`)),
    () => byNodes(set, each(`${start}\${x}`), each(`${start}\${x.size() > 6 ? x.substring(0, 6) : x}`)),
    () => byField(field, set[field] as string, '[]string | required=true', each(`${start}\${x}`)),
    () => byNodes(mapped, each(`${start}\${x.id}`), each(`${start}\${x.id.lowerAscii()}`), types),
  ];
  return draw.pick(forms)();
}

function port(draw: Draw, n: number): Pair {
  const field = `port${n}`;
  const at = `\${schema.spec.${field}}`;
  const clean = 'integer | required=true minimum=1 maximum=65535';
  const faulty = draw.pick([
    'integer | required=true minimum=1',
    'integer | required=true minimum=1 maximum=70000',
    'integer | required=true minimum=0 maximum=65535',
    'integer | default=8080',
  ]);
  const backend = { service: { name: 'web', port: { number: at } } };
  const rules = [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }];
  const other = `last${n}`;
  const policy = (last: string): JsonMap[] => [
    object(`n${n}`, 'networking.k8s.io/v1', 'NetworkPolicy', named(n), {
      podSelector: {},
      ingress: [{ ports: [{ protocol: 'TCP', port: at, endPort: last }] }],
    }),
  ];
  const forms: (() => Pair)[] = [
    () => byField(field, clean, faulty, [service(n, `s${n}`, [{ port: at }])]),
    () => byField(field, clean, faulty, [deployment(n, { ports: [{ containerPort: at }] })]),
    () => byField(field, clean, faulty, [deployment(n, { readinessProbe: { tcpSocket: { port: at } } })]),
    () => byField(field, clean, faulty, [object(`n${n}`, 'networking.k8s.io/v1', 'Ingress', named(n), { rules })]),
    () => {
      const sum = [service(n, `s${n}`, [{ port: `\${schema.spec.${field} + 1000}` }])];
      return byField(field, 'integer | required=true minimum=1 maximum=64000', clean, sum);
    },
    () => {
      const fields = {
        [field]: 'integer | required=true minimum=1 maximum=30000',
        [other]: 'integer | required=true minimum=1 maximum=30000',
      };
      return byNodes(
        fields,
        policy(`\${schema.spec.${field} + schema.spec.${other}}`),
        policy(`\${schema.spec.${other}}`),
      );
    },
  ];
  return draw.pick(forms)();
}

function quota(draw: Draw, n: number): Pair {
  const field = `size${n}`;
  const other = `most${n}`;
  const at = `\${schema.spec.${field}}`;
  const limited = 'integer | required=true minimum=1 maximum=50';
  const claim = (storage: string): JsonMap[] => [
    object(`n${n}`, 'v1', 'PersistentVolumeClaim', named(n), {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
    }),
  ];
  const resources = (limit: string): JsonMap[] => [
    deployment(n, { resources: { requests: { cpu: `\${string(schema.spec.${field})}m` }, limits: { cpu: limit } } }),
  ];
  const scaler = (most: string): JsonMap[] => [
    object(`n${n}`, 'autoscaling/v2', 'HorizontalPodAutoscaler', named(n), {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: at,
      maxReplicas: most,
    }),
  ];
  const both = { [field]: limited, [other]: limited };
  const forms: (() => Pair)[] = [
    () => byField(field, limited, 'integer | default=2', [deployment(n, {}, { replicas: at })]),
    () =>
      byField(field, 'string | required=true pattern="^[1-9][0-9]{0,2}m$"', 'string | default=100m', [
        deployment(n, { resources: { requests: { cpu: at } } }),
      ]),
    () =>
      byNodes(
        both,
        resources(`\${string(schema.spec.${field} + schema.spec.${other})}m`),
        resources(`\${string(schema.spec.${other})}m`),
      ),
    () => byNodes(both, scaler(`\${schema.spec.${field} + schema.spec.${other}}`), scaler(`\${schema.spec.${other}}`)),
    () => byField(field, limited, 'integer | default=1', claim(`\${string(schema.spec.${field})}Gi`)),
    () =>
      byField(field, limited, 'integer | default=1', [
        object(`n${n}`, 'v1', 'ResourceQuota', named(n), { hard: { pods: at } }),
      ]),
  ];
  return draw.pick(forms)();
}

function contagious(draw: Draw, n: number): Pair {
  const field = `on${n}`;
  const other = `also${n}`;
  const condition = { includeWhen: [`\${schema.spec.${field}}`] };
  const first = configMap(`a${n}`, `a${named(n)}`, { x: 'y' }, condition);
  const reader = (more: JsonMap): JsonMap => configMap(`n${n}`, `b${named(n)}`, { x: `\${a${n}.metadata.name}` }, more);
  const fields = { [field]: `boolean | default=${draw.pick(['true', 'false'])}`, [other]: 'boolean | default=true' };
  const also = { includeWhen: [`\${schema.spec.${other}}`] };
  const both = { includeWhen: [...condition.includeWhen, ...also.includeWhen] };
  const ofOther = draw.chance(40);
  return byNodes(fields, [first, reader(ofOther ? both : condition)], [first, reader(ofOther ? also : {})]);
}

function expression(draw: Draw, n: number): Pair {
  const field = `value${n}`;
  const at = `schema.spec.${field}`;
  const one = (value: string): JsonMap[] => [configMap(`n${n}`, named(n), { value: `\${${value}}` })];
  const forms: (() => Pair)[] = [
    () => byField(field, '[]string | required=true minItems=1', '[]string | required=true', one(`${at}[0]`)),
    () => byField(field, '[]string | required=true minItems=3', '[]string | required=true minItems=1', one(`${at}[2]`)),
    () =>
      byNodes(
        { [field]: 'map[string]string | default={}' },
        one(`"zone" in ${at} ? ${at}["zone"] : "x"`),
        one(`${at}["zone"]`),
      ),
    () => byField(field, 'integer | required=true minimum=1', 'integer | default=4', one(`string(100 / ${at})`)),
    () =>
      byField(
        field,
        'string | required=true pattern="^[0-9]{1,6}$"',
        'string | default=12',
        one(`string(int(${at}) + 1)`),
      ),
    () =>
      byField(
        field,
        'string | required=true pattern="^[a-z]+:[0-9]+$"',
        'string | default="a:1"',
        one(`${at}.split(":")[1]`),
      ),
  ];
  return draw.pick(forms)();
}

function refused(draw: Draw, n: number): Pair {
  const field = `kind${n}`;
  const at = `\${schema.spec.${field}}`;
  const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] } } };
  const forms: (() => Pair)[] = [
    () =>
      byField(field, 'string | required=true enum="ClusterIP,NodePort"', 'string | default=ClusterIP', [
        object(`n${n}`, 'v1', 'Service', `s${n}`, { type: at, ports: [{ port: 80 }] }),
      ]),
    () =>
      byField(field, 'string | required=true enum="@daily,@hourly"', 'string | default="@daily"', [
        object(`n${n}`, 'batch/v1', 'CronJob', `j${n}`, { schedule: at, jobTemplate: { spec: job } }),
      ]),
    () =>
      byNodes(
        { [field]: 'map[string]string | default={}' },
        [deployment(n, {}, {}, { app: 'web' })],
        [deployment(n, {}, {}, at)],
      ),
    () => {
      const ports = `\${schema.spec.${field}.map(p, {"name": "p" + string(p), "port": p})}`;
      return byField(
        field,
        '[]integer | required=true minItems=1 uniqueItems=true',
        '[]integer | required=true minItems=1',
        [service(n, `s${n}`, ports)],
      );
    },
    () =>
      byField(field, '[]integer | required=true minItems=1', '[]integer | required=true', [
        service(n, `s${n}`, `\${schema.spec.${field}.map(p, {"name": "p" + string(p), "port": p})}`),
      ]),
  ];
  return draw.pick(forms)();
}

const PLANTS: Readonly<Record<string, Plant>> = {
  unguarded,
  'too long': tooLong,
  'shared key': sharedKey,
  port,
  quota,
  contagious,
  expression,
  refused,
};

function rgdOf(parts: readonly Part[]): JsonMap {
  const fields = Object.assign({}, ...parts.map((part) => part.fields)) as JsonMap;
  const types = Object.assign({}, ...parts.map((part) => part.types ?? {})) as JsonMap;
  const schema: JsonMap = { apiVersion: 'v1', kind: 'Planted', spec: fields };
  if (Object.keys(types).length > 0) schema.types = types;
  const resources = parts.flatMap((part) => part.nodes);
  return {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'planted' },
    spec: { schema, resources },
  };
}

/** Returns an RGD with one fault among parts without any. */
export function plantedRgd(draw: Draw): Planted {
  const names = Object.keys(PLANTS);
  const fault = draw.pick(names);
  const around = draw.times(1, 5, (index) => (PLANTS[draw.pick(names)] as Plant)(draw, index + 1).clean);
  const { clean, faulty } = (PLANTS[fault] as Plant)(draw, 0);
  const at = draw.int(0, around.length);
  return {
    fault,
    node: 'n0',
    clean: rgdOf(around.toSpliced(at, 0, clean)),
    faulty: rgdOf(around.toSpliced(at, 0, faulty)),
  };
}
