/** A small new project. */
import table from '../../../data/project.json';
import { Collector } from '../../core/diagnostics/index.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { rgdJsonSchema } from '../../describe/jsonschema/index.ts';
import { schemaOfPackage } from '../../describe/offers/index.ts';
import { objectsToPrint } from '../../kubernetes/select/index.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import { renderPackage } from '../../render/pipeline.ts';
import { toJsonText, toYaml } from '../../yaml/emit/index.ts';
import { readStreams } from '../../yaml/parse/index.ts';

const PROGRAM = 'tools/render-rgd.js';

/** The comment and the sentence that say what to do without a release. */
const COMMENT = /^(?:# .*\n)+/;
const SENTENCE = 'installs a release of `render-rgd` and checks its checksum.';
/** The step of the workflow that installs a release. */
const DOWNLOAD = /(?<=- name: Install render-rgd\n)(?: {8}.*\n)+/;
const COPY = `        run: |
          install -D ${PROGRAM} "$HOME/.local/bin/render-rgd"
          echo "$HOME/.local/bin" >>"$GITHUB_PATH"
`;

/** Returns the files of a new project by path. With `program`, the text of the command, it has a copy of it. */
export function projectFiles(program?: string): ReadonlyMap<string, string> {
  const rgd = textOf('platform/website.yaml');
  const rendered = renderPackage(read(`${rgd}---\n${textOf('apps/base/blog.yaml')}`), defaultRenderOptions);
  const files = new Map([
    ...(Object.keys(table) as (keyof typeof table)[]).map((path) => [path, textOf(path)] as const),
    ['tests/blog/expected.yaml', toYaml(objectsToPrint(rendered, { all: false }).objects)],
    ['.vscode/schemas/rgd.json', jsonText(rgdJsonSchema)],
    ['.vscode/schemas/website.json', jsonText(schemaOfPackage(read(rgd), 'Website', defaultRenderOptions).offer ?? {})],
  ]);
  if (program === undefined) return files;
  const workflow = textOf('.github/workflows/render.yaml').replace(COMMENT, '');
  files.set(
    '.github/workflows/render.yaml',
    workflow.replace(DOWNLOAD, () => COPY),
  );
  const readme = textOf('README.md');
  const start = readme.indexOf(SENTENCE);
  const end = readme.indexOf('\n\n', start);
  files.set('README.md', `${readme.slice(0, start)}runs the copy \`${PROGRAM}\`.${readme.slice(end)}`);
  return files.set(PROGRAM, program);
}

const textOf = (path: keyof typeof table): string => table[path].map((line) => `${line}\n`).join('');

const jsonText = (value: ValueMap): string => `${toJsonText(value, 2)}\n`;

const read = (text: string) => ({ objects: readStreams([{ file: 'website.yaml', text }], new Collector()) });
