import macros from '../../data/cel-macros.json';
import table from '../../data/mcp-tools.json';
import { evaluate } from '../api/cel/index.ts';
import { projectFiles } from '../author/project/index.ts';
import { maskedObjects } from '../compare/diff/index.ts';
import { Collector, codes, counted, isError } from '../core/diagnostics/index.ts';
import { type Evidence, gapsOf } from '../core/ledger/index.ts';
import { ownValue } from '../core/model/value.ts';
import { resolvePath } from '../core/text/paths.ts';
import { visible } from '../core/text/visible.ts';
import { type Files, planChange, planText } from '../gitops/plan/index.ts';
import { markerNames } from '../kro/simpleschema/index.ts';
import { formatType, kroEnvironment } from '../languages/cel/index.ts';
import { defaultSettings, flag, sharedOptions } from '../render/options/index.ts';
import { formatDiagnostics, toDiagnostics } from '../yaml/locate/index.ts';
import { withoutSecretValues } from '../yaml/withhold/index.ts';
import { type Context, defineCommand } from './command.ts';
import { byteOrder, messageOf, placeOf, slashed, statOf, type Within, withinAny } from './file-system.ts';
import { gather, readFiles } from './files.ts';
import type { Assistant, Resource, Tool } from './mcp-server.ts';
import { conclude, exitCode, type Io, objectsOutput } from './output.ts';
import { bytesOf } from './write/index.ts';

/** The limits of one answer, in characters, and of what is read for it, in bytes. */
const MOST_ANSWERED = 100_000;
const MOST_READ = 50_000_000;

/** The most lines about what a command did not look at. */
const MOST_GAPS = 200;

type Values = Readonly<Record<string, unknown>>;

const mapOf = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {});

const TOOLS = Object.fromEntries(
  Object.entries(table.tools).map(([name, { description, arguments: names, required }]): [string, Tool] => {
    const properties = Object.fromEntries(Object.entries(table.arguments).filter(([one]) => names.includes(one)));
    return [name, { description, properties, required }];
  }),
);

/** The options and words of the command that answers, by the argument of the tool. */
const OPTIONS = { definitions: '--definitions', observed: '--observed', instance: '--instance', expression: '--eval' };
const WORDS = ['object', 'about', 'kind', 'paths'];
const ANSWER_JSON = ['validate', 'pending'];

/** What no command answers. */
const ANSWERS: Readonly<Record<string, (values: Values, within: Within) => string>> = {
  cel: ({ expression, variables }) => {
    const given = mapOf(variables) as Parameters<typeof evaluate>[1];
    return JSON.stringify(evaluate(String(expression), given, { environment: 'kro' }), null, 2);
  },
  plan: ({ changes }, within) => {
    const reports = new Collector();
    const found = readFiles(['.'], { within, withholdsSecrets: true }, reports);
    const before = new Map(found.map(({ file, text: content }) => [pathOf(file), content]));
    const after = new Map(before);
    for (const [file, content] of Object.entries(mapOf(changes))) {
      const path = pathOf(file);
      if (typeof content === 'string') after.set(path, withoutSecretValues(content).text);
      else after.delete(path);
    }
    const changed = new Set([...before.keys(), ...after.keys()].filter((path) => before.get(path) !== after.get(path)));
    const settings = { ...defaultSettings, unknownSecrets: 'everywhere' } as const;
    const options = { settings, urls: [], holdsData: [] };
    const plan = planChange({ before: filesIn(before), after: filesIn(after), changed }, options);
    // A file that cannot be read is in neither version.
    const faults = formatDiagnostics(toDiagnostics([...reports, ...plan.reports].filter(isError)));
    return `${faults}${planText(plan)}`;
  },
};

/** Returns the path of a file from the root of a plan. @throws Error if it is outside */
function pathOf(file: string): string {
  const path = resolvePath('', slashed(file));
  if (path === undefined) throw new Error(`${file} is outside the folder of the server`);
  return path;
}

const filesIn = (all: ReadonlyMap<string, string>): Files => ({
  paths: [...all.keys()].sort(byteOrder),
  text: (path) => all.get(path),
});

/** `render`, with the values of Secrets hidden. */
const maskedRender = defineCommand({
  own: {},
  shared: sharedOptions,
  run: async (invocation) => {
    const { input, reports } = await gather(invocation);
    if (reports.hasErrors) return conclude(invocation, reports.all);
    const { objects, reports: found } = maskedObjects(input, invocation.settings);
    return conclude(invocation, [...reports, ...found], () => objectsOutput(objects, 'yaml'));
  },
});

/** Returns the tools and resources, which read below the current folder only, and run and fetch nothing. */
export function assistantFor({ version, commands, io }: Context): Assistant {
  const isBelow = withinAny(['.']);
  return {
    version,
    tools: TOOLS,
    resources: resources(),
    call: async (name, values) => {
      const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
      if (tool === undefined) return { text: `unknown tool ${name}`, isError: true };
      const missing = tool.required.find((one) => ownValue(values, one) === undefined);
      if (missing !== undefined) return { text: `${name} needs ${missing}`, isError: true };
      const textsAt = (argument: string): string[] =>
        Object.hasOwn(tool.properties, argument)
          ? [ownValue(values, argument)].flat().flatMap((one) => (typeof one === 'string' ? one || [] : []))
          : [];
      const paths = ['paths', 'definitions', 'observed'].flatMap(textsAt);
      const wrong = paths.find((path) => path === '-' || !isBelow(placeOf(path)));
      if (wrong !== undefined) return { text: `${wrong} is outside the folder of the server`, isError: true };
      const within = limited(isBelow);
      try {
        const answer = ownValue(ANSWERS, name);
        if (answer !== undefined && textsAt('object').length === 0) return answered(answer(values, within));
        const command = name === 'cel' ? 'explain' : name;
        const options = Object.entries(OPTIONS).flatMap(([at, flag]) => textsAt(at).map((one) => `${flag}=${one}`));
        if (values.strict === true) options.push('--strict');
        if (ANSWER_JSON.includes(name)) options.push('--output=json');
        const printed: string[] = [];
        const chosen = command === 'render' ? maskedRender : ownValue(await commands(), command);
        let gaps: readonly string[] = [];
        const account = (evidence: Evidence): void => {
          gaps = gapsOf(evidence).slice(0, MOST_GAPS);
        };
        const context = {
          io: recording(io, printed),
          version,
          commands,
          within,
          withholdsSecrets: true,
          account,
        } as const;
        const code =
          (await chosen?.start(command, [...options, '--', ...WORDS.flatMap(textsAt)], context)) ?? exitCode.usage;
        const found = answered(printed.join(''), code > (name === 'validate' ? exitCode.input : exitCode.ok));
        return gaps.length === 0 ? found : { ...found, ledger: visible(`${gaps.join('\n')}\n`) };
      } catch (error) {
        return answered(messageOf(error), true);
      }
    },
  };
}

function answered(full: string, isError = false): { text: string; isError: boolean } {
  const more = full.length - MOST_ANSWERED;
  const cut = more > 0 ? `\n... ${counted(more, 'character')} omitted: ask for fewer paths\n` : '';
  return { text: `${visible(full.slice(0, MOST_ANSWERED))}${cut}`, isError };
}

const recording = (io: Io, printed: string[]): Io => ({
  ...io,
  stdin: async () => new Error('the server reads no standard input'),
  stdinIsTerminal: () => true,
  columns: () => undefined,
  colors: () => false,
  progress: () => {},
  stdout: (output) => void printed.push(bytesOf(output).toString()),
  stderr: (line) => void printed.push(line),
});

/** Also limits the size of the files that one call reads. */
function limited(within: Within): Within {
  const measured = new Set<string>();
  let bytes = 0;
  return (path) => {
    if (!within(path)) return false;
    const stat = measured.has(path) ? undefined : statOf(path);
    measured.add(path);
    if (stat?.isFile() === true) bytes += stat.size;
    if (bytes <= MOST_READ) return true;
    throw new Error(`one call reads at most ${MOST_READ / 1e6} MB`);
  };
}

/** Listed when a server starts: the files of a project are rendered, which no other command needs. */
const resources = (): readonly Resource[] => [
  {
    uri: 'render-rgd://functions',
    name: 'CEL functions and macros of kro',
    text: () => {
      const environment = kroEnvironment();
      const signatures = [...environment.functionNames()].sort().flatMap((name) =>
        environment.functions(name).map(({ member, params, result }) => {
          const types = params.map(formatType);
          const call = `${member ? `${types.shift()}.` : ''}${name}(${types.join(', ')})`;
          return `${call} -> ${formatType(result)}`;
        }),
      );
      return [...signatures, ...macros.map(({ signature, about }) => `${signature}: ${about}`), ''].join('\n');
    },
  },
  {
    uri: 'render-rgd://markers',
    name: 'Types and markers of SimpleSchema',
    text: () =>
      `Types: string, integer, float, boolean, object, []T, map[string]T, and the names under spec.schema.types.\nMarkers follow a |, as in "integer | default=1 minimum=1": ${markerNames.join(', ')}\n`,
  },
  {
    uri: 'render-rgd://diagnostics',
    name: 'Diagnostic codes with their meaning and fix',
    text: () =>
      Object.entries(codes)
        .map(([code, { meaning, remedy }]) => `${code}: ${meaning} ${remedy}\n`)
        .join(''),
  },
  ...[...projectFiles()].map(([path, content]) => ({
    uri: `render-rgd://examples/${path}`,
    name: `Example: ${path}`,
    text: () => content,
  })),
];

/** The servers are built as separate files, so that other commands do not load them. */

export const lsp = defineCommand({
  own: { stdio: flag('Use standard input and output, as always: editors give this option.') },
  shared: {},
  needs: [0, '', 0],
  run: async ({ version }) => {
    const { serveStdio } = await import('./lsp-server.ts');
    return serveStdio(version);
  },
});

export const mcp = defineCommand({
  own: {},
  shared: {},
  needs: [0, '', 0],
  run: async (context) => {
    const { serveStdio } = await import('./mcp-server.ts');
    return serveStdio(assistantFor(context));
  },
});
