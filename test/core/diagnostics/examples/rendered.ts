import { validate } from '../../../../src/api/index.ts';
import { renderedCases } from '../../../check/validate/rendered-cases.ts';
import type { Example } from './example.ts';

export const renderedExamples = Object.fromEntries(
  Object.entries(renderedCases).map(([code, text]): [string, Example] => {
    const find = () => validate({ objects: [{ file: 'input.yaml', text }] }).diagnostics;
    return [code, { find }];
  }),
) as unknown as Readonly<Record<keyof typeof renderedCases, Example>>;
