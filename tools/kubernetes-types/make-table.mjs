// Turns the dump of this folder's Go program (stdin) into data/kubernetes.json (stdout).
// README.md describes the notation; src/kubernetes/schema/builtin.ts reads it.
import { readFileSync } from 'node:fs';
import { encode, shortName } from './notation.mjs';

const { kubernetes, kinds, definitions } = JSON.parse(readFileSync(0, 'utf8'));
const lines = new Map();
for (const { definition } of kinds) encodeDefinition(definition);
const table = {
  version: kubernetes,
  kinds: kinds.map(kindLine).join('\n'),
  definitions: [...lines.values()].sort().join('\n'),
};
process.stdout.write(`${JSON.stringify(table, undefined, 1)}\n`);

function kindLine({ group, version, kind, namespaced, definition }) {
  return [group || '-', version, kind, namespaced ? 'N' : 'C', shortName(definition)].join(' ');
}

function encodeDefinition(name) {
  if (lines.has(name)) return;
  if (definitions[name] === undefined) throw new Error(`no definition ${name}`);
  lines.set(name, '');
  const line = `${shortName(name)} ${JSON.stringify(encode(definitions[name], encodeDefinition))}`;
  if (/[`\\]|\$\{/.test(line)) throw new Error(`the definition ${name} does not fit into a template literal`);
  lines.set(name, line);
}
