import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type CoverageCollector,
  compareExpected,
  type ExpectedDiagnostic,
  type Ran,
  readExpected,
  renderForTest,
  type Verdict,
} from '../../authoring/golden/index.ts';
import { readInput } from '../../authoring/input/index.ts';
import { reviewAlone } from '../../authoring/review/index.ts';
import { Collector, type Diagnostic } from '../../core/diagnostics/index.ts';
import { type InputObject, textsByFile } from '../../core/model/object.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { flattenObjects, readStreams } from '../../yaml/parse/index.ts';
import { readFiles } from '../files.ts';
import { readerWith } from '../gather.ts';
import { readPolicyFiles } from '../settings.ts';
import { FILES, readExpectation, readTest, readYaml, type TestCase } from './case.ts';

/** The result of a test. */
export interface Outcome {
  folder: string;
  /** Why it cannot run; then the other fields are meaningless. */
  fault?: { file: string; message: string };
  verdict: Verdict;
  objects: Ran['objects'];
  diagnostics: readonly Diagnostic[];
  sources: ReadonlyMap<string, string>;
  expectsDiagnostics: boolean;
  /** The expected objects in their file. */
  expected: readonly InputObject[];
}

const NOTHING: Omit<Outcome, 'folder'> = {
  verdict: { passed: false, comparison: undefined, unexpected: [], missing: [] },
  objects: [],
  diagnostics: [],
  sources: new Map(),
  expectsDiagnostics: false,
  expected: [],
};

export function runTest(folder: string, collector: CoverageCollector | undefined, updating: boolean): Outcome {
  const test = readTest(folder);
  const broken = (file: string, message: string): Outcome => {
    const fault = { file: join(folder, file), message };
    return { ...NOTHING, folder, fault };
  };
  if ('fault' in test) return broken(FILES.test, test.fault);
  const expectedDiagnostics = readDiagnostics(folder);
  if (expectedDiagnostics !== undefined && 'fault' in expectedDiagnostics) {
    return broken(FILES.diagnostics, expectedDiagnostics.fault);
  }
  const wanted = readObjects(folder);
  if (wanted !== undefined && 'fault' in wanted) return broken(FILES.objects, wanted.fault);
  const isSilent = wanted === undefined && expectedDiagnostics === undefined && test.partial === undefined;
  if (!updating && isSilent) {
    return broken(FILES.test, `nothing is expected: there is no ${FILES.objects}, which --update writes`);
  }
  const rendered = render(test, collector);
  const shown = rendered.diagnostics.map((one) =>
    one.file === undefined ? one : { ...one, file: relative(folder, one.file) },
  );
  const expected = {
    objects: wanted?.map(({ object }) => reviewAlone(object)) ?? (isSilent ? [] : undefined),
    partial: test.partial,
    diagnostics: expectedDiagnostics,
  };
  const verdict = compareExpected(expected, rendered.objects, shown);
  const expectsDiagnostics = expectedDiagnostics !== undefined;
  return { ...rendered, folder, verdict, expectsDiagnostics, expected: wanted ?? [] };
}

function render(
  { paths, settings, policies }: TestCase,
  collector: CoverageCollector | undefined,
): Pick<Outcome, 'objects' | 'diagnostics' | 'sources'> {
  const reports = new Collector();
  const options = { exclude: settings.exclude };
  const texts = readFiles(paths, { ...options, missing: 'error' }, reports);
  const beside = readPolicyFiles(policies, {}, options, reports);
  const input = { ...readInput(texts, settings, readerWith(options), reports), policies: beside };
  const ran = reports.hasErrors ? { objects: [], reports: [] } : renderForTest(input, settings, collector);
  const all = [...reports, ...ran.reports];
  return { objects: ran.objects, diagnostics: toDiagnostics(all), sources: textsByFile(all) };
}

function readDiagnostics(folder: string): ExpectedDiagnostic[] | { fault: string } | undefined {
  const file = join(folder, FILES.diagnostics);
  if (!existsSync(file)) return undefined;
  const read = readYaml(file);
  return 'fault' in read ? read : readExpected(read.value ?? []);
}

/** Returns the expected objects, with their locations in the file. */
function readObjects(folder: string): InputObject[] | { fault: string } | undefined {
  const file = join(folder, FILES.objects);
  if (!existsSync(file)) return undefined;
  const text = readExpectation(file);
  if (typeof text !== 'string') return text;
  const reports = new Collector();
  const objects = flattenObjects(readStreams([{ file, text }], reports), reports);
  const [first] = reports;
  return first === undefined ? objects : { fault: first.message };
}
