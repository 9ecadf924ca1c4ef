import type { TextPackage } from './as-text.ts';
import { compared, type Disagreement, disagreement, ours, theirs, type Verdict } from './compare.ts';
import { packageOfExpressions } from './expression-packages.ts';
import type { Judge } from './judge.ts';
import { isLeftToChance, purposeOf } from './on-purpose.ts';
import type { GeneratedPackage } from './packages.ts';
import { lacks } from './published.ts';
import { variationOf } from './variations.ts';

export interface Example {
  input: GeneratedPackage;
  found: Disagreement;
}

export interface Group {
  count: number;
  /** The first few. */
  examples: Example[];
}

export interface Comparison {
  packages(inputs: readonly GeneratedPackage[]): Promise<void>;
  /** Compares packages that both sides read as YAML. */
  texts(inputs: readonly TextPackage[]): Promise<void>;
  expressions(texts: readonly string[]): Promise<void>;
  count(): { total: number; onPurpose: number; open: number };
  /** The disagreements, by group. */
  groups: ReadonlyMap<string, Group>;
  /** The number of verdicts by stage: it shows if generators only create invalid packages. */
  stages: ReadonlyMap<string, number>;
}

/** The number of expressions in one package, until one of them is rejected. */
const TOGETHER = 10;

/**
 * Compares renderings with the verdicts of an oracle, and keeps some examples of each disagreement. `version` is the
 * published version of kro that the oracle runs, if it is not the default.
 */
export function compareWith(judge: Judge, kept: number, version = ''): Comparison {
  const groups = new Map<string, Group>();
  const stages = new Map<string, number>();
  let total = 0;
  let onPurpose = 0;
  let open = 0;

  const note = async (input: GeneratedPackage, verdict: Verdict, found: Disagreement | undefined): Promise<void> => {
    total += 1;
    const stage = verdict.stage ?? 'applied';
    stages.set(stage, (stages.get(stage) ?? 0) + 1);
    if (found === undefined) return;
    const isOnPurpose =
      purposeOf(found, input, verdict.kro) !== undefined ||
      lacks[version]?.some((row) => row.holds(found, input)) === true ||
      (await variationOf(judge, input, verdict, found)) !== undefined ||
      (await isLeftToChance(judge, input));
    if (isOnPurpose) {
      onPurpose += 1;
      return;
    }
    open += 1;
    const group = groups.get(found.group) ?? { count: 0, examples: [] };
    group.count += 1;
    if (group.examples.length < kept) group.examples.push({ input, found });
    groups.set(found.group, group);
  };

  const packages = async (inputs: readonly GeneratedPackage[]): Promise<void> => {
    const verdicts = await judge.ask(inputs, { crds: true, outcomes: true });
    for (const [index, input] of inputs.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) throw new Error('no verdict');
      await note(input, verdict, compared(input, verdict));
    }
  };

  const texts = async (inputs: readonly TextPackage[]): Promise<void> => {
    const verdicts = await judge.askTexts(inputs);
    for (const [index, { read, input }] of inputs.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) throw new Error('no verdict');
      if (!(read instanceof Error)) await note(read, verdict, compared(read, verdict));
      else if (verdict.stage === 'parse') total += 1;
      else {
        const found = { stages: ['parse', verdict.stage ?? ''] as const, group: 'the text is not read here' };
        const whole = { objects: [{ text: input }], observed: [] };
        await note(whole, verdict, { ...found, ours: read.message, theirs: verdict.error ?? 'ok' });
      }
    }
  };

  /** Returns the packages that both sides render equally. */
  const alike = async (inputs: readonly GeneratedPackage[]): Promise<boolean[]> => {
    const verdicts = await judge.ask(inputs);
    return inputs.map((input, index) => {
      const verdict = verdicts[index];
      const mine = ours(input, undefined, verdict?.kro);
      return verdict !== undefined && mine.stage === '' && disagreement(mine, theirs(verdict, input)) === undefined;
    });
  };

  const expressions = async (texts: readonly string[]): Promise<void> => {
    const bundles = Array.from({ length: Math.ceil(texts.length / TOGETHER) }, (_, index) =>
      texts.slice(index * TOGETHER, (index + 1) * TOGETHER),
    );
    const agreed = await alike(bundles.map(packageOfExpressions));
    const applied = bundles.filter((_, index) => agreed[index]).flat().length;
    total += applied;
    stages.set('applied', (stages.get('applied') ?? 0) + applied);
    const single = bundles.filter((_, index) => !agreed[index]).flat();
    await packages(single.map((text) => packageOfExpressions([text])));
  };

  return { packages, texts, expressions, groups, stages, count: () => ({ total, onPurpose, open }) };
}
