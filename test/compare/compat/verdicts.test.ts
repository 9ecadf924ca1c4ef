/** Every change that a verdict may name has a case here, with the level that it gives the RGD. */
import { describe, expect, it } from 'vitest';
import { NOT_COVERED } from '../../../src/compare/compat/covered.ts';
import { EFFECTS, LEVELS, type Level } from '../../../src/compare/compat/effects.ts';
import { CHANGE_NAMES, comparePackages, compareSchemas, type Verdict } from '../../../src/compare/compat/index.ts';
import { type KroAnswer, RGD_CHANGES, verdictOf } from '../../../src/compare/compat/verdict.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { RenderInput } from '../../../src/core/model/render.ts';
import { kro } from '../../../src/kro/front-end.ts';
import type { Schema } from '../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { compilePackage } from '../../../src/render/pipeline.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

interface Version {
  name?: string;
  kind?: string;
  /** Further parts of the schema. */
  schema?: string;
  spec?: string;
  nodes?: string;
}

const CONFIG_MAP = (name: string, data: string): string =>
  `{ id: conf, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "${name}" }, data: { ${data} } } }`;
const CLAIM = (storageClass: string): string =>
  `{ id: claim, template: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: "\${schema.metadata.name}" }, spec: { accessModes: [ReadWriteOnce], storageClassName: ${storageClass}, resources: { requests: { storage: 1Gi } } } } }`;
const DEPLOYMENT = (label: string): string =>
  `{ id: web, template: { apiVersion: apps/v1, kind: Deployment, metadata: { name: "\${schema.metadata.name}" }, spec: { selector: { matchLabels: { app: ${label} } }, template: { metadata: { labels: { app: ${label} } }, spec: { containers: [{ name: main, image: nginx }] } } } } }`;
const OWN = '${schema.metadata.name}';
const NAMESPACE = `{ id: space, template: { apiVersion: v1, kind: Namespace, metadata: { name: "${OWN}" } } }`;
const PLAIN = CONFIG_MAP(OWN, 'a: b');
const WAITING = `${PLAIN}, { id: late, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "l-\${conf.metadata.uid}" } } }`;

const rgd = ({ name = 'site', kind = 'Site', schema = '', spec = 'size: integer', nodes = PLAIN }: Version): string =>
  `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: ${name} }
spec:
  schema: { apiVersion: v1, kind: ${kind}, ${schema} spec: { ${spec} } }
  resources: [${nodes}]
`;

const INSTANCE = `---
apiVersion: kro.run/v1
kind: Site
metadata: { name: one, namespace: default }
spec: { size: 3 }
`;

const read = (text: string): RenderInput => ({
  objects: readStreams([{ file: 'package.yaml', text }], new Collector()),
});

/** Returns the verdict about the RGD, or about the only one that is there. */
function verdictAbout(before: string, after: string): Verdict {
  const options = { ...defaultRenderOptions, conservative: false };
  const [verdict] = comparePackages(read(before), read(after), [], options).verdicts();
  if (verdict === undefined) throw new Error('no verdict');
  return verdict;
}

type Row = readonly [change: string, level: Level, answer: KroAnswer, before: string, after: string];

/** Changes of RGDs, of which instances or the RGD itself show something. */
const OF_RGDS: readonly Row[] = [
  ['kind-removed', 'major', 'refuses', rgd({}), rgd({ name: 'other', kind: 'Other' })],
  ['kind-changed', 'major', 'refuses', rgd({}), rgd({ kind: 'Page' })],
  ['group-changed', 'major', 'refuses', rgd({}), rgd({ schema: 'group: example.com,' })],
  ['name-changed', 'major', 'refuses', rgd({}), rgd({ name: 'page' })],
  [
    'version-changed',
    'major',
    'refuses',
    rgd({}),
    rgd({}).replace('apiVersion: v1, kind: Site', 'apiVersion: v2, kind: Site'),
  ],
  ['plural-changed', 'major', 'refuses', rgd({}), rgd({ schema: 'plural: sitez,' })],
  [
    'scope-changed',
    'major',
    'refuses',
    rgd({ nodes: NAMESPACE }),
    rgd({ schema: 'scope: Cluster,', nodes: NAMESPACE }),
  ],
  [
    'printer-columns-changed',
    'patch',
    'accepts',
    rgd({}),
    rgd({ schema: 'additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }],' }),
  ],
  ['short-names-changed', 'patch', 'accepts', rgd({}), rgd({ schema: 'shortNames: [st],' })],
  ['categories-changed', 'patch', 'accepts', rgd({}), rgd({ schema: 'categories: [all],' })],
  ['crd-metadata-changed', 'patch', 'ignores', rgd({}), rgd({ schema: 'metadata: { labels: { a: b } },' })],
  ['kind-added', 'minor', 'not-asked', INSTANCE, rgd({})],
  ['not-compared', 'unknown', 'not-asked', rgd({}), rgd({ nodes: CONFIG_MAP('${schema.spec.none}', 'a: b') })],
  [
    'nothing-compared',
    'unknown',
    'accepts',
    rgd({ nodes: CONFIG_MAP('UPPER', 'a: b') }),
    rgd({ nodes: CONFIG_MAP('UPPER', 'a: c') }),
  ],
  ['definition-changed', 'patch', 'accepts', rgd({}), rgd({}).replace('name: site', 'name: site, labels: { a: b }')],
  ['instance-rejected', 'major', 'refuses', rgd({}) + INSTANCE, rgd({ spec: 'size: integer | maximum=2' }) + INSTANCE],
  [
    'instance-not-rendered',
    'major',
    'accepts',
    rgd({}) + INSTANCE,
    rgd({ nodes: CONFIG_MAP(OWN, 'a: "${string(1 / (schema.spec.size - 3))}"') }) + INSTANCE,
  ],
  ['node-not-compared', 'unknown', 'accepts', rgd({}) + INSTANCE, rgd({ nodes: WAITING }) + INSTANCE],
  ['object-lost', 'major', 'accepts', rgd({ nodes: `${PLAIN}, ${CLAIM('slow')}` }), rgd({})],
  ['object-recreated', 'major', 'accepts', rgd({ nodes: DEPLOYMENT('a') }), rgd({ nodes: DEPLOYMENT('b') })],
  ['object-removed', 'major', 'accepts', rgd({ nodes: `${PLAIN}, ${DEPLOYMENT('a')}` }), rgd({})],
  ['object-replaced', 'major', 'accepts', rgd({}), rgd({ nodes: CONFIG_MAP(`x-${OWN}`, 'a: b') })],
  ['object-changed', 'minor', 'accepts', rgd({}), rgd({ nodes: CONFIG_MAP(OWN, 'a: c') })],
  ['object-added', 'minor', 'accepts', rgd({}), rgd({ nodes: `${PLAIN}, ${DEPLOYMENT('a')}` })],
];

const TEXT: Schema = { type: 'string' };
const NUMBER: Schema = { type: 'integer' };
const LIST: Schema = { type: 'array', items: TEXT };
const MAP: Schema = { type: 'object', additionalProperties: TEXT };
const OPEN: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const rule = (text: string): Schema => ({ ...TEXT, 'x-kubernetes-validations': [{ rule: text }] });

type SchemaRow = readonly [change: string, level: Level, before: Schema, after: Schema];

/** The four changes of a bound: it excludes small values if it is a lower one. */
const ofBound = (name: string, key: keyof Schema, schema: Schema, isLower: boolean): SchemaRow[] => {
  const low: Schema = { ...schema, [key]: 1n };
  const high: Schema = { ...schema, [key]: 2n };
  return [
    [`${name}-added`, 'major', schema, low],
    [`${name}-removed`, 'minor', low, schema],
    [`${name}-increased`, isLower ? 'major' : 'minor', low, high],
    [`${name}-decreased`, isLower ? 'minor' : 'major', high, low],
  ];
};

/** Changes of a field of a schema. */
const OF_SCHEMAS: readonly SchemaRow[] = [
  ['description-changed', 'patch', TEXT, { ...TEXT, description: 'words' }],
  ['default-changed', 'patch', TEXT, { ...TEXT, default: 'a' }],
  ['type-changed', 'major', TEXT, NUMBER],
  ['property-removed', 'major', object({ a: TEXT }), object({})],
  ['property-added', 'minor', object({}), object({ a: TEXT })],
  ['required-property-added', 'major', object({}), object({ a: TEXT }, 'a')],
  ['required-added', 'major', object({ a: TEXT }), object({ a: TEXT }, 'a')],
  ['required-removed', 'minor', object({ a: TEXT }, 'a'), object({ a: TEXT })],
  ['required-default-removed', 'major', object({ a: { ...TEXT, default: 'x' } }, 'a'), object({ a: TEXT }, 'a')],
  ['enum-added', 'major', TEXT, { ...TEXT, enum: ['a'] }],
  ['enum-removed', 'minor', { ...TEXT, enum: ['a'] }, TEXT],
  ['enum-restricted', 'major', { ...TEXT, enum: ['a', 'b'] }, { ...TEXT, enum: ['a'] }],
  ['enum-expanded', 'minor', { ...TEXT, enum: ['a'] }, { ...TEXT, enum: ['a', 'b'] }],
  ['nullable-removed', 'major', { ...TEXT, nullable: true }, TEXT],
  ['nullable-added', 'minor', TEXT, { ...TEXT, nullable: true }],
  ['unknown-fields-pruned', 'major', OPEN, { type: 'object' }],
  ['unknown-fields-kept', 'minor', { type: 'object' }, OPEN],
  ['values-removed', 'major', MAP, { type: 'object' }],
  ['values-added', 'minor', { type: 'object' }, MAP],
  ['rule-added', 'major', TEXT, rule('self != "x"')],
  ['rule-removed', 'minor', rule('self != "x"'), TEXT],
  ['list-type-changed', 'major', LIST, { ...LIST, 'x-kubernetes-list-type': 'set' }],
  ['list-map-keys-changed', 'major', LIST, { ...LIST, 'x-kubernetes-list-map-keys': ['a'] }],
  ['map-type-changed', 'major', MAP, { ...MAP, 'x-kubernetes-map-type': 'atomic' }],
  ['pattern-added', 'major', TEXT, { ...TEXT, pattern: 'a' }],
  ['pattern-changed', 'major', { ...TEXT, pattern: 'a' }, { ...TEXT, pattern: 'b' }],
  ['pattern-removed', 'minor', { ...TEXT, pattern: 'a' }, TEXT],
  ['format-added', 'major', TEXT, { ...TEXT, format: 'date' }],
  ['format-changed', 'major', { ...TEXT, format: 'date' }, { ...TEXT, format: 'uri' }],
  ['format-removed', 'minor', { ...TEXT, format: 'date' }, TEXT],
  ...ofBound('minimum', 'minimum', NUMBER, true),
  ...ofBound('maximum', 'maximum', NUMBER, false),
  ...ofBound('min-length', 'minLength', TEXT, true),
  ...ofBound('max-length', 'maxLength', TEXT, false),
  ...ofBound('min-items', 'minItems', LIST, true),
  ...ofBound('max-items', 'maxItems', LIST, false),
  ['multiple-of-changed', 'major', NUMBER, { ...NUMBER, multipleOf: 2n }],
  ['unique-items-changed', 'major', LIST, { ...LIST, uniqueItems: true }],
  ['min-properties-changed', 'major', MAP, { ...MAP, minProperties: 1n }],
  ['max-properties-changed', 'major', MAP, { ...MAP, maxProperties: 1n }],
  ['exclusive-minimum-changed', 'major', NUMBER, { ...NUMBER, exclusiveMinimum: true }],
  ['exclusive-maximum-changed', 'major', NUMBER, { ...NUMBER, exclusiveMaximum: true }],
  ['all-of-changed', 'major', TEXT, { ...TEXT, allOf: [{ minLength: 1n }] }],
  ['any-of-changed', 'major', TEXT, { ...TEXT, anyOf: [{ minLength: 1n }] }],
  ['one-of-changed', 'major', TEXT, { ...TEXT, oneOf: [{ minLength: 1n }] }],
  ['not-changed', 'major', TEXT, { ...TEXT, not: { minLength: 1n } }],
  ['int-or-string-changed', 'major', {}, { 'x-kubernetes-int-or-string': true }],
  ['embedded-resource-changed', 'major', OPEN, { ...OPEN, 'x-kubernetes-embedded-resource': true }],
];

/** Returns the verdict about an RGD of which only the schema of a field changes. */
function verdictAboutField(before: Schema, after: Schema): Verdict {
  const { compiled } = compilePackage(read(rgd({})), defaultRenderOptions);
  const [graph] = compiled?.of(kro)?.graphs.values() ?? [];
  if (graph === undefined) throw new Error('the RGD does not compile');
  const update = {
    checks: '0.9' as const,
    changes: compareSchemas(object({ field: before }), object({ field: after }), '0.9'),
    others: [],
    isAllowed: false,
    isAlwaysWritten: false,
    isWritten: false,
  };
  return verdictOf({
    before: graph,
    after: graph,
    identity: [],
    update,
    examined: [],
    isCut: false,
    covered: NOT_COVERED,
  });
}

const namesOf = ({ changes }: Verdict): string[] => changes.map(({ change }) => change);

describe('a verdict', () => {
  it.each(OF_RGDS)('names %s, which is %s and kro %s', (change, level, answer, before, after) => {
    const verdict = verdictAbout(before, after);
    const named = verdict.changes.find((one) => one.change === change);
    expect(named?.level, namesOf(verdict).join(', ')).toBe(level);
    expect(verdict.kro).toBe(answer);
    expect(named?.what).not.toBe('');
    expect(named?.advice).not.toBe('');
  });

  it.each(OF_SCHEMAS)('names %s of a field, which is %s', (change, level, before, after) => {
    const verdict = verdictAboutField(before, after);
    expect(verdict.changes.find((one) => one.change === change)?.level, namesOf(verdict).join(', ')).toBe(level);
    expect(LEVELS.indexOf(verdict.level)).toBeGreaterThanOrEqual(LEVELS.indexOf(level));
  });

  it('has a case for every change that it may name', () => {
    const tested = [...OF_RGDS, ...OF_SCHEMAS].map(([change]) => change);
    expect([...new Set(tested)].sort()).toEqual([...new Set([...CHANGE_NAMES, ...EFFECTS, ...RGD_CHANGES])].sort());
  });

  it('has a case for every level, and for every answer of kro', () => {
    const levels = new Set([...OF_RGDS.map(([, level]) => level), ...OF_SCHEMAS.map(([, level]) => level)]);
    expect([...levels, verdictAbout(rgd({}), rgd({})).level].sort()).toEqual([...LEVELS].sort());
    const answers: Record<KroAnswer, true> = { accepts: true, refuses: true, ignores: true, 'not-asked': true };
    expect([...new Set(OF_RGDS.map(([, , answer]) => answer))].sort()).toEqual(Object.keys(answers).sort());
  });
});
