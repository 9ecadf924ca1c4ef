import type { KroVersion } from '../../src/core/model/render.ts';
import type { Verdict } from './compare.ts';
import { type Oracle, startOracle } from './oracle.ts';
import type { GeneratedPackage } from './packages.ts';

/** A running oracle. */
export interface Judge extends Omit<Oracle<GeneratedPackage, Verdict>, 'ask'> {
  /** Sends packages; also requests the CRDs that kro generates, and what each instance came to. */
  ask(packages: readonly GeneratedPackage[], wanted?: { crds?: boolean; outcomes?: boolean }): Promise<Verdict[]>;
}

/** Starts the oracle of a release of kro; `command` is the program and its arguments. */
export function startJudge(command: readonly string[], kro?: KroVersion): Judge {
  const { ask, close } = startOracle<GeneratedPackage, Verdict>(command);
  return {
    async ask(packages, wanted = {}) {
      const verdicts = await ask(packages.map((each) => ({ ...each, ...wanted })));
      return kro === undefined ? verdicts : verdicts.map((verdict) => ({ ...verdict, kro }));
    },
    close,
  };
}
