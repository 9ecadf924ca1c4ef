// One table for every home, so longer than a file usually is.
import { defaultRenderOptions, type RenderOptions } from '../model/render.ts';

/** Everything a person can ask for: what the core needs and what only the shells need. */
export interface Settings extends RenderOptions {
  definitions: readonly string[];
  observed: readonly string[];
  /** A path; '' for the inputs that ResourceSets hold. */
  inputsFrom: string;
  /** A path; '' for the built-in Kubernetes types. */
  openapi: string;
  acceptPrune: boolean;
  allowEmpty: boolean;
  all: boolean;
  exclude: readonly string[];
  build: 'none' | 'auto' | 'kustomize' | 'helm';
  /** '' for the name of the Application. */
  releaseName: string;
  values: readonly string[];
  allowDir: readonly string[];
  allowRemote: boolean;
  kubectl: boolean;
  from: readonly string[];
  /** A path; '' for standard output. */
  write: string;
  allowSecrets: boolean;
  /** A commit of git; '' for two versions that are both named. */
  against: string;
  exitCode: boolean;
  /** A folder; '' for standard output. */
  outputDir: string;
  /** '' for the usual one. */
  layout: string;
  force: boolean;
  check: boolean;
  crds: boolean;
  /** Names of RGDs; none for all. */
  rgd: readonly string[];
  /** `KIND/NAME` or `KIND/NAMESPACE/NAME`; '' for none. */
  instance: string;
  output: 'yaml' | 'json' | 'text' | 'markdown' | 'mermaid' | 'dot' | 'svg';
  diagnostics: 'text' | 'json';
  quiet: boolean;
  verbose: boolean;
  /** `FORMAT` or `FORMAT=FILE`. */
  report: readonly string[];
  failOn: 'error' | 'warning';
  watch: boolean;
  /** Codes of lints. */
  disable: readonly string[];
  update: boolean;
  coverage: boolean;
  /** `FORMAT=FILE`. */
  coverageReport: readonly string[];
  conservative: boolean;
  instances: readonly string[];
}

/**
 * Who takes an option: the command line, the KRM function, an Application of the Argo CD plugin, and the commands in
 * plugin.yaml, where an administrator sets what Applications start from. `render`, `crd`, `pending` and `observe` take
 * what is of use to them of the options of the command line, all but `crd` also some of their own, as the commands behind
 * them do, and `doctor` takes a few of these only. `validate` takes what bears on what is wrong.
 */
export type Where =
  | 'cli'
  | 'function'
  | 'plugin'
  | 'library'
  | 'administrator'
  | 'render'
  | 'crd'
  | 'pending'
  | 'observe'
  | 'doctor'
  | 'validate'
  | 'test'
  | 'compat'
  | 'diff'
  | 'graph'
  | 'explain'
  | 'instance'
  | 'schema'
  | 'docs'
  | 'completion'
  | 'init';

interface Described {
  flag: `--${string}`;
  short?: `-${string}`;
  description: string;
  where: readonly Where[];
  /** Commands for which it means nothing. They take it, so that scripts can give all of them the same, and their help is silent. */
  not?: readonly Where[];
  /** Commands that refuse it, although they take what the command line takes: they would do something else. */
  never?: readonly Where[];
}

export interface Choice {
  value: string;
  /** Only these take the choice; everybody when it is not given. */
  where?: readonly Where[];
}

export type Option = Described &
  (
    | { type: 'boolean'; default: false }
    | { type: 'string'; default: string; value: string }
    | { type: 'integer'; default: number; minimum: number; value: string }
    | { type: 'list'; default: readonly string[]; value: string; each?: { pattern: RegExp; expected: string } }
    | {
        type: 'choice';
        default: string;
        choices: readonly Choice[];
        /** Commands with choices of their own; the first one is their default. */
        own?: Readonly<Partial<Record<Where, readonly [string, ...string[]]>>>;
      }
  );

const EVERYWHERE: readonly Where[] = ['cli', 'function', 'plugin'];
/** What the core is told, whoever calls it. */
const CORE: readonly Where[] = [...EVERYWHERE, 'library'];
/** These look at a package and render nothing. */
const NO_RENDERING: readonly Where[] = [
  'crd',
  'pending',
  'observe',
  'validate',
  'compat',
  'graph',
  'explain',
  'instance',
  'schema',
  'docs',
];
/** These look at RGDs only. */
const NO_INSTANCES: readonly Where[] = ['crd', 'instance', 'schema', 'docs'];
/** These have one form. */
const ONE_FORM: readonly Where[] = ['instance', 'schema', 'docs'];
/** These print reports, and no objects. */
const REPORTING: readonly Where[] = ['validate', 'test', 'compat'];
const { maxCollectionSize, maxSize, maxSteps, onPending, order } = defaultRenderOptions;

/**
 * The one table of options, by their name in a functionConfig. Flags, `--help`, the check of a functionConfig, the
 * plugin parameters and docs/options.md come from it.
 */
export const options: Readonly<Record<keyof Settings, Option>> = {
  definitions: {
    flag: '--definitions',
    type: 'list',
    value: 'PATH',
    default: [],
    description: 'Read RGDs, CRDs and providers of inputs from here too; they are never printed.',
    where: [...EVERYWHERE, 'doctor'],
  },
  observed: {
    flag: '--observed',
    type: 'list',
    value: 'PATH',
    default: [],
    description: 'Read live objects, status included, from here.',
    where: EVERYWHERE,
    not: NO_INSTANCES,
  },
  inputsFrom: {
    flag: '--inputs-from',
    type: 'string',
    value: 'FILE',
    default: '',
    description: 'Take the inputs of the ResourceSet from this file, a list, in place of its inline ones.',
    where: EVERYWHERE,
    not: NO_INSTANCES,
  },
  openapi: {
    flag: '--openapi',
    type: 'string',
    value: 'FILE',
    default: '',
    description: "Take the kinds from a cluster's OpenAPI document in place of the built-in Kubernetes types.",
    where: EVERYWHERE,
  },
  namespace: {
    flag: '--namespace',
    short: '-n',
    type: 'string',
    value: 'NS',
    default: '',
    description: 'The namespace of instances that name none; in the plugin that of the Application is the default.',
    where: CORE,
    not: NO_INSTANCES,
  },
  strict: {
    flag: '--strict',
    type: 'boolean',
    default: false,
    description: 'Refuse what kro refuses although rendering could go on, such as kinds that nothing describes.',
    where: CORE,
  },
  clusterScoped: {
    flag: '--cluster-scoped',
    type: 'list',
    value: 'KIND.GROUP',
    default: [],
    each: { pattern: /^[A-Z][A-Za-z0-9]*\.[a-z0-9][a-z0-9.-]*$/, expected: 'Kind.group' },
    description: 'A kind that nothing describes and that is cluster-scoped.',
    where: CORE,
  },
  onPending: {
    flag: '--on-pending',
    type: 'choice',
    choices: [
      { value: 'fail' },
      { value: 'skip' },
      { value: 'passthrough' },
      { value: 'placeholder', where: ['cli', 'library'] },
    ],
    default: onPending,
    description:
      'What becomes of a node that waits for a value only a live object has: an error; left out with all that read it; ' +
      'its instance left to a kro controller; a placeholder text, for previews.',
    where: [...CORE, 'doctor'],
    not: NO_RENDERING,
    never: REPORTING,
  },
  acceptPrune: {
    flag: '--accept-prune',
    type: 'boolean',
    default: false,
    description: 'Allow --on-pending skip in the plugin, where objects that are left out are pruned.',
    where: ['cli', 'plugin'],
    not: [...NO_RENDERING, 'render', 'diff'],
    never: REPORTING,
  },
  assumeEmptyStatus: {
    flag: '--assume-empty-status',
    type: 'boolean',
    default: false,
    description: 'See a node without an observed object with an empty status, so that fallbacks render.',
    where: CORE,
    not: NO_INSTANCES,
  },
  keepOwnerReferences: {
    flag: '--keep-owner-references',
    type: 'boolean',
    default: false,
    description: 'Keep owner references to rendered instances.',
    where: CORE,
    not: NO_RENDERING,
  },
  order: {
    flag: '--order',
    type: 'choice',
    choices: [{ value: 'none' }, { value: 'argocd' }, { value: 'kpt' }],
    default: order,
    description: 'Write the order of the graph into annotations: sync waves for Argo CD, depends-on for kpt.',
    where: CORE,
    not: NO_RENDERING,
    never: REPORTING,
  },
  maxCollectionSize: {
    flag: '--max-collection-size',
    type: 'integer',
    value: 'N',
    default: maxCollectionSize,
    minimum: 1,
    description: 'The largest number of items one collection may have.',
    where: CORE,
    not: NO_INSTANCES,
  },
  maxSteps: {
    flag: '--max-steps',
    type: 'integer',
    value: 'N',
    default: maxSteps,
    minimum: 1,
    description:
      'The largest number of calls and iterations one expression may take, all of an instance four times that.',
    where: CORE,
  },
  maxSize: {
    flag: '--max-size',
    type: 'integer',
    value: 'N',
    default: maxSize,
    minimum: 1,
    description:
      'The largest number of list items one expression may make, maps and texts counted; an instance four times that.',
    where: CORE,
  },
  allowEmpty: {
    flag: '--allow-empty',
    type: 'boolean',
    default: false,
    description:
      'Take an input without objects, and print nothing when nothing is rendered, which deletes everything where prune is on.',
    where: EVERYWHERE,
    not: NO_RENDERING,
  },
  all: {
    flag: '--all',
    type: 'boolean',
    default: false,
    description: 'Print the other objects of the input too; the function and the plugin always do.',
    where: ['cli', 'library'],
    not: NO_RENDERING,
    never: REPORTING,
  },
  exclude: {
    flag: '--exclude',
    type: 'list',
    value: 'GLOB',
    default: [],
    each: { pattern: /^.{0,1000}$/su, expected: 'GLOB, at most 1000 characters' },
    description: 'Leave out files and folders: a name, or a path below the folder that is read.',
    where: ['cli', 'plugin', 'doctor'],
  },
  build: {
    flag: '--build',
    type: 'choice',
    choices: [{ value: 'none' }, { value: 'auto' }, { value: 'kustomize' }, { value: 'helm' }],
    default: 'none',
    description:
      'Render what `kustomize build` or `helm template` makes of the folder; auto asks the files that are there.',
    where: ['plugin'],
  },
  releaseName: {
    flag: '--release-name',
    type: 'string',
    value: 'NAME',
    default: '',
    description: 'The name that helm gives the release; else that of the Application.',
    where: ['plugin'],
  },
  values: {
    flag: '--values',
    type: 'list',
    value: 'FILE',
    default: [],
    description: 'A values file for helm.',
    where: ['plugin'],
  },
  allowDir: {
    flag: '--allow-dir',
    type: 'list',
    value: 'DIR',
    default: [],
    description: 'Let Applications read below this folder too, beside their own repository.',
    where: ['administrator'],
  },
  allowRemote: {
    flag: '--allow-remote',
    type: 'boolean',
    default: false,
    description: 'Let kustomize fetch what kustomizations name by URL; git speaks https only.',
    where: ['administrator'],
  },
  kubectl: {
    flag: '--kubectl',
    type: 'boolean',
    default: false,
    description: 'Print the commands that fetch what is waited for, in place of a table.',
    where: ['pending'],
  },
  from: {
    flag: '--from',
    type: 'list',
    value: 'PATH',
    default: [],
    description: 'Read live objects from here, as kubectl get -o yaml or -o json prints them.',
    where: ['observe'],
  },
  write: {
    flag: '--write',
    type: 'string',
    value: 'FILE',
    default: '',
    description: 'Bring this file up to date, in place of printing. Objects in it that are still read stay.',
    where: ['observe'],
  },
  allowSecrets: {
    flag: '--allow-secrets',
    type: 'boolean',
    default: false,
    description: 'Write down values of Secrets where an expression reads them.',
    where: ['observe'],
  },
  against: {
    flag: '--against',
    type: 'string',
    value: 'REF',
    default: '',
    description:
      'Compare with the files of this commit of git: a branch, a tag, a hash. The working tree is not touched.',
    where: ['diff', 'compat'],
  },
  rgd: {
    flag: '--rgd',
    type: 'list',
    value: 'NAME',
    default: [],
    description: 'Only this RGD, by its name.',
    where: ['graph'],
  },
  instance: {
    flag: '--instance',
    type: 'string',
    value: 'KIND/NAME',
    default: '',
    description: 'Colour the nodes by what becomes of them in this instance: included, left out, waiting.',
    where: ['graph'],
  },
  exitCode: {
    flag: '--exit-code',
    type: 'boolean',
    default: false,
    description: 'Exit with 1 when something differs.',
    where: ['diff'],
  },
  outputDir: {
    flag: '--output-dir',
    type: 'string',
    value: 'DIR',
    default: '',
    description: 'Write a file for each object below this folder, in place of printing.',
    where: ['render'],
  },
  layout: {
    flag: '--layout',
    type: 'string',
    value: 'TEMPLATE',
    default: '',
    description:
      'Where the files stand: a path with {namespace}, {kind}, {name}, {group}, {version}, {instance}, {folder}.',
    where: ['render'],
  },
  check: {
    flag: '--check',
    type: 'boolean',
    default: false,
    description: 'Write nothing, and fail with the list of files that are not as they have to be.',
    where: ['render'],
  },
  force: {
    flag: '--force',
    type: 'boolean',
    default: false,
    description: 'Replace files that somebody edited, and others that are in the way.',
    where: ['render'],
  },
  crds: {
    flag: '--crds',
    type: 'boolean',
    default: false,
    description: 'Add the CustomResourceDefinitions that the RGDs generate, first.',
    where: ['render'],
  },
  output: {
    flag: '--output',
    short: '-o',
    type: 'choice',
    choices: [{ value: 'yaml' }, { value: 'json' }],
    own: { diff: ['text', 'json', 'markdown'], graph: ['mermaid', 'dot', 'svg'], explain: ['text', 'json'] },
    default: 'yaml',
    description: 'How to print it; for objects YAML documents (pending: a list for people) or one JSON array.',
    where: ['cli'],
    never: [...REPORTING, ...ONE_FORM],
  },
  diagnostics: {
    flag: '--diagnostics',
    type: 'choice',
    choices: [{ value: 'text' }, { value: 'json' }],
    default: 'text',
    description: 'Report on stderr as text or as one JSON array.',
    where: ['cli', 'doctor'],
    never: REPORTING,
  },
  quiet: {
    flag: '--quiet',
    short: '-q',
    type: 'boolean',
    default: false,
    description: 'Report errors only.',
    where: ['cli', 'doctor', 'test'],
  },
  verbose: {
    flag: '--verbose',
    short: '-v',
    type: 'boolean',
    default: false,
    description: 'Report the nodes that includeWhen leaves out too; --diagnostics json always does.',
    where: ['cli', 'doctor'],
    not: NO_INSTANCES,
  },
  update: {
    flag: '--update',
    type: 'boolean',
    default: false,
    description: 'Write what is expected of the tests that do not pass; read the difference before you keep it.',
    where: ['test'],
  },
  coverage: {
    flag: '--coverage',
    type: 'boolean',
    default: false,
    description: 'Tell which nodes, sides of conditions, sizes of collections and arms of expressions the tests reach.',
    where: ['test'],
  },
  coverageReport: {
    flag: '--coverage-report',
    type: 'list',
    value: 'FORMAT=FILE',
    default: [],
    each: { pattern: /^(text|json|lcov)=.+$/su, expected: 'text=FILE, json=FILE or lcov=FILE' },
    description: 'Write what the tests reach to FILE, as text, json or lcov.',
    where: ['test'],
  },
  conservative: {
    flag: '--conservative',
    type: 'boolean',
    default: false,
    description: 'Count all that may break an instance, as kro 0.10 does with the gate ConservativeCRDComparison.',
    where: ['compat'],
  },
  instances: {
    flag: '--instances',
    type: 'list',
    value: 'PATH',
    default: [],
    description: 'Tell which of the instances here a change breaks too.',
    where: ['compat'],
  },
  report: {
    flag: '--report',
    type: 'list',
    value: 'FORMAT[=FILE]',
    default: [],
    each: {
      pattern: /^(text|json|sarif|github|junit)(=.+)?$/su,
      expected: 'text, json, sarif, github or junit, =FILE behind it',
    },
    description: 'Report as text, json, sarif, github (workflow commands) or junit, to FILE or standard output.',
    where: REPORTING,
  },
  failOn: {
    flag: '--fail-on',
    type: 'choice',
    choices: [{ value: 'error' }, { value: 'warning' }],
    default: 'error',
    description: 'Exit with 1 when there is a report of this severity, or of a higher one.',
    where: ['validate'],
  },
  disable: {
    flag: '--disable',
    type: 'list',
    value: 'CODE',
    default: [],
    each: { pattern: /^lint-[a-z-]+$/, expected: 'lint-NAME' },
    description: 'Do not look for this lint; docs/diagnostics.md lists them.',
    where: ['validate'],
  },
  watch: {
    flag: '--watch',
    type: 'boolean',
    default: false,
    description: 'Look again whenever a file changes.',
    where: ['validate'],
  },
};

/** Who takes the options of another one too. */
const TAKES_TOO: Readonly<Partial<Record<Where, Where>>> = {
  administrator: 'plugin',
  render: 'cli',
  crd: 'cli',
  pending: 'cli',
  observe: 'cli',
  validate: 'cli',
  compat: 'cli',
  diff: 'cli',
  graph: 'cli',
  explain: 'cli',
  instance: 'cli',
  schema: 'cli',
  docs: 'cli',
};

/** The options that someone takes, in the order of the table. */
export function optionsOf(where: Where): [keyof Settings, Option][] {
  const takes = [where, TAKES_TOO[where] ?? where];
  return (Object.entries(options) as [keyof Settings, Option][]).filter(([, option]) =>
    takes.some((one) => option.where.includes(one) && option.never?.includes(where) !== true),
  );
}

/** The choices of an option that someone takes. */
export function choicesOf(option: Option, where: Where): readonly string[] {
  if (option.type !== 'choice') return [];
  return option.own?.[where] ?? option.choices.filter((choice) => isFor(choice, where)).map(({ value }) => value);
}

/** What an option is without being given. */
export const defaultOf = (option: Option, where: Where): Option['default'] =>
  (option.type === 'choice' ? option.own?.[where]?.[0] : undefined) ?? option.default;

const isFor = (choice: Choice, where: Where): boolean =>
  choice.where === undefined || choice.where.includes(where) || choice.where.includes(TAKES_TOO[where] ?? where);

/** What the options are that nobody gave. */
export const defaultsFor = (where: Where): Settings =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, defaultOf(option, where)]),
  ) as unknown as Settings;

export const defaultSettings: Settings = Object.freeze(
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.default])),
) as unknown as Settings;
