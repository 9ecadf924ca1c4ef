import { describe, expect, it } from 'vitest';
import { render, validate } from '../../../src/api/index.ts';
import type { Diagnostic } from '../../../src/core/diagnostics/index.ts';
import { fine, refusedSecret, refusedTwice, renderedCases } from './rendered-cases.ts';

const found = (text: string): Diagnostic[] =>
  validate({ objects: [{ file: 'x.yaml', text }] }, { disable: ['lint-unread-field'] }).diagnostics;

describe('the validation of rendered objects', () => {
  it('accepts objects that match their kinds', () => expect(found(fine)).toEqual([]));

  it.each(Object.entries(renderedCases))('rejects %s', (code, text) => {
    const [one, ...others] = found(text);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ code, object: 'X/x0', node: 'a', file: 'x.yaml', line: 3 });
    expect(one?.field).toMatch(/^spec\.resources\[0\]\.template\.spec/);
  });

  it.each(Object.entries(renderedCases))('does not fail rendering: %s', (_, text) => {
    expect(render({ objects: [{ file: 'x.yaml', text }] }).objects).toHaveLength(1);
  });

  it('reports the line of the RGD that renders the field', () => {
    const [one] = found(renderedCases['rendered-value']);
    const line = renderedCases['rendered-value'].split('\n')[2] ?? '';
    expect(line.slice((one?.column ?? 0) - 1)).toMatch(/^"\$\{schema\.spec\.value\.size\}"/);
    expect(one?.message).toBe('the API server rejects this Disk: spec.size: should be greater than or equal to 1');
  });

  it('reports errors of several instances once', () => {
    expect(found(refusedTwice).map(({ message }) => message)).toEqual([
      'the API server rejects this Disk: spec.size: should be greater than or equal to 1 (2 objects)',
    ]);
  });

  it('hides values of Secrets', () => {
    const told = found(refusedSecret);
    expect(told).toMatchObject([{ code: 'rendered-value', object: 'X/x0' }]);
    expect(JSON.stringify(told)).not.toContain('not?base64');
  });
});
