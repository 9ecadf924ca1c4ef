import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArguments } from '../../src/cli/command.ts';
import { sharedOptions } from '../../src/render/options/index.ts';
import { toJsonText } from '../../src/yaml/emit/index.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { mistakes } from '../cli/mistakes.ts';
import type { VerdictInput, VerdictOptions } from './surfaces.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface NamedInput extends VerdictInput {
  name: string;
  /** The folder of its kind: `conformance`, `examples`; `mistakes` for those of new users. */
  kind: string;
}

/** The conformance cases and the cases of this repository, below a folder of them. */
export function* casesIn(root: string): Generator<NamedInput> {
  for (const folder of foldersIn(root)) {
    const text = readFileSync(join(folder, 'input.yaml'), 'utf8');
    const observed = join(folder, 'observed.yaml');
    const options = optionsIn(join(folder, 'args.json'));
    if (options === undefined) continue;
    const live = existsSync(observed) ? asObserved(readFileSync(observed, 'utf8')) : '';
    const name = relative(here('..'), folder);
    yield { name, kind: basename(root), file: 'input.yaml', text: text + live, options };
  }
}

const foldersIn = (root: string): string[] =>
  existsSync(join(root, 'input.yaml'))
    ? [root]
    : readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(root, name))
        .sort()
        .flatMap(foldersIn);

/** Returns the options of a case that every surface takes; `undefined` if it has others. */
function optionsIn(file: string): VerdictOptions | undefined {
  const args: string[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const { values } = parseArguments(args, sharedOptions);
  const others = Object.keys(values).filter(
    (name) => !['strict', 'namespace', 'onPending', 'assumeEmptyStatus', 'allowEmpty'].includes(name),
  );
  return others.length > 0 ? undefined : ({ ...values } as VerdictOptions);
}

/** Returns live objects as documents of the package itself. */
function asObserved(text: string): string {
  const documents = readStream(text).documents.map(({ value }) => {
    const object = value as { metadata?: { annotations?: object } };
    const annotations = { ...object.metadata?.annotations, 'render-rgd.dev/observed': 'true' };
    return { ...object, metadata: { ...object.metadata, annotations } };
  });
  return documents.map((one) => `\n---\n${toJsonText(one as never)}`).join('');
}

/** All inputs of this repository. */
export function* inputs(): Generator<NamedInput> {
  yield* casesIn(here('../conformance'));
  yield* casesIn(here('../cases'));
  yield* textsIn(here('../../examples'));
  for (const [name, { files }] of Object.entries(mistakes)) {
    const [text] = Object.values(files);
    if (text !== undefined) yield { name, kind: 'mistakes', file: 'input.yaml', text, options: {} };
  }
}

/** The examples: all files of each folder that has some, as one text. */
function* textsIn(root: string): Generator<NamedInput> {
  const entries = readdirSync(root, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries.filter((one) => one.isFile() && /\.ya?ml$/.test(one.name)).map(({ name }) => join(root, name));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n---\n');
  if (text !== '')
    yield { name: relative(here('../..'), root), kind: 'examples', file: 'input.yaml', text, options: {} };
  for (const one of entries) if (one.isDirectory()) yield* textsIn(join(root, one.name));
}
