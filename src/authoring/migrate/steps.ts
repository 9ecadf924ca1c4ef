import tools from '../../../data/migration-tools.json';
import { counted } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf, titleOf } from '../../core/model/object.ts';
import { getAt, listOf, type Value } from '../../core/model/value.ts';
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

/** The field manager of kro for the objects of an instance (kro: pkg/controller/instance). */
const KRO_MANAGER = 'kro.run/applyset';
const FINALIZER = 'kro.run/finalizer';
const RECONCILE = 'kro.run/reconcile';
const SUSPENDED = `${RECONCILE}=suspended`;

/** What owns the fields of objects, and what a commit contains; `keep` is the annotation that prevents pruning. */
interface Traits {
  manager: string;
  keep?: string;
  pruneOff?: string;
  pruneOn?: string;
  apply: string;
}

const TRAITS: Readonly<Record<Migration['tool'], Traits>> = tools;

export function forwardSteps(given: Migration): Step[] {
  const { tool, render, observe, instances, own, rgds, owned } = given;
  const { keep, pruneOff, pruneOn, apply } = TRAITS[tool];
  const nested = nestedOf(given);
  const annotate = (each: readonly KubeObject[]) =>
    each.map((one) => `kubectl annotate --overwrite ${on(one)} ${SUSPENDED}`);
  const takeBack = [`render-rgd migrate with --back prints the steps`];
  const commitOf = (each: readonly KubeObject[], annotation: string) =>
    each.map((one) => `${annotation.replace('=', ': ')} as an annotation of ${titleOf(one)}`);
  const isGit = keep !== undefined;
  return steps(
    observe !== '' &&
      step('Keep the values that the package reads', 'Rendering needs them when no controller reads the cluster.', {
        run: [observe],
        commit: ['observed.yaml'],
        verify: [`${render} >/dev/null`],
      }),
    step(
      isGit ? 'Suspend kro, and switch pruning off' : 'Suspend kro',
      'kro leaves the objects of a suspended instance as they are, but still deletes them with the instance.',
      {
        commit: isGit ? [pruneOff ?? '', ...commitOf(own, SUSPENDED), ...commitOf([...own, ...rgds], keep)] : [],
        run: annotate(isGit ? nested : instances),
        verify: instances.map(
          (one) =>
            `kubectl get ${on(one)} -o jsonpath='{.metadata.annotations.kro\\.run/reconcile}' | grep -qx suspended`,
        ),
        back: isGit ? ['revert the commit', ...resume(nested)] : resume(instances),
      },
    ),
    step(
      'Apply the rendered objects',
      'They replace the labels of kro, and nothing else changes: look at the output of the first command below before. The instances stay in the cluster.',
      {
        commit: apply === '' ? [] : [apply],
        run: isGit ? [] : [`${render} | kubectl apply --server-side --force-conflicts -f -`],
        verify: [
          `${render} | kubectl diff --server-side --force-conflicts${isGit ? ` --field-manager=${TRAITS[tool].manager}` : ''} -f -`,
          ...own.map((one) => `kubectl get ${on(one)} -o name`),
        ],
        back: takeBack,
      },
    ),
    step(
      'Take the objects from kro',
      'An owner reference lets the garbage collector delete an object with its instance. A field that kro still owns stays when you remove it from Git; the second command gives up all fields of kro.',
      {
        run: [
          ...owned.flatMap(({ object, references }) => withoutOwner(object, references)),
          ...release(given, KRO_MANAGER),
        ],
        verify: [isReleased(given, KRO_MANAGER)],
        back: takeBack,
      },
    ),
    step(
      'Delete the instances',
      'The finalizer makes kro delete all objects of an instance. kro must not run meanwhile, because it adds the finalizer again. Outer instances come before nested ones. Start as many replicas as before.',
      {
        run: [
          'kubectl scale -n kro-system deployment/kro --replicas=0',
          'kubectl wait -n kro-system --for=delete pod -l app.kubernetes.io/name=kro',
          ...instances.flatMap((one) => [unfinalize(one), `kubectl delete ${on(one)}`]),
          'kubectl scale -n kro-system deployment/kro --replicas=1',
        ],
        verify: [`${render} | kubectl get -f - -o name`],
        back: takeBack,
      },
    ),
    pruneOn !== undefined &&
      step('Switch pruning on again', 'From now on, what leaves Git is deleted. The RGDs stay until you delete them.', {
        commit: [pruneOn],
        verify: [`${render} | kubectl get -f - -o name`],
        back: takeBack,
      }),
  );
}

export function backSteps(given: Migration): Step[] {
  const { tool, render, files, namespace, instances, own, rgds, taken } = given;
  // With -n, kubectl rejects objects that name another namespace.
  const isAlone = namespace !== '' && own.every((one) => namespaceOf(one) === namespace);
  const within = isAlone ? ` -n ${shellWord(namespace)}` : '';
  const { manager, pruneOff, pruneOn } = TRAITS[tool];
  const isGit = pruneOff !== undefined;
  const sources = [...rgds, ...own].map(titleOf).join(', ');
  // After a part of the steps to Git, instances are still there.
  const suspended = (isGit ? nestedOf(given) : instances).filter(
    (one) => getAt(one, ['metadata', 'annotations', RECONCILE]) !== undefined,
  );
  const owner = `{.metadata.managedFields[?(@.manager=="${KRO_MANAGER}")].manager}`;
  return steps(
    isGit &&
      step('Switch pruning off', 'The rendered objects leave Git, and must stay in the cluster.', {
        commit: [pruneOff],
      }),
    step(
      'Apply the RGDs and the instances',
      'kro must run. It applies over the objects of the same names, and owns them again. kubectl fails until kro has created the kinds; then repeat it.',
      {
        commit: isGit
          ? [`${sources} instead of the rendered objects, without the annotations kro.run/reconcile and of pruning`]
          : [],
        run: [
          ...(isGit ? [] : [`kubectl apply --server-side --force-conflicts${within} -R${files}`]),
          ...resume(suspended),
        ],
        verify: [
          ...own.map((one) => `kubectl wait --for=jsonpath='{.status.state}'=ACTIVE ${on(one)}`),
          ...(taken.length === 0 ? [] : [`${render} | kubectl wait --for=jsonpath='${owner}'=${KRO_MANAGER} -f -`]),
        ],
        back: ['render-rgd migrate without --back prints the steps'],
      },
    ),
    step(
      `Take the objects from ${tool}`,
      'Not before the step above is verified: fields that kro does not own are removed. Otherwise fields that you remove from an instance stay on its objects, and the tool may still track them.',
      { run: release(given, manager), verify: [isReleased(given, manager)] },
    ),
    pruneOn !== undefined &&
      step('Switch pruning on again', 'Only the RGDs and the instances are in Git.', { commit: [pruneOn] }),
  );
}

const steps = (...all: (Step | false)[]): Step[] => all.filter((one) => one !== false);

const step = (title: string, text: string, rest: Partial<Step>): Step => ({
  ...{ title, text, commit: [], run: [], verify: [], back: [] },
  ...rest,
});

function nestedOf({ instances, own }: Migration): KubeObject[] {
  const inGit = new Set(own.map(on));
  return instances.filter((one) => !inGit.has(on(one)));
}

const resume = (instances: readonly KubeObject[]): string[] =>
  instances.map((one) => `kubectl annotate ${on(one)} ${RECONCILE}-`);

function on(object: KubeObject): string {
  const { group, version, kind } = groupVersionKind(object);
  const within = namespaceOf(object) === '' ? '' : `-n ${shellWord(namespaceOf(object))} `;
  return `${within}${shellWord(group === '' ? kind : `${kind}.${version}.${group}`)} ${shellWord(nameOf(object))}`;
}

/** Removes owner references, each only if it still is at that index. */
function withoutOwner(object: KubeObject, references: Migration['owned'][number]['references']): string {
  const patch = [...references].reverse().flatMap(({ index, uid }): Value[] => [
    { op: 'test', path: `/metadata/ownerReferences/${index}/uid`, value: uid },
    { op: 'remove', path: `/metadata/ownerReferences/${index}` },
  ]);
  return `kubectl patch ${on(object)} --type=json -p ${shellWord(toJsonText(patch))}`;
}

/** Gives up all fields of a manager: fields that nobody else owns are removed. */
function release({ taken, hidden }: Migration, manager: string): string[] {
  const items = taken.map(({ apiVersion, kind, ...object }): Value => {
    const namespace = namespaceOf(object) === '' ? {} : { namespace: namespaceOf(object) };
    return { apiVersion, kind, metadata: { name: nameOf(object), ...namespace } };
  });
  const list = { apiVersion: 'v1', kind: 'List', items };
  const apply = `kubectl apply --server-side --validate=false --field-manager=${manager} -f - <<'END'\n${toJsonText(list, 1)}\nEND`;
  const others = `# and ${counted(hidden, 'object')} whose names may be values of Secrets, in the same way`;
  return [...(items.length === 0 ? [] : [apply]), ...(hidden === 0 ? [] : [others])];
}

/** Fails if a manager still owns fields, and if rendering or reading fails. */
const isReleased = ({ render }: Migration, manager: string): string =>
  `left=$(${render} | kubectl get -f - -o jsonpath='{..managedFields[?(@.manager=="${manager}")].manager}') && test -z "$left"`;

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
