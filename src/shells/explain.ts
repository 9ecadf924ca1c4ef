import { parseAddress } from '../address/index.ts';
import { toJsonText } from '../emit/index.ts';
import { explainPackage, explanationText, parsePath, type Question } from '../explain/index.ts';
import type { Value } from '../model/value.ts';
import { parseArguments } from '../options/index.ts';
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
  if (reports.hasErrors) return concludeWith(() => [], reports.all, settings, io);
  const question: Question =
    field !== undefined ? { object: address, field } : { object: address, ...(asked !== undefined && { node: asked }) };
  const { explanation, fault, reports: found } = explainPackage(input, question, settings);
  if (fault !== undefined) {
    io.stderr(visible(`render-rgd: explain: ${fault}\n`));
    return exitCode.input;
  }
  if (explanation === undefined) return concludeWith(() => [], [...reports, ...found], settings, io);
  const write = (): string =>
    settings.output === 'json'
      ? visible(`${toJsonText(explanation.told as object as Value, 2)}\n`)
      : explanationText(explanation, painter(io));
  return concludeWith(() => [write()], reports.all, settings, io);
}

/** A second word is a node when a path follows; one with a dot or a slash is a path. */
const isNode = ([first = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 && /^[a-z][A-Za-z0-9]*$/.test(first);
/** `./folder` and `../folder` are paths. */
const isField = (text: string): boolean => text === '.' || /^\.(?![./])/.test(text);
