import { equal } from '../../core/model/value.ts';
import type { Hole, Literal, Node, Place, Term } from './model.ts';
import { visitPatterns } from './model.ts';

/** The kinds that a field names, by its key or the key around it. */
const NAMED_KINDS: Readonly<Record<string, readonly string[]>> = {
  service: ['Service'],
  serviceName: ['Service'],
  backendRefs: ['Service'],
  serviceAccountName: ['ServiceAccount'],
  serviceAccountRef: ['ServiceAccount'],
  configMap: ['ConfigMap'],
  configMapRef: ['ConfigMap'],
  configMapKeyRef: ['ConfigMap'],
  persistentVolumeClaim: ['PersistentVolumeClaim'],
  claimName: ['PersistentVolumeClaim'],
  storageClassName: ['StorageClass'],
  ingressClassName: ['IngressClass'],
  priorityClassName: ['PriorityClass'],
  namespace: ['Namespace'],
};
/** Fields that name an object whose kind is beside its name. */
const WITH_KIND: readonly string[] = [
  'scaleTargetRef',
  'targetRef',
  'roleRef',
  'subjects',
  'sourceRef',
  'issuerRef',
  'backendRefs',
  'parentRefs',
];

/**
 * Writes the name of another object as a reference to its node, so that the graph has the order in which the objects
 * need each other. Only a node that is always there is read: what reads an omitted node is omitted too.
 */
export function referNodes(nodes: readonly Node[]): void {
  const targets = nodes.filter(({ list, condition }) => list === undefined && condition === undefined);
  const edges = new Map<string, Set<string>>();
  for (const node of nodes) {
    const kinds = kindsBeside(node);
    visitPatterns(node.pattern, (pattern, condition) => {
      if (condition !== undefined || (pattern.type !== 'hole' && pattern.type !== 'literal')) return;
      const wanted = wantedKinds(pattern.place, kinds);
      const target = targets.find(
        (one) => one !== node && wanted.includes(one.kind) && hasName(one, pattern) && !reaches(edges, one.id, node.id),
      );
      if (target === undefined) return;
      pattern.terms = [{ type: 'node', node: target.id }];
      edges.set(node.id, (edges.get(node.id) ?? new Set()).add(target.id));
    });
  }
}

/** Returns the kinds in references, by their place. */
function kindsBeside({ pattern: whole }: Node): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  visitPatterns(whole, (pattern, condition) => {
    if (condition !== undefined || pattern.type !== 'literal' || typeof pattern.value !== 'string') return;
    const { steps } = pattern.place;
    if (steps.at(-1) === 'kind') kinds.set(JSON.stringify(steps.slice(0, -1)), pattern.value);
  });
  return kinds;
}

function wantedKinds({ steps }: Place, kinds: ReadonlyMap<string, string>): readonly string[] {
  const key = steps.at(-1);
  if (typeof key !== 'string' || steps.includes('labels') || steps.includes('matchLabels')) return [];
  if (key !== 'name') return steps[0] === 'metadata' && key !== 'namespace' ? [] : own(key);
  const around = steps.slice(0, -1);
  const parent = around.findLast((step) => typeof step === 'string') ?? '';
  if (WITH_KIND.includes(parent)) {
    const kind = kinds.get(JSON.stringify(around));
    if (kind !== undefined) return [kind];
  }
  return steps.length > 2 ? own(parent) : [];
}

const own = (key: string): readonly string[] => (Object.hasOwn(NAMED_KINDS, key) ? (NAMED_KINDS[key] ?? []) : []);

/** Reports whether a value is the name of a node in all rows. */
function hasName({ pattern, rows }: Node, value: Hole | Literal): boolean {
  const name = namePattern(pattern);
  if (name === undefined) return false;
  if (name.type !== value.type) return equalTerms(name, value);
  if (name.type === 'literal') return value.type === 'literal' && name.value === value.value;
  if (value.type !== 'hole') return false;
  if (value.rows !== rows) return equalTerms(name, value);
  return value.cells.every((cell, row) => cell === undefined || equal(cell, name.cells[row]));
}

const equalTerms = (a: Hole | Literal, b: Hole | Literal): boolean => {
  const first: readonly Term[] = a.terms ?? [];
  const second: readonly Term[] = b.terms ?? [];
  return (
    first.length > 0 &&
    first.length === second.length &&
    first.every((term, index) => sameTerm(term, second[index] as Term))
  );
};

function sameTerm(a: Term, b: Term): boolean {
  if (a.type === 'text' && b.type === 'text') return a.text === b.text;
  if (a.type === 'field' && b.type === 'field') return a.field === b.field && a.converts === b.converts;
  return a.type === b.type && a.type !== 'text' && a.type !== 'field';
}

function namePattern(pattern: Node['pattern']): Hole | Literal | undefined {
  const metadata = pattern.entries.find(({ key }) => key === 'metadata')?.pattern;
  const name = metadata?.type === 'map' ? metadata.entries.find(({ key }) => key === 'name')?.pattern : undefined;
  return name?.type === 'hole' || name?.type === 'literal' ? name : undefined;
}

/** Reports whether a node reads another one, directly or through others. */
function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  if (from === to) return true;
  const seen = new Set([from]);
  for (const at of seen) {
    for (const next of edges.get(at) ?? []) {
      if (next === to) return true;
      seen.add(next);
    }
  }
  return false;
}
