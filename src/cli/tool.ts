import { delimiter, resolve } from 'node:path';
import {
  type Collector,
  composeText,
  type Report,
  type Text,
  told,
  trusted,
  unplaced,
} from '../core/diagnostics/index.ts';
import {
  checkRegular,
  devNull,
  outside,
  placeOf,
  programOn,
  trustedFolders,
  type Within,
  withinAny,
} from './file-system.ts';
import { checkChart, checkLinks } from './plugin/tree/chart.ts';
import { checkKustomization } from './plugin/tree/kustomization.ts';

export type Tool = 'kustomize' | 'helm';

export interface Build {
  folder: string;
  /** The command, options as `--name=value`, and names after `--`. Paths are relative to the folder. */
  args: readonly string[];
  repository: string;
  within: Within;
  remote: boolean;
  /** Whether kustomize may run functions of the repository, which then get the whole environment. */
  functions?: boolean;
  /** What the tool reads from standard input, as the file `-`. */
  input?: string | undefined;
  /** The environment, of which other builds get a few variables. */
  variables: Readonly<Record<string, string | undefined>>;
}

/** How a tool reads an option; `list` is split at commas. Others are refused: a tool may fetch or run them. */
type Meaning = 'flag' | 'text' | 'list' | 'path';

const OPTIONS: Readonly<Record<Tool, Readonly<Record<string, Meaning>>>> = {
  kustomize: { '--enable-alpha-plugins': 'flag', '--enable-exec': 'flag', '--load-restrictor': 'text' },
  helm: {
    '--include-crds': 'flag',
    '--namespace': 'text',
    '--kube-version': 'text',
    '--api-versions': 'list',
    '--values': 'path',
    '--set': 'text',
    '--set-string': 'text',
    '--skip-tests': 'flag',
    '--skip-schema-validation': 'flag',
  },
};

/** A missing program, a missing folder and a missing proxy: requests that a check overlooked fail. */
const NOWHERE = '/nonexistent';
const NO_NETWORK = { PATH: devNull, HTTP_PROXY: 'socks5://0.0.0.0:0', HTTPS_PROXY: 'socks5://0.0.0.0:0' };

/** No plugins, repositories, registries and clusters of the caller. */
const NOTHING_OF_HELM = {
  HELM_NO_PLUGINS: '1',
  HELM_PLUGINS: devNull,
  HELM_CONFIG_HOME: NOWHERE,
  HELM_CACHE_HOME: NOWHERE,
  HELM_DATA_HOME: NOWHERE,
  KUBECONFIG: devNull,
};

/**
 * Runs kustomize or helm in a folder and returns its output; undefined, and reported, after an error. This is the only
 * function that starts them. It first checks that everything that they would read is inside of the boundary and is not
 * fetched. They get almost no environment variables, so that nothing of the sidecar flows into an object, and find no
 * program to run, in particular git, whose flags kustomize takes from the names of branches. If fetching is allowed
 * they do, and git uses https only: its other transports run commands.
 */
export function runTool(tool: Tool, build: Build, reports: Collector): string | undefined {
  const args = checkArguments(tool, build, reports);
  if (args === undefined || !checkTree(tool, build, reports)) return undefined;
  const { folder, repository, variables } = build;
  const fail = (message: string, hint?: Text, args?: Report['args']): undefined => {
    reports.add({ ...unplaced('build-failed', trusted.error(message), hint), args });
  };
  const program = programOn(variables.PATH ?? '', tool, withinAny([repository]));
  if (program === undefined)
    return fail(`${tool} is not on the PATH`, composeText`install it; in Argo CD, use the image plugin-full`);
  // Loading the module takes longer than many renderings, and most plugin calls build nothing.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { error, status, signal, stdout, stderr } = spawnSync(program, [...args, '.'], {
    cwd: folder,
    env: environmentOf(build),
    stdio: [build.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(build.input !== undefined && { input: build.input }),
    maxBuffer: 1 << 29,
    encoding: 'utf8',
  });
  if (error !== undefined) return fail(`${tool} did not run: ${error.message}`);
  if (status === 0) return stdout;
  const output = stderr.trim();
  const end = signal === null ? `exit code ${status}` : `signal ${signal}`;
  if (output === '') return fail(`${tool} failed with ${end}`);
  const printed = signal === null ? { output } : undefined;
  return fail(`${tool} failed with ${end}:\n${output}`, undefined, printed);
}

function environmentOf({ remote, functions, variables, repository }: Build): NodeJS.ProcessEnv {
  const { TMPDIR = '/tmp', HOME = TMPDIR } = variables;
  const git = { GIT_ALLOW_PROTOCOL: 'https', GIT_TERMINAL_PROMPT: '0' };
  if (functions) return { ...variables, ...git, ...NOTHING_OF_HELM };
  const PATH = trustedFolders(variables.PATH ?? '', withinAny([repository])).join(delimiter);
  return { ...(remote ? { PATH, ...git } : NO_NETWORK), HOME, TMPDIR, ...NOTHING_OF_HELM };
}

/** Returns the arguments as a tool has to get them; undefined, and reported, if one is rejected. */
function checkArguments(tool: Tool, { folder, args, within, input }: Build, reports: Collector): string[] | undefined {
  const own = reports.part();
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const checked = args.slice(1, end).map((arg) => {
    const [, name = arg, value = ''] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? [];
    const meaning = Object.hasOwn(OPTIONS[tool], name) ? OPTIONS[tool][name] : undefined;
    if (meaning === undefined) {
      const message = told`the option ${{ option: trusted.argument(name) }} of ${tool} is not allowed`;
      own.add(unplaced('build-refused', message, composeText`remove it`));
    }
    if (meaning === 'list') return `${name}=${quoted(value)}`;
    if (meaning !== 'path' || (value === '-' && input !== undefined)) return arg;
    // The path that was checked, without links, and absolute: helm fetches what begins with a scheme.
    const place = placeOf(resolve(folder, value));
    if (!within(place)) own.add(outside(value));
    else checkRegular(place, value, own);
    return `${name}=${quoted(place)}`;
  });
  return own.all.length > 0 ? undefined : [...args.slice(0, 1), ...checked, ...args.slice(end)];
}

/** Quotes an item of a list, which helm splits as a line of CSV. */
const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Checks that a tool may read all of its inputs, and fetches nothing. */
function checkTree(tool: Tool, { folder, within, remote, functions = false }: Build, reports: Collector): boolean {
  const own = reports.part();
  if (tool === 'helm') return checkChart(folder, within, own);
  const folders = checkKustomization(folder, { within, remote, functions }, own);
  return own.all.length === 0 && folders.every((one) => checkLinks(one, within, own));
}
