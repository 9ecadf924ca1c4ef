import type { Doc, ExamplePackage } from './example-packages.ts';

/** An edited version of a package. */
export interface Edit {
  kind: 'scalar' | 'literal' | 'drop' | 'rename' | 'node' | 'identity';
  title: string;
  after: ExamplePackage;
}

const isRgd = ({ kind }: Doc): boolean => kind === 'ResourceGraphDefinition';

/** Reports whether an object is rendered: instances of the RGDs of the package, ResourceSets and their providers. */
function isRendered(doc: Doc, { objects, definitions }: ExamplePackage): boolean {
  const made = [...objects, ...definitions].filter(isRgd).map((rgd) => rgd.spec.schema.kind);
  return /^ResourceSet/.test(doc.kind) || made.includes(doc.kind);
}

type Path = readonly (string | number)[];

/** The paths of all numbers, strings and booleans in a value. */
function scalarPaths(value: Doc, path: Path = []): Path[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([key, one]) => scalarPaths(one, [...path, key]));
}

function otherScalar(value: Doc): Doc {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return /^\d/.test(value) ? value.replace(/^\d+/, (digits: string) => Number(digits) + 1) : `${value}x`;
}

const valueAt = (value: Doc, path: Path): Doc => path.reduce((at, key) => at[key], value);

function changedAt(value: Doc, path: Path): Doc {
  const changed = structuredClone(value);
  const holder = valueAt(changed, path.slice(0, -1));
  const last = path[path.length - 1] as string;
  holder[last] = otherScalar(holder[last]);
  return changed;
}

const withDocs = (whole: ExamplePackage, from: Doc, to: readonly Doc[]): ExamplePackage => {
  const swap = (docs: readonly Doc[]): Doc[] => docs.flatMap((doc) => (doc === from ? to : [doc]));
  return { ...whole, objects: swap(whole.objects), definitions: swap(whole.definitions) };
};

/** Returns every version with one small edit; not all of them render. */
export function editsOf(whole: ExamplePackage): Edit[] {
  const instances = whole.objects.filter((doc) => isRendered(doc, whole));
  const rgds = [...whole.objects, ...whole.definitions].filter(isRgd);
  return [...instances.flatMap((doc) => editsOfInstance(doc, whole)), ...rgds.flatMap((rgd) => editsOfRgd(rgd, whole))];
}

function editsOfInstance(doc: Doc, whole: ExamplePackage): Edit[] {
  const title = `${doc.kind} ${doc.metadata.name}`;
  const scalars = scalarPaths(doc.spec, ['spec']).map(
    (path): Edit => ({
      kind: 'scalar',
      title: `${title}: ${path.join('.')} changed`,
      after: withDocs(whole, doc, [changedAt(doc, path)]),
    }),
  );
  return [
    ...scalars,
    { kind: 'drop', title: `${title} dropped`, after: withDocs(whole, doc, []) },
    {
      kind: 'rename',
      title: `${title} renamed`,
      after: withDocs(whole, doc, [changedAt(doc, ['metadata', 'name'])]),
    },
  ];
}

function editsOfRgd(rgd: Doc, whole: ExamplePackage): Edit[] {
  const { resources } = rgd.spec;
  return resources.flatMap((node: Doc, index: number): Edit[] => {
    const title = `${rgd.metadata.name}: node ${node.id}`;
    const without = structuredClone(rgd);
    without.spec.resources.splice(index, 1);
    const template: Path = ['spec', 'resources', index, 'template'];
    const isLiteral = (path: Path): boolean => !String(valueAt(rgd, path)).includes('${');
    const literal = scalarPaths(node.template, template).filter(isLiteral).at(-1);
    const changed = (kind: Edit['kind'], path: Path | undefined): Edit[] => {
      if (path === undefined) return [];
      const after = withDocs(whole, rgd, [changedAt(rgd, path)]);
      return [{ kind, title: `${title}: ${path.slice(3).join('.')} changed`, after }];
    };
    return [
      ...changed('literal', literal),
      ...changed('identity', node.template && [...template, 'metadata', 'name']),
      { kind: 'node', title: `${title} dropped`, after: withDocs(whole, rgd, [without]) },
    ];
  });
}

/** The package with objects that hold data in every RGD. */
export function withClaims(whole: ExamplePackage): ExamplePackage {
  const claimed = (doc: Doc): Doc => {
    if (!isRgd(doc)) return doc;
    const copy = structuredClone(doc);
    copy.spec.resources.push(...holders());
    return copy;
  };
  return { ...whole, objects: whole.objects.map(claimed), definitions: whole.definitions.map(claimed) };
}

const claimSpec = () => ({ resources: { requests: { storage: '1Gi' } }, accessModes: ['ReadWriteOnce'] });
const holders = (): Doc[] => [
  {
    id: 'holdingClaim',
    template: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: '${schema.metadata.name}-holding' },
      spec: claimSpec(),
    },
  },
  {
    id: 'holdingSet',
    template: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: '${schema.metadata.name}-holding' },
      spec: {
        serviceName: 'holding',
        selector: { matchLabels: { app: 'holding' } },
        template: {
          metadata: { labels: { app: 'holding' } },
          spec: { containers: [{ name: 'holding', image: 'nginx:1.27' }] },
        },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec() }],
      },
    },
  },
];
