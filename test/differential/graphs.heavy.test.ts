import { describe, expect, it } from 'vitest';
import { compared, ours } from './compare.ts';
import { digestOf, objectsOf, recordedGraphs } from './graphs-recorded.ts';

const all = recordedGraphs();

describe('generated Graphs', () => {
  it('are those that kro has rendered, most of them without a difference on purpose', () => {
    const [none, others] = [all.filter(({ recorded }) => recorded === null), all.filter(({ recorded }) => recorded)];
    expect(none.length).toBeLessThan(25);
    // `npm run differential -- --kro 0.10 --kro-sources DIR --write` records the answers again.
    expect(others.filter(({ input, recorded }) => digestOf(input) !== recorded?.input)).toEqual([]);
    expect(others.filter(({ recorded }) => recorded?.stage === '').length).toBeGreaterThan(10);
  });

  it('render as in kro', () => {
    const wrong = all.flatMap(({ input, recorded }): unknown[] => {
      if (recorded === null) return [];
      const { stage, error, subject } = recorded;
      const mine = ours(input, undefined, '0.10');
      if (mine.stage === '' && stage === '') return digestOf(objectsOf(mine)) === recorded.objects ? [] : [input];
      const found = compared(input, { id: '', kro: '0.10', stage, error, subject });
      return found === undefined ? [] : [found];
    });
    expect(wrong).toEqual([]);
  });
});
