import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import { compatExamples } from './compat.ts';
import { compileExamples } from './compile.ts';
import type { Example } from './example.ts';
import { exploreExamples } from './explore.ts';
import { extractExamples } from './extract.ts';
import { lintExamples } from './lint.ts';
import { observeExamples } from './observe.ts';
import { parseExamples } from './parse.ts';
import { planExamples } from './plan.ts';
import { policyExamples } from './policy.ts';
import { collisionExamples, expandExamples, instanceExamples, pendingExamples } from './render.ts';
import { renderedExamples } from './rendered.ts';
import { resourceSetExamples } from './resourceset.ts';
import { ruleExamples } from './rules.ts';
import { testExamples } from './test.ts';
import { treeExamples } from './tree.ts';

/** A code without an example does not type-check, nor does it pass below. */
export const examples: Readonly<Record<Code, Example>> = {
  ...parseExamples,
  ...observeExamples,
  ...compileExamples,
  ...instanceExamples,
  ...expandExamples,
  ...treeExamples,
  ...pendingExamples,
  ...collisionExamples,
  ...lintExamples,
  ...renderedExamples,
  ...testExamples,
  ...resourceSetExamples,
  ...compatExamples,
  ...exploreExamples,
  ...extractExamples,
  ...planExamples,
  ...policyExamples,
  ...ruleExamples,
};
