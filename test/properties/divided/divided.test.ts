import { describe, expect, it } from 'vitest';
import { type DividedOptions, type KnownParts, validateInParts } from '../../../src/check/divided/index.ts';
import { validatePackage } from '../../../src/check/validate/index.ts';
import type { Report } from '../../../src/core/diagnostics/index.ts';
import type { Evidence } from '../../../src/core/ledger/index.ts';
import type { Source } from '../../../src/core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../../src/core/model/render.ts';
import { kro } from '../../../src/kro/front-end.ts';
import { SourceFile } from '../../../src/language-server/workspace/file.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { drawFrom, seed } from '../../seed.ts';
import { runs } from '../runs.ts';
import { edit, randomTexts, type Texts } from './random-package.ts';

const OPTIONS: readonly Partial<RenderOptions>[] = [
  {},
  { strict: true },
  { namespace: 'a' },
  { clusterScoped: ['Widget.widgets.example.com'] },
];

const EDITS = 25;

/** The files of a package, which keep the values of documents that do not change. */
class Files {
  #files = new Map<string, SourceFile>();

  read(texts: Texts): RenderInput {
    this.#files = new Map(
      [...texts].map(([name, documents]) => [
        name,
        new SourceFile(name, documents.join('---\n'), undefined, this.#files.get(name)),
      ]),
    );
    const files = [...this.#files.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
    return { objects: files.flatMap(({ read }) => read.documents) };
  }
}

const placeOf = (source: Source | undefined): unknown =>
  source && [source.file, source.document, source.path, source.text.length];

const keysOf = (reports: readonly Report[]): string[] =>
  reports
    .map(({ source, instance, related, ...rest }) =>
      JSON.stringify([
        rest,
        placeOf(source),
        placeOf(instance),
        related?.map((one) => [one.message, placeOf(one.source), one.path]),
      ]),
    )
    .sort();

const sumsOf = ({ given, documents, rendered, opaque, pending }: Evidence): unknown => ({
  given: given.map((one) => JSON.stringify(one)).sort(),
  documents: documents.map((one) => JSON.stringify(one)).sort(),
  rendered: rendered.all,
  named: rendered.named.map((one) => JSON.stringify(one)).sort(),
  opaque,
  pending,
});

function wholeOf(input: RenderInput, { also: _, ...options }: DividedOptions): unknown {
  const { reports, rendering, evidence } = validatePackage(input, options);
  return {
    reports: keysOf(reports),
    evidence: sumsOf({ ...evidence, policies: { all: 0, named: [] } }),
    graphs: [...(rendering.of(kro)?.graphs.keys() ?? [])].sort(),
  };
}

describe('a validation in parts', () => {
  it('has the results of a whole validation after each of many edits', () => {
    let divided = 0;
    for (let run = 0; run < runs(60).numRuns; run += 1) {
      const draw = drawFrom(seed * 1000 + run);
      const options: DividedOptions = { ...defaultRenderOptions, ...OPTIONS[draw(OPTIONS.length)], keeps: true };
      const texts = randomTexts(draw);
      const files = new Files();
      let parts: KnownParts | undefined;
      let done = 'starts';
      for (let step = 0; step < EDITS; step += 1) {
        const input = files.read(texts);
        const found = validateInParts(input, options, parts);
        const result = {
          reports: keysOf(found.reports),
          evidence: sumsOf(found.evidence),
          graphs: [...found.graphs.keys()].sort(),
        };
        expect(result, `run ${run}, step ${step}: ${done}`).toEqual(wholeOf(input, { ...options, keeps: false }));
        if (found.parts.all.length > 1) divided += 1;
        parts = found.parts;
        done = edit(texts, draw);
      }
    }
    expect(divided).toBeGreaterThan((runs(60).numRuns * EDITS) / 4);
  });
});
