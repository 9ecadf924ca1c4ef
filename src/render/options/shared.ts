import { defaultLimits, MAX_COLLECTION_SIZE } from '../../core/model/limits.ts';
import {
  EXPERIMENTS,
  KRO_VERSIONS,
  KUBERNETES_RELEASES,
  type OnPending,
  type Order,
  type RenderOptions,
} from '../../core/model/render.ts';
import { choice, defaultsOf, flag, integer, list, type SettingsOf, text } from './option.ts';

// Options that several commands share, or that the KRM function, the Argo CD plugin or the library support. Those of
// one command are beside it in `src/cli`. Flags, `--help`, the check of a functionConfig, its schema, the plugin
// parameters and docs/options.md are derived from these declarations.

const ON_PENDING =
  'What to do with a node that needs a value only a live object has: fail; leave it out with all nodes that read it; ' +
  'leave its instance to a kro controller; write a placeholder text, for previews.';
const { maxSteps, maxSize } = defaultLimits;

const files = {
  definitions: list('PATH', 'Read more RGDs, CRDs and input providers from this path; they are never printed.'),
  observed: list('PATH', 'Read live objects, including their status, from this path.'),
  inputsFrom: text(
    'FILE',
    'Read the inputs of the ResourceSet from this file, a list that replaces the inline inputs.',
  ),
  defaults: text('FILE', 'Give instances the fields that they do not have from this file, a spec for each kind.'),
  openapi: text('FILE', "Take the kinds from a cluster's OpenAPI document in place of the built-in Kubernetes types."),
};

const KEY = '([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?';
const keys = { pattern: new RegExp(`^${KEY}(,${KEY})*$`), expected: 'keys such as team or example.com/team' };

const core = {
  namespace: text(
    'NS',
    'The namespace of instances without one; the plugin uses the namespace of the Application by default.',
    {
      short: '-n',
      form: {
        pattern: /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$/,
        expected: 'a namespace: lower case letters, digits and dashes, at most 63',
      },
    },
  ),
  strict: flag('Reject everything that kro rejects, such as unknown kinds, even if it can be rendered.'),
  kro: choice(KRO_VERSIONS, 'Render as this release of kro does; `compat --kro` shows what the release changes.'),
  kubernetes: choice(
    KUBERNETES_RELEASES,
    'Check objects against the kinds and fields that this release of Kubernetes serves.',
  ),
  experimental: list(
    'FEATURE',
    'Enable a feature that may still change: omit, the function omit() of kro; or of kro 0.10: graph, the kind Graph, and the fields deletionPolicy and externalFields.',
    {
      each: { pattern: new RegExp(`^(${EXPERIMENTS.join('|')})$`), expected: EXPERIMENTS.join(' or ') },
      completes: EXPERIMENTS,
    },
  ),
  clusterScoped: list('KIND.GROUP', 'Treat this unknown kind as cluster-scoped.', {
    each: { pattern: /^[A-Z][A-Za-z0-9]*\.[a-z0-9][a-z0-9.-]*$/, expected: 'Kind.group' },
  }),
  groups: list('GROUP', 'Render every object of this API group: one without an RGD is an error.', {
    each: { pattern: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, expected: 'an API group such as platform.example.com' },
  }),
  onPending: choice<OnPending>(['fail', 'skip', 'passthrough', 'placeholder'], ON_PENDING),
  assumeEmptyStatus: flag('Assume an empty status for nodes without an observed object, so that fallbacks render.'),
  keepOwnerReferences: flag('Keep owner references to rendered instances.'),
  propagateLabels: list('KEY[,KEY]', 'Copy these labels of instances to their objects, unless a template sets them.', {
    each: keys,
  }),
  propagateAnnotations: list(
    'KEY[,KEY]',
    'Copy these annotations of instances to their objects, unless a template sets them.',
    { each: keys },
  ),
  order: choice<Order>(
    ['none', 'argocd', 'kpt'],
    'Add annotations for the order of the graph: sync waves for Argo CD, depends-on for kpt.',
  ),
  maxCollectionSize: integer('N', 'The maximum number of items of a collection.', {
    default: MAX_COLLECTION_SIZE,
    minimum: 1,
  }),
  maxSteps: integer(
    'N',
    'The maximum number of calls and iterations of an expression; an instance may take four times as many.',
    { default: maxSteps, minimum: 1 },
  ),
  maxSize: integer(
    'N',
    'The maximum size of the values of an expression, in list items; an instance may take four times as much.',
    { default: maxSize, minimum: 1 },
  ),
};

const allowEmpty = flag(
  'Accept empty input and empty output. With prune, applying an empty output deletes everything.',
);
const acceptPrune = flag('Allow --on-pending skip in the plugin, where Argo CD prunes skipped objects.');
const all = flag(
  'Also print the other objects of the input, as the function and the plugin always do; not what only tools read: a kustomization, a Kptfile, a functionConfig.',
);
const exclude = list('GLOB', 'Ignore files and folders: a name, or a path relative to the folder.', {
  each: { pattern: /^.{0,1000}$/su, expected: 'GLOB, at most 1000 characters' },
});

export const defaultRenderOptions: RenderOptions = defaultsOf(core);

export const libraryOptions = { ...core, all };

/** The options of a functionConfig. Placeholders are for previews, which no runner shows. */
export const functionOptions = {
  ...files,
  ...core,
  onPending: choice<OnPending>(['fail', 'skip', 'passthrough'], ON_PENDING),
  allowEmpty,
};

export const pluginOptions = {
  ...functionOptions,
  acceptPrune,
  exclude,
  build: choice(
    ['none', 'auto', 'kustomize', 'helm'],
    'Run `kustomize build` or `helm template` on the folder first; auto decides by its files.',
  ),
  releaseName: text('NAME', 'The release name for helm; defaults to the name of the Application.'),
  values: list('FILE', 'A values file for helm.'),
};

export const reportingOptions = {
  report: list(
    'FORMAT[=FILE]',
    'Report diagnostics as text, json, sarif, github (workflow commands) or junit, to FILE or beside the output.',
    {
      aliases: ['--diagnostics'],
      completes: ['text', 'json', 'sarif', 'github', 'junit'],
      each: {
        pattern: /^(text|json|sarif|github|junit)(=.+)?$/su,
        expected: 'text, json, sarif, github or junit, =FILE behind it',
      },
    },
  ),
  quiet: flag('Report errors only.', { short: '-q' }),
  verbose: flag('Also report skipped nodes; --report json always does.', { short: '-v' }),
  color: choice(['auto', 'always', 'never'], 'Colour what is printed; auto: on a terminal, unless NO_COLOR is set.'),
};

/** Returns some of the options, in this order. */
const pick = <const O extends object, K extends keyof O>(options: O, ...names: readonly K[]): Pick<O, K> =>
  Object.fromEntries(names.map((name) => [name, options[name]])) as Pick<O, K>;

export const definitionOptions = {
  ...pick(files, 'definitions', 'openapi'),
  ...pick(core, 'strict', 'kro', 'kubernetes', 'experimental', 'clusterScoped', 'groups'),
  exclude,
  ...pick(core, 'maxSteps', 'maxSize'),
};

export const instanceOptions = {
  ...pick(files, 'observed', 'inputsFrom', 'defaults'),
  ...pick(core, 'namespace', 'assumeEmptyStatus', 'maxCollectionSize'),
};

export const renderingOptions = {
  ...pick(core, 'onPending', 'keepOwnerReferences', 'propagateLabels', 'propagateAnnotations', 'order'),
  allowEmpty,
  all,
  acceptPrune,
};

export const sharedOptions = { ...definitionOptions, ...instanceOptions, ...renderingOptions, ...reportingOptions };

/** Whether values of Secrets may be printed: of `observe`, and of the library. */
export const allowSecrets = flag('Print values of Secrets that an expression reads.');

export type Settings = SettingsOf<typeof sharedOptions>;

export const defaultSettings: Readonly<Settings> = Object.freeze(defaultsOf(sharedOptions));
