#!/usr/bin/env node
// Writes data/controller-kinds.json: the schemas of the kinds of Argo CD, Flux and the Flux operator, from their CRDs.
//
//   node make-table.mjs > ../../data/controller-kinds.json
//
// Needs Go: the CRDs of Flux are generated from its API types, the others are files of their modules. README.md
// describes the table.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const FLUX = [
  'helm-controller/api',
  'image-automation-controller/api',
  'image-reflector-controller/api',
  'kustomize-controller/api',
  'notification-controller/api',
  'source-controller/api',
  'source-watcher/api/v2',
];

/** Modules with CRDs as files, and the kinds of them that people write. */
const MODULES = [
  { path: 'github.com/argoproj/argo-cd/v3', version: 'v3.6.1', folder: 'manifests/crds' },
  { path: 'github.com/controlplaneio-fluxcd/flux-operator', version: 'v0.58.0', folder: 'config/crd/bases' },
];

const go = (...args) =>
  execFileSync('go', args, {
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'auto' },
    cwd: import.meta.dirname,
  });

/** Schemas shorter than this stay where they are. */
const SHORT = 60;

/** Schemas that occur more than once, in the order of their first use. */
const shared = [];
const counts = new Map();
const numbers = new Map();

const kinds = [...fluxCrds(), ...MODULES.flatMap(crdsOf)].flatMap(versionsOf);
for (const { schema } of kinds) count(schema);
const versions = [...fluxVersions(), ...MODULES.map(({ path, version }) => [path, version])].sort();
kinds.sort((a, b) => (a.name < b.name ? -1 : 1));
// A text is only parsed when a kind is asked for.
const table = JSON.stringify({ kinds: kinds.map((one) => ({ ...one, schema: written(one.schema) })), shared });
process.stdout.write(`${JSON.stringify({ versions: Object.fromEntries(versions), table }, null, 2)}\n`);

function fluxVersions() {
  const versions = go('list', '-m', '-f', '{{.Path}} {{.Version}}', 'all').split('\n');
  const modules = FLUX.map((name) => `github.com/fluxcd/${name}`);
  return versions.map((line) => line.split(' ')).filter(([path]) => modules.includes(path));
}

function fluxCrds() {
  const folder = mkdtempSync(join(tmpdir(), 'controller-crds-'));
  const paths = FLUX.map((name) => `paths=github.com/fluxcd/${name}/...`);
  go(
    'run',
    'sigs.k8s.io/controller-tools/cmd/controller-gen',
    'crd:maxDescLen=0',
    ...paths,
    `output:crd:dir=${folder}`,
  );
  const crds = filesIn(folder);
  rmSync(folder, { recursive: true });
  return crds;
}

function crdsOf({ path, version, folder }) {
  const { Dir } = JSON.parse(go('mod', 'download', '-json', `${path}@${version}`));
  return filesIn(join(Dir, folder));
}

function filesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => parse(readFileSync(join(folder, name), 'utf8')))
    .filter(({ kind }) => kind === 'CustomResourceDefinition');
}

function versionsOf({ spec: { group, names, scope, versions } }) {
  return versions
    .filter(({ served }) => served)
    .map(({ name, schema }) => ({
      name: `${names.kind}.${name}.${group}`,
      namespaced: scope === 'Namespaced',
      schema: withoutTexts(withoutStatus(schema.openAPIV3Schema)),
    }));
}

/** An API server ignores the status of an applied object, and has its own schema of these fields. */
function withoutStatus(schema) {
  const { status: _, apiVersion: __, kind: ___, metadata: ____, ...properties } = schema.properties;
  const required = (schema.required ?? []).filter((name) => Object.hasOwn(properties, name));
  return { ...schema, properties, ...(required.length > 0 ? { required } : { required: undefined }) };
}

/** Returns a schema without descriptions. A property may have that name. */
function withoutTexts(schema) {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => value !== undefined && key !== 'description');
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === 'properties'
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutTexts(one)]))
        : key === 'default' || key === 'enum' || key === 'x-kubernetes-validations'
          ? value
          : withoutTexts(value),
    ]),
  );
}

function keyOf(schema) {
  const text = JSON.stringify(schema);
  return text.length < SHORT ? undefined : createHash('sha256').update(text).digest('base64');
}

function partsOf(schema) {
  const below = [...Object.values(schema.properties ?? {})];
  if (schema.items) below.push(schema.items);
  if (typeof schema.additionalProperties === 'object') below.push(schema.additionalProperties);
  return below;
}

/** Counts the uses of each schema; what is in a repeated one is counted once. */
function count(schema) {
  const key = keyOf(schema);
  if (key === undefined) return;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  if (counts.get(key) === 1) for (const part of partsOf(schema)) count(part);
}

/** Returns a schema in which repeated parts are references to `shared`. */
function written(schema) {
  const key = keyOf(schema);
  if (key !== undefined && counts.get(key) > 1) {
    if (!numbers.has(key)) {
      numbers.set(key, shared.length);
      shared.push(undefined);
      shared[numbers.get(key)] = inner(schema);
    }
    return { $ref: String(numbers.get(key)) };
  }
  return inner(schema);
}

function inner(schema) {
  const { properties, items, additionalProperties, ...own } = schema;
  if (properties) {
    own.properties = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, written(one)]));
  }
  if (items) own.items = written(items);
  if (additionalProperties !== undefined) {
    own.additionalProperties =
      typeof additionalProperties === 'object' ? written(additionalProperties) : additionalProperties;
  }
  return own;
}
