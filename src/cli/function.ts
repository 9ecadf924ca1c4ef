import { Collector, publicText, toReport } from '../core/diagnostics/index.ts';
import { readFunctionConfig } from '../render/options/index.ts';
import { runnerText } from './describe.ts';
import { readFiles } from './files.ts';
import { exitCode, type Io } from './io.ts';
import { readAdditionalInputs } from './read-input.ts';
import {
  failedList,
  type RenderedList,
  type ResourceList,
  readListText,
  renderResourceList,
} from './resourcelist/index.ts';
import { rootsOf, withTraces } from './traces.ts';

/**
 * Runs the KRM function: a ResourceList in, a ResourceList out. Reports go to its `results` and to stderr, because
 * runners show one or the other; infos go to `results` only, because kustomize would print them in every build.
 */
export async function runFunction(io: Io): Promise<number> {
  const reports = new Collector();
  const stdin = await io.stdin();
  const list = readInput(stdin, reports);
  const rendered = list === undefined ? undefined : answer(list, reports);
  io.stderr(runnerText(rendered?.reports ?? reports.all));
  io.stdout((rendered?.text ?? []).map((piece) => Buffer.from(piece)));
  return rendered === undefined || rendered.failed ? exitCode.input : exitCode.ok;
}

function readInput(stdin: Uint8Array | Error, reports: Collector): ResourceList | undefined {
  const [stream] = readFiles(['-'], { exclude: [], stdin }, reports);
  return stream === undefined ? undefined : readListText(stream, reports);
}

function answer(list: ResourceList, reports: Collector): RenderedList {
  const { settings, problems } = readFunctionConfig(list.functionConfig);
  const source = { ...list.source, path: ['functionConfig'] };
  for (const problem of problems) reports.add({ ...toReport(problem), object: publicText`functionConfig`, source });
  if (reports.hasErrors) return failedList(list, reports.all);
  const beside = readAdditionalInputs(settings, { exclude: [], stdin: new Uint8Array() }, reports);
  if (reports.hasErrors) return failedList(list, reports.all);
  const rendered = renderResourceList(list, withTraces(beside, rootsOf([])), settings);
  return { ...rendered, reports: [...reports, ...rendered.reports] };
}
