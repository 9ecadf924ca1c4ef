import { expect, it } from 'vitest';
import { type Sight, untilAtRest } from './rest.ts';
import { turnsOf } from './turns.ts';

/** A case with the listed states, and then the last one. */
function watched(...sights: (Omit<Sight, 'objects'> & Partial<Sight>)[]): {
  label: string;
  looks: number;
  endings: (string | undefined)[];
  look(): Promise<Sight>;
  ended(reason?: string): void;
} {
  return {
    label: 'c0',
    looks: 0,
    endings: [],
    ended(reason) {
      this.endings.push(reason);
    },
    async look() {
      const sight = sights[Math.min(this.looks, sights.length - 1)] as Omit<Sight, 'objects'>;
      this.looks += 1;
      return { objects: 2, ...sight };
    },
  };
}

/** Counts as many reconciliations as reads, and the same time. */
function clock(perLook: number) {
  let [taken, time] = [0, 0];
  return {
    turns: async () => {
      taken += perLook;
      return new Map([['c0', taken]]);
    },
    options: { poll: 0, longest: 100, now: () => time++ },
  };
}

it('ends with a final state', async () => {
  const { turns, options } = clock(1);
  const one = watched({ gist: '', state: 'open' }, { gist: 'a', state: 'final' });
  await untilAtRest([one], turns, options);
  expect(one.looks).toBe(2);
  expect(one.endings).toEqual([undefined]);
});

it('waits until kro reconciled all of a case without a change', async () => {
  const { turns, options } = clock(4);
  const one = watched({ gist: 'a', state: 'expected' }, { gist: 'b', state: 'expected' });
  await untilAtRest([one], turns, options);
  expect(one.looks).toBe(2 + (4 * 2) / 4);
});

it('stops waiting for an unexpected state after many reconciliations', async () => {
  const { turns, options } = clock(4);
  const one = watched({ gist: 'a', state: 'open' });
  await untilAtRest([one], turns, options);
  expect(one.looks).toBe(1 + (30 * 2) / 4);
});

it('checks the result of kro several times', async () => {
  const { turns, options } = clock(0);
  const one = watched({ gist: 'a', state: 'open', objects: 0 });
  await untilAtRest([one], turns, options);
  expect(one.looks).toBe(15);
});

it('waits without a limit while kro does nothing', async () => {
  const { turns, options } = clock(0);
  const one = watched({ gist: 'a', state: 'expected' });
  await untilAtRest([one], turns, options);
  expect(one.looks).toBeGreaterThan(40);
  expect(one.endings).toEqual([undefined]);
});

it('reports an unexpected state that kro did not reconcile again', async () => {
  const { turns, options } = clock(0);
  const [open, refused] = [watched({ gist: 'a', state: 'open' }), watched({ gist: 'b', state: 'refused' })];
  await untilAtRest([open, refused], turns, options);
  expect([...open.endings, ...refused.endings]).toEqual([
    'kro did not come back to it: a',
    'kro did not come back to it: b',
  ]);
});

it('counts the actions of kro for a case', () => {
  const metrics = `# TYPE dynamic_controller_reconcile_total counter
dynamic_controller_reconcile_total{gvr="c1.kro.run/v1alpha1/webs"} 5
dynamic_controller_reconcile_total{gvr="c12.kro.run/v1alpha1/webs"} 1e+06
dynamic_controller_reconcile_total{gvr="kro.run/v1alpha1/webs"} 3
`;
  const log = `2026 INFO Starting workers
2026 ERROR Reconciler error {"controller": "ResourceGraphDefinition", "name": "c1-web", "error": "no"}
{"level":"error","msg":"Reconciler error","name":"c1-web"}
`;
  expect([...turnsOf(metrics, log)]).toEqual([
    ['c1', 7],
    ['c12', 1_000_000],
  ]);
});
