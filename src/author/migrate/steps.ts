import table from '../../../data/migration.json';
import { counted } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf, titleOf } from '../../core/model/object.ts';
import { getAt, listOf, ownValue, type Value } from '../../core/model/value.ts';
import { shellWord } from '../../kubernetes/kubectl/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';

/** What applies the rendered objects. */
export const TOOLS = ['kubectl', 'argocd', 'flux'] as const;

/** One step of a plan. Commands are for a POSIX shell. */
export interface Step {
  title: string;
  text: string;
  /** What a commit of this step contains; then the tool applies it. */
  commit: readonly string[];
  run: readonly string[];
  verify: readonly string[];
  back: readonly string[];
}

export interface Migration {
  tool: (typeof TOOLS)[number];
  render: string;
  /** The command that keeps what the package reads of the cluster; '' if it reads nothing. */
  observe: string;
  /** The files with RGDs and instances, as arguments of kubectl. */
  files: string;
  /** The namespace of objects without one; '' for that of the context. */
  namespace: string;
  /** The live instances, nested ones after their outer ones. */
  instances: readonly KubeObject[];
  /** The instances in Git. */
  own: readonly KubeObject[];
  rgds: readonly KubeObject[];
  /** The rendered objects that exist. */
  taken: readonly KubeObject[];
  /** The number of others whose names may be values of Secrets. */
  hidden: number;
  owned: readonly { object: KubeObject; references: readonly { index: number; uid: string }[] }[];
}

/** A step of data/migration.json: `{name}` is a value, and `@list` before a line repeats it for the items of a list. */
interface Template extends Pick<Step, 'title' | 'text'> {
  /** `git` is for tools that apply a commit. */
  when?: string | undefined;
  commit?: readonly string[] | undefined;
  run?: readonly string[] | undefined;
  verify?: readonly string[] | undefined;
  back?: readonly string[] | undefined;
}

const FINALIZER = 'kro.run/finalizer';
const RECONCILE = 'kro.run/reconcile';

type Values = Readonly<Record<string, string>>;

/** Returns the steps from kro to rendered objects, or with `back` those to kro. */
export function stepsOf(given: Migration, back: boolean): Step[] {
  const values = valuesOf(given);
  const lists = listsOf(given);
  const fill = (line: string, item: Values = {}): string =>
    line.replace(/\{(\w+)\}/g, (whole, name: string) => ownValue(item, name) ?? ownValue(values, name) ?? whole);
  const linesOf = (lines: readonly string[] = []): string[] =>
    lines.flatMap((line) => {
      const [, list, repeated = ''] = /^@(\w+) ([\s\S]*)$/.exec(line) ?? [];
      return list === undefined ? fill(line) : (ownValue(lists, list) ?? []).map((item) => fill(repeated, item));
    });
  const isTrue = { git: given.tool !== 'kubectl', kubectl: given.tool === 'kubectl', observe: given.observe !== '' };
  const templates: readonly Template[] = back ? table.back : table.forward;
  return templates
    .filter(({ when }) => when === undefined || ownValue(isTrue, when as keyof typeof isTrue))
    .map(({ title, text, commit, run, verify, back }) => ({
      title: fill(title),
      text,
      commit: linesOf(commit),
      run: linesOf(run),
      verify: linesOf(verify),
      back: linesOf(back),
    }));
}

function valuesOf({ tool, render, observe, files, namespace, own, rgds, taken }: Migration): Values {
  // With -n, kubectl rejects objects that name another namespace.
  const isAlone = namespace !== '' && own.every((one) => namespaceOf(one) === namespace);
  const items = taken.map(({ apiVersion, kind, ...object }): Value => {
    const namespace = namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) };
    return { apiVersion, kind, metadata: { name: nameOf(object), ...namespace } };
  });
  return {
    ...table.tools[tool],
    tool,
    render,
    observe,
    files,
    within: isAlone ? ` -n ${shellWord(namespace)}` : '',
    sources: [...rgds, ...own].map(titleOf).join(', '),
    list: toJsonText({ apiVersion: 'v1', kind: 'List', items }, 1),
  };
}

function listsOf({ instances, own, rgds, taken, hidden, owned }: Migration): Readonly<Record<string, Values[]>> {
  const named = (objects: readonly KubeObject[]) => objects.map((one) => ({ on: on(one), title: titleOf(one) }));
  const inGit = new Set(own.map(on));
  const nested = instances.filter((one) => !inGit.has(on(one)));
  // After a part of the steps to Git, instances are still there.
  const isSuspended = (one: KubeObject): boolean => getAt(one, ['metadata', 'annotations', RECONCILE]) !== undefined;
  return {
    own: named(own),
    written: named([...own, ...rgds]),
    instances: named(instances),
    nested: named(nested),
    suspended: named(instances.filter(isSuspended)),
    nestedSuspended: named(nested.filter(isSuspended)),
    owned: owned.map(({ object, references }) => ({ on: on(object), patch: withoutOwner(references) })),
    deletions: instances.flatMap((one) => [{ it: unfinalize(one) }, { it: `kubectl delete ${on(one)}` }]),
    taken: taken.length === 0 ? [] : [{}],
    hidden: hidden === 0 ? [] : [{ it: counted(hidden, 'object') }],
  };
}

function on(object: KubeObject): string {
  const { group, version, kind } = groupVersionKind(object);
  const within = namespaceOf(object) === '' ? '' : `-n ${shellWord(namespaceOf(object))} `;
  return `${within}${shellWord(group === '' ? kind : `${kind}.${version}.${group}`)} ${shellWord(nameOf(object))}`;
}

/** Removes owner references, each only if it still is at that index. */
const withoutOwner = (references: Migration['owned'][number]['references']): string => {
  const patch = [...references].reverse().flatMap(({ index, uid }): Value[] => [
    { op: 'test', path: `/metadata/ownerReferences/${index}/uid`, value: uid },
    { op: 'remove', path: `/metadata/ownerReferences/${index}` },
  ]);
  return shellWord(toJsonText(patch));
};

function unfinalize(instance: KubeObject): string {
  const finalizers = getAt(instance, ['metadata', 'finalizers']);
  const others = listOf(finalizers).filter((one) => one !== FINALIZER);
  const patch = { metadata: { finalizers: others.length === 0 ? null : others } };
  return `kubectl patch ${on(instance)} --type=merge -p ${shellWord(toJsonText(patch))}`;
}

export const planText = (steps: readonly Step[]): string =>
  steps
    .map(({ title, text, commit, run, verify, back }, index) => {
      const parts = [
        `## ${index + 1}. ${title}\n\n${text}\n`,
        commit.length === 0 ? '' : `Commit:\n\n${commit.map((one) => `- ${one}\n`).join('')}`,
        code('Run:', run),
        code('Verify: each command succeeds.', verify),
        back.length === 0
          ? ''
          : back.some((one) => one.startsWith('kubectl'))
            ? code('Go back:', back.map(asComment))
            : `Go back: ${back.join('; ')}.\n`,
      ];
      return parts.filter((one) => one !== '').join('\n');
    })
    .join('\n');

const asComment = (line: string): string => (line.startsWith('kubectl') ? line : `# ${line}`);
const code = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n\n\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`;
