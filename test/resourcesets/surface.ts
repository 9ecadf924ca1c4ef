import type { GeneratedSet } from './random.ts';
import recorded from './surface.json';

/** What a user of ResourceSets can write, as the Flux operator's CRDs and slim-sprig declare it. */
export interface Surface {
  fields: Readonly<Record<string, readonly string[]>>;
  functions: readonly string[];
  providers: readonly string[];
}

/** Recorded by `npm run resourcesets -- --record`; without it, `npm run resourcesets` compares it. */
export const RECORDED = 'test/resourcesets/surface.json';
export const surface: Surface = recorded;

export const fluxFunctions = surface.functions;

/** What the generator draws besides: positions and characters at which readers of YAML differ. */
const SHAPES: Readonly<Record<string, (text: string) => boolean>> = {
  'U+0085 in a set': (text) => text.includes('\u0085'),
  'a control character in a set': (text) => /[\u007f\uffff]/.test(text),
  'U+2028 in a set': (text) => text.includes('\u2028'),
  'a cut character': (text) => /trunc 1|substr 0 2/.test(text),
  'a directive %YAML': (text) => text.includes('%YAML'),
  'a name in several groups': (text) => text.includes('sea.example/v1') && text.includes('lake.example/v1'),
  'two versions of a group': (text) => text.includes('lake.example/v1') && text.includes('lake.example/v2'),
  'a disabled object': (text) => text.includes('fluxcd.controlplane.io/reconcile'),
  'documents in a loop': (text) => /<<- range [^>]*>>\\n---/.test(text),
  'a document without an object': (text) => /---\\n(?:---|# nothing|null\\n)|<< if false >>/.test(text),
  'a kind without a namespace': (text) => /"kind":"(?:Namespace|ClusterRole)"/.test(text),
  'a computed kind': (text) => text.includes('"kind":"<<'),
  'a computed apiVersion': (text) => text.includes('"apiVersion":"<<'),
  'a computed namespace': (text) => text.includes('"namespace":"<<'),
  'values in values': (text) => /inputs\.deep\./.test(text),
};

/** Returns how often each row is drawn: each field, provider, function of templates, and shape. */
export function coverageOf(samples: readonly GeneratedSet[]): Map<string, number> {
  const rows = new Map<string, number>();
  for (const [kind, fields] of Object.entries(surface.fields))
    for (const field of fields) rows.set(`${kind} ${field}`, 0);
  for (const type of surface.providers) rows.set(`provider ${type}`, 0);
  for (const name of surface.functions) rows.set(`function ${name}`, 0);
  for (const shape of Object.keys(SHAPES)) rows.set(shape, 0);
  for (const { set, providers } of samples) {
    const text = JSON.stringify(set);
    const found = new Set([
      ...fieldsIn(set.spec, 'spec').map((field) => `ResourceSet ${field}`),
      ...providers.flatMap((one) => fieldsIn(one.spec, 'spec').map((field) => `ResourceSetInputProvider ${field}`)),
      ...providers.map(({ spec }) => `provider ${(spec as { type?: unknown }).type}`),
      ...functionsIn(set.spec).map((name) => `function ${name}`),
      ...Object.entries(SHAPES).flatMap(([shape, holds]) => (holds(text) ? [shape] : [])),
    ]);
    for (const row of found) {
      const count = rows.get(row);
      if (count !== undefined) rows.set(row, count + 1);
    }
  }
  return rows;
}

function fieldsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [`${path}.${key}`, ...fieldsIn(item, `${path}.${key}`)]);
}

/** The names in actions, without texts, fields and variables. */
function functionsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(functionsIn);
  if (typeof value !== 'string') return [];
  return [...value.matchAll(/<<(.*?)>>/gs)].flatMap(([, inside = '']) => {
    const bare = inside.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)*'/g, ' ');
    return bare.match(/(?<![.$\w])[A-Za-z_]\w*/g) ?? [];
  });
}
