/** A small new project. */
import files from '../../../data/project.json';
import { Collector } from '../../core/diagnostics/index.ts';
import { defaultRenderOptions } from '../../core/model/render.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { objectsToPrint } from '../../kubernetes/select/index.ts';
import { renderPackage } from '../../render/pipeline.ts';
import { toJsonText, toYaml } from '../../yaml/emit/index.ts';
import { readStreams } from '../../yaml/parse/index.ts';
import { rgdJsonSchema } from '../jsonschema/index.ts';
import { schemaOfPackage } from '../offers/index.ts';

/** The path of the command in the workflow. */
export const PROGRAM = 'tools/render-rgd.js';

/**
 * Returns the files of a new project by their paths: an RGD, an instance, a test of it, a kustomization, a workflow, a
 * README and editor settings. Those without lines in the table are computed.
 */
export function projectFiles(): ReadonlyMap<string, string> {
  const rgd = textOf('platform/website.yaml');
  const rendered = renderPackage(read(`${rgd}---\n${textOf('apps/base/blog.yaml')}`), defaultRenderOptions);
  return new Map([
    ...(Object.keys(files) as (keyof typeof files)[]).map((path) => [path, textOf(path)] as const),
    ['tests/blog/expected.yaml', toYaml(objectsToPrint(rendered, { all: false }).objects)],
    ['.vscode/schemas/rgd.json', jsonText(rgdJsonSchema)],
    ['.vscode/schemas/website.json', jsonText(schemaOfPackage(read(rgd), 'Website', defaultRenderOptions).offer ?? {})],
  ]);
}

const textOf = (path: keyof typeof files): string => files[path].map((line) => `${line}\n`).join('');

const jsonText = (value: ValueMap): string => `${toJsonText(value, 2)}\n`;

const read = (text: string) => ({ objects: readStreams([{ file: 'website.yaml', text }], new Collector()) });
