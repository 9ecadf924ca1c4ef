import { addressOf, onlyAt, parseAddress } from '../address/index.ts';
import { hasErrors } from '../diagnostics/index.ts';
import { toJsonText } from '../emit/index.ts';
import {
  addressable,
  type Explainable,
  explainable,
  explainField,
  explainInstance,
  explainNode,
  instanceText,
  nodeText,
  originText,
  parsePath,
} from '../explain/index.ts';
import { formatPath } from '../model/path.ts';
import type { Value } from '../model/value.ts';
import { parseArguments, type Settings } from '../options/index.ts';
import { isSecretlyNamed, withNested } from '../rgd/expand/index.ts';
import { didYouMean } from '../text/nearest.ts';
import { visible } from '../text/visible.ts';
import { concludeWith } from './conclude.ts';
import { gatherPaths, refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';
import { painter } from './paint.ts';

const USAGE = 'explain needs KIND/NAME and a PATH; - reads standard input';

/** `render-rgd explain KIND/NAME [NODE|.FIELD] PATH... [options]` */
export async function explainCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'explain');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const [address = '', ...rest] = parsed.paths;
  if (parseAddress(address) === undefined) {
    return refuse(
      address === '' ? USAGE : `explain: '${address}' is not of the form KIND/NAME or KIND/NAMESPACE/NAME`,
      io,
    );
  }
  const [first = ''] = rest;
  const asked = isNode(rest) || isField(first) ? first : undefined;
  const paths = asked === undefined ? rest : rest.slice(1);
  if (paths.length === 0) return refuse(USAGE, io);
  const field = asked?.startsWith('.') === true ? parsePath(asked) : undefined;
  if (asked?.startsWith('.') === true && field === undefined) {
    return refuse(`explain: '${asked}' is no field; write .spec.ports[0].name or .metadata.labels["a.b/c"]`, io);
  }
  const { settings, input, reports } = await gatherPaths(paths, parsed.settings, io);
  if (hasErrors(reports)) return concludeWith(() => [], reports, settings, io);
  const { package: pack, reports: found } = explainable(input, settings);
  if (pack === undefined) return concludeWith(() => [], [...reports, ...found], settings, io);
  const told =
    field === undefined ? tellNode(address, asked, pack, settings, io) : tellField(address, field, pack, settings, io);
  if ('fault' in told) return failed(told.fault, io);
  return concludeWith(() => [told.text], reports, settings, io);
}

/** A second word is a node when a path follows; one with a dot or a slash is a path. */
const isNode = ([first = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 && /^[a-z][A-Za-z0-9]*$/.test(first);
/** `./folder` and `../folder` are paths. */
const isField = (text: string): boolean => text === '.' || /^\.(?![./])/.test(text);

function failed(fault: string, io: Io): number {
  io.stderr(visible(`render-rgd: explain: ${fault}\n`));
  return exitCode.input;
}

type Told = { text: string } | { fault: string };

function tellNode(address: string, id: string | undefined, pack: Explainable, settings: Settings, io: Io): Told {
  const { runs, world } = pack.expansion;
  const all = runs.flatMap(withNested).filter((run) => !isSecretlyNamed(run, world));
  const found = onlyAt(all, ({ instance }) => instance, address, 'instance');
  if ('fault' in found) return found;
  const run = found.found;
  if (id === undefined) {
    const explained = explainInstance(run, pack);
    return { text: settings.output === 'json' ? json(explained) : instanceText(explained, painter(io)) };
  }
  const node = run.graph.nodes.find((one) => one.id === id);
  if (node === undefined) {
    const ids = run.graph.nodes.map((one) => one.id);
    const hint = didYouMean(id, ids) ?? `the nodes are ${ids.join(', ')}; a folder is ./${id}`;
    return { fault: `the RGD ${run.graph.name} has no node ${id}; ${hint}` };
  }
  const explained = explainNode(node, run, pack);
  return { text: settings.output === 'json' ? json(explained) : nodeText(explained, painter(io)) };
}

function tellField(
  address: string,
  path: readonly (string | number)[],
  pack: Explainable,
  settings: Settings,
  io: Io,
): Told {
  const found = onlyAt(addressable(pack), ({ object }) => object, address, 'rendered object');
  if ('fault' in found) return found;
  const explained = explainField(found.found, path, pack);
  if ('fault' in explained) return explained;
  const { origin, value } = explained;
  const object = addressOf(found.found.object);
  if (settings.output === 'json') return { text: json({ object, field: formatPath(path), value, origin }) };
  return { text: originText(object, formatPath(path), value, origin, painter(io)) };
}

const json = (explained: object): string => visible(`${toJsonText(explained as Value, 2)}\n`);
