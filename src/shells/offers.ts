import { hasErrors } from '../diagnostics/index.ts';
import { toJsonText } from '../emit/index.ts';
import { DIALECT, rgdJsonSchema } from '../jsonschema/index.ts';
import type { Value } from '../model/value.ts';
import { documentPackage, type Offered, samplePackage, schemaOfPackage } from '../offers/index.ts';
import { functionConfigSchema, parseArguments, type Where } from '../options/index.ts';
import { visible } from '../text/visible.ts';
import { concludeWith } from './conclude.ts';
import { type Gathered, gatherPaths, refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';

/** `render-rgd instance KIND PATH... [options]` */
export async function instanceCommand(args: readonly string[], io: Io): Promise<number> {
  const asked = await gatherKind('instance', args, io);
  if (typeof asked === 'number') return asked;
  const offered = samplePackageOf(asked);
  const code = tell('instance', offered, ({ text }) => text, asked.gathered, io);
  const { faults = [] } = offered.offer ?? {};
  if (code === exitCode.ok && faults.length > 0) {
    const list = faults.map((one) => `  ${one}\n`).join('');
    io.stderr(visible(`render-rgd: the sample is not valid yet; fill in:\n${list}`));
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
  const asked = await gatherKind('schema', args, io);
  if (typeof asked === 'number') return asked;
  return tell('schema', schemaOf(asked), json, asked.gathered, io);
}

/** `render-rgd docs PATH... [options]` */
export async function docsCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'docs');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  if (parsed.paths.length === 0) return refuse('docs needs a PATH; - reads standard input', io);
  const gathered = await gatherPaths(parsed.paths, parsed.settings, io);
  const offered = unlessBroken(gathered, ({ input, settings }) => documentPackage(input, settings));
  return tell('docs', offered, (page) => page, gathered, io);
}

interface Asked {
  kind: string;
  gathered: Gathered;
}

const samplePackageOf = ({ kind, gathered }: Asked) =>
  unlessBroken(gathered, ({ input, settings }) => samplePackage(input, kind, settings));

const schemaOf = ({ kind, gathered }: Asked) =>
  unlessBroken(gathered, ({ input, settings }) => schemaOfPackage(input, kind, settings));

async function gatherKind(
  command: Where & ('instance' | 'schema'),
  args: readonly string[],
  io: Io,
): Promise<Asked | number> {
  const parsed = parseArguments(args, command);
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const [kind, ...paths] = parsed.paths;
  const needs = command === 'schema' ? 'KIND and a PATH, or rgd, or config' : 'KIND and a PATH; - reads standard input';
  if (kind === undefined || paths.length === 0) return refuse(`${command} needs ${needs}`, io);
  return { kind, gathered: await gatherPaths(paths, parsed.settings, io) };
}

/** Files that could not be read offer nothing. */
const unlessBroken = <Offer>(gathered: Gathered, ask: (gathered: Gathered) => Offered<Offer>): Offered<Offer> =>
  gathered.reports.hasErrors ? { reports: [] } : ask(gathered);

function tell<Offer>(
  command: string,
  { offer, fault, reports: found }: Offered<Offer>,
  write: (offer: Offer) => string,
  { reports, settings }: Gathered,
  io: Io,
): number {
  const all = [...reports, ...found];
  if (fault !== undefined && !hasErrors(all)) {
    io.stderr(visible(`render-rgd: ${command}: ${fault}\n`));
    return exitCode.input;
  }
  return concludeWith(() => (offer === undefined ? [] : [write(offer)]), all, settings, io);
}

const json = (value: Value): string => visible(`${toJsonText(value, 2)}\n`);

function print(value: Value, io: Io): number {
  io.stdout([json(value)]);
  return exitCode.ok;
}
