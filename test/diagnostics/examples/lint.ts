import { validate } from '../../../src/api/index.ts';
import type { Code } from '../../../src/diagnostics/codes.ts';
import { lintCases } from '../../lint/cases.ts';
import type { Example } from './example.ts';

type LintCode = Extract<Code, `lint-${string}`>;

/** The first case of each lint. */
export const lintExamples = Object.fromEntries(
  Object.entries(lintCases).map(([code, { found }]): [string, Example] => {
    const [text = ''] = Object.values(found);
    const find = () => validate({ objects: [{ file: 'input.yaml', text }] }).diagnostics;
    return [code, { find, severity: 'warning' }];
  }),
) as unknown as Readonly<Record<LintCode, Example>>;
