// Turns the OpenAPI document of Kubernetes (stdin) into data/kubernetes-descriptions.json (stdout): the first sentence
// about each field, one line each, below the name of its type.
import { readFileSync } from 'node:fs';

const { definitions } = JSON.parse(readFileSync(0, 'utf8'));
const short = (name) => name.replace(/^io\.k8s\./, '');
const refOf = ({ $ref, items, additionalProperties }) =>
  $ref ?? items?.$ref ?? (typeof additionalProperties === 'object' ? additionalProperties.$ref : undefined);
const sentence = (text = '') =>
  text
    .replace(/\s+/g, ' ')
    .split(/(?<=\.) /)[0]
    .slice(0, 300);

const lines = Object.entries(definitions).flatMap(
  ([name, { properties, 'x-kubernetes-group-version-kind': kinds = [] }]) => {
    if (properties === undefined) return [];
    const own = kinds.map(({ group, version, kind }) => `${group === '' ? version : `${group}/${version}`}/${kind}`);
    const fields = Object.entries(properties).map(([field, schema]) => {
      const ref = refOf(schema)?.split('/').at(-1);
      return `\t${field}\t${ref === undefined ? '' : short(ref)}\t${sentence(schema.description)}`;
    });
    return [[short(name), ...own].join(' '), ...fields];
  },
);
console.log(JSON.stringify({ text: lines.join('\n') }));
