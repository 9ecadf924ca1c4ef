import type { KroVersion } from '../../src/core/model/render.ts';
import type { TextPackage } from './as-text.ts';
import type { Verdict } from './compare.ts';
import { type Oracle, startOracle } from './oracle.ts';
import type { GeneratedPackage } from './packages.ts';

/** A running oracle. */
export interface Judge extends Omit<Oracle<GeneratedPackage, Verdict>, 'ask'> {
  /** Sends packages as YAML. */
  askTexts(packages: readonly Pick<TextPackage, 'input' | 'observedInput'>[]): Promise<Verdict[]>;
  ask(packages: readonly GeneratedPackage[], wanted?: Wanted): Promise<Verdict[]>;
}

/** What is requested beside the objects. */
interface Wanted {
  /** The CRDs that kro generates. */
  crds?: boolean;
  /** What each instance came to. */
  outcomes?: boolean;
  /** Selectors find no rendered objects. */
  unselected?: boolean;
}

/** Starts the oracle of a release of kro; `command` is the program and its arguments. */
export function startJudge(command: readonly string[], kro?: KroVersion): Judge {
  const { ask, close } = startOracle<GeneratedPackage | Pick<TextPackage, 'input' | 'observedInput'>, Verdict>(command);
  const ofRelease = (verdicts: Verdict[]): Verdict[] =>
    kro === undefined ? verdicts : verdicts.map((verdict) => ({ ...verdict, kro }));
  return {
    ask: async (packages, wanted = {}) => ofRelease(await ask(packages.map((each) => ({ ...each, ...wanted })))),
    askTexts: async (packages) =>
      ofRelease(
        await ask(packages.map(({ input, observedInput }) => ({ input, observedInput, crds: true, outcomes: true }))),
      ),
    close,
  };
}
