import { expect, it } from 'vitest';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { ownFolders, projectRoot, readCorpus } from '../fuzz/corpus.ts';
import { mutateText } from '../fuzz/mutate-text.ts';
import { randomOf } from '../fuzz/random.ts';
import { LONG, runs } from '../properties/runs.ts';
import { documentedDifferences, undocumented } from './differences.ts';
import { verdictFolder } from './folder.ts';
import { inputs } from './inputs.ts';

const seed = Number(process.env.SEED ?? 1);

/** Restricts a run to one mutant, by its number. */
const only = process.env.ONLY === undefined ? undefined : Number(process.env.ONLY);

const ask = verdictFolder();

it(
  'the verdict of every surface is the same for mutants of the cases, but for the documented differences',
  async () => {
    const known = documentedDifferences();
    const corpus = readCorpus(ownFolders(projectRoot));
    const all = [...inputs()];
    const differences: string[] = [];
    for (let index = 0; index < runs(300).numRuns; index++) {
      if (only !== undefined && only !== index) continue;
      const random = randomOf(seed, index);
      const base = all[index % all.length];
      if (base === undefined) continue;
      const text = new TextDecoder().decode(new TextEncoder().encode(mutateText(base.text, random, corpus)));
      // Files without documents, and templates, are errors of the commands that read files.
      if (readStream(text).documents.length === 0) continue;
      const verdicts = await ask({ ...base, text, options: { ...base.options, strict: index % 2 === 0 } });
      if (verdicts.get('validate')?.includes('template-file')) continue;
      differences.push(
        ...undocumented(verdicts, known).map((line) => `SEED=${seed} ONLY=${index}, ${base.name}: ${line}`),
      );
    }
    expect(differences).toEqual([]);
  },
  LONG,
);
