import { isError, type Report } from '../diagnostics/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import { readFunctionConfig } from '../options/function-config.ts';
import { readStreams, refusedIfTwice } from '../parse/streams.ts';
import {
  failedList,
  type RenderedList,
  type ResourceList,
  readResourceList,
  renderResourceList,
} from '../resourcelist/index.ts';
import { runnerText } from './describe.ts';
import { readFiles } from './files.ts';
import { exitCode, type Io } from './io.ts';
import { objectsOutput } from './output.ts';
import { readBeside } from './read-input.ts';

/**
 * The KRM function: a ResourceList in, a ResourceList out. Reports go into its `results` and to stderr, since each
 * runner shows another; infos go into `results` only, kustomize would show them at every build.
 */
export async function runFunction(io: Io): Promise<number> {
  const reports: Report[] = [];
  const stdin = await io.stdin();
  const list = readInput(stdin, reports);
  const rendered = list === undefined ? undefined : answer(list, reports);
  const output = rendered === undefined ? [] : objectsOutput([rendered.value as KubeObject], 'yaml');
  io.stderr(runnerText(rendered?.reports ?? reports));
  io.stdout(output);
  return rendered === undefined || rendered.failed ? exitCode.input : exitCode.ok;
}

function readInput(stdin: Uint8Array | Error, reports: Report[]): ResourceList | undefined {
  const documents = readStreams(readFiles(['-'], { exclude: [], stdin }, reports), reports);
  if (reports.some(isError)) return undefined;
  const [first, second] = documents;
  const source = first?.source;
  const read =
    source === undefined || second !== undefined
      ? { code: 'resource-list' as const, message: 'standard input must hold one ResourceList', path: [] }
      : readResourceList(first?.object ?? null, source);
  if (!('code' in read)) return read;
  reports.push({ ...read, ...(source === undefined ? {} : { source }) });
  return undefined;
}

function answer(list: ResourceList, reports: Report[]): RenderedList {
  const { settings, problems } = readFunctionConfig(list.functionConfig);
  const source = { ...list.source, path: ['functionConfig'] };
  for (const problem of problems) reports.push({ ...problem, object: 'functionConfig', source });
  if (settings.strict) reports.splice(0, reports.length, ...reports.map(refusedIfTwice));
  if (reports.some(isError)) return failedList(list, reports);
  const beside = readBeside(settings, { exclude: [], stdin: new Uint8Array() }, reports);
  if (reports.some(isError)) return failedList(list, reports);
  const rendered = renderResourceList(list, beside, settings);
  return { ...rendered, reports: [...reports, ...rendered.reports] };
}
