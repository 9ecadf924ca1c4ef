import { hasErrors, type Report } from '../diagnostics/index.ts';
import { toJsonText } from '../emit/index.ts';
import { graphsOf } from '../graph/index.ts';
import { DIALECT, instanceJsonSchema, rgdJsonSchema } from '../jsonschema/index.ts';
import type { Value } from '../model/value.ts';
import { functionConfigSchema, parseArguments, type Where } from '../options/index.ts';
import { referencePage } from '../reference/index.ts';
import type { Graph } from '../rgd/compile/index.ts';
import { sampleInstance } from '../sample/index.ts';
import { didYouMean } from '../text/nearest.ts';
import { visible } from '../text/visible.ts';
import { concludeWith } from './conclude.ts';
import { type Gathered, gatherPaths, refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';

/** `render-rgd instance KIND PATH... [options]` */
export async function instanceCommand(args: readonly string[], io: Io): Promise<number> {
  const asked = await ofKind('instance', args, io);
  if (typeof asked === 'number') return asked;
  const { graph, gathered, reports } = asked;
  const sample = sampleInstance(graph, gathered.settings);
  const code = concludeWith(() => [sample.text], reports, gathered.settings, io);
  if (code === exitCode.ok && sample.faults.length > 0) {
    io.stderr(
      visible(
        `render-rgd: the sample is not valid yet; fill in:\n${sample.faults.map((one) => `  ${one}\n`).join('')}`,
      ),
    );
  }
  return code;
}

/** `render-rgd schema KIND PATH... [options]` and `render-rgd schema rgd|config` */
export async function schemaCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'schema');
  if (!('fault' in parsed) && parsed.paths.length === 1) {
    const [what] = parsed.paths;
    if (what === 'rgd') return print(rgdJsonSchema, io);
    if (what === 'config') return print(functionConfigSchema(DIALECT), io);
  }
  const asked = await ofKind('schema', args, io);
  if (typeof asked === 'number') return asked;
  const { graph, gathered, reports } = asked;
  return concludeWith(() => [json(instanceJsonSchema(graph))], reports, gathered.settings, io);
}

/** `render-rgd docs PATH... [options]` */
export async function docsCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'docs');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  if (parsed.paths.length === 0) return refuse('docs needs a PATH; - reads standard input', io);
  const gathered = await gatherPaths(parsed.paths, parsed.settings, io);
  const { graphs, reports } = graphsIn(gathered);
  if (graphs.length === 0 && !hasErrors(reports)) return failed('docs', 'there is no RGD', io);
  return concludeWith(() => [referencePage(graphs)], reports, gathered.settings, io);
}

interface OfKind {
  graph: Graph;
  gathered: Gathered;
  reports: readonly Report[];
}

async function ofKind(
  command: Where & ('instance' | 'schema'),
  args: readonly string[],
  io: Io,
): Promise<OfKind | number> {
  const parsed = parseArguments(args, command);
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const [kind, ...paths] = parsed.paths;
  const needs = command === 'schema' ? 'KIND and a PATH, or rgd, or config' : 'KIND and a PATH; - reads standard input';
  if (kind === undefined || paths.length === 0) return refuse(`${command} needs ${needs}`, io);
  const gathered = await gatherPaths(paths, parsed.settings, io);
  const { graphs, reports } = graphsIn(gathered);
  if (hasErrors(reports)) return concludeWith(() => [], reports, gathered.settings, io);
  const found = graphs.filter((one) => one.kind === kind || `${one.kind}.${one.group}` === kind);
  const [graph] = found;
  if (graph === undefined) {
    const kinds = graphs.map((one) => one.kind);
    const hint = didYouMean(kind, kinds) ?? (kinds.length === 0 ? 'there is no RGD' : `there is ${kinds.join(', ')}`);
    return failed(command, `no RGD defines ${kind}; ${hint}`, io);
  }
  if (found.length > 1) {
    const names = found.map((one) => `${one.kind}.${one.group}`);
    return failed(command, `several RGDs define ${kind}: write ${names.join(' or ')}`, io);
  }
  return { graph, gathered, reports };
}

/** The RGDs of the paths, and those of --definitions. */
function graphsIn({ input, settings, reports }: Gathered): { graphs: Graph[]; reports: readonly Report[] } {
  if (hasErrors(reports)) return { graphs: [], reports };
  const compiled = graphsOf(input, settings);
  const graphs = compiled.own.length > 0 ? compiled.own : [...compiled.all.values()];
  return { graphs, reports: [...reports, ...compiled.reports] };
}

function failed(command: string, fault: string, io: Io): number {
  io.stderr(visible(`render-rgd: ${command}: ${fault}\n`));
  return exitCode.input;
}

const json = (value: Value): string => visible(`${toJsonText(value, 2)}\n`);

function print(value: Value, io: Io): number {
  io.stdout([json(value)]);
  return exitCode.ok;
}
