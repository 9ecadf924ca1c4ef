import { validate } from '../../../../src/api/index.ts';
import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import { lintCases } from '../../../check/lint/cases.ts';
import type { Example } from './example.ts';

type LintCode = Extract<Code, `lint-${string}`>;

/** The first case of each lint. */
export const lintExamples = Object.fromEntries(
  Object.entries(lintCases).map(([code, { found, severity = 'warning' }]): [string, Example] => {
    const [text = ''] = Object.values(found);
    const find = () => validate({ objects: [{ file: 'input.yaml', text }] }).diagnostics;
    return [code, { find, severity }];
  }),
) as unknown as Readonly<Record<LintCode, Example>>;
