import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { chooseWaves, ownWave, type Step } from '../../../src/kubernetes/label/lines.ts';
import { phaseOf } from '../../../src/kubernetes/label/order.ts';

const annotated = (annotations: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', annotations },
});
const step = (after: number[], own?: number): Step => ({ after, own });

describe('waves', () => {
  it.each<[string, Step[], number[]]>([
    ['are the depth in the graph', [step([]), step([0]), step([0, 1])], [0, 1, 2]],
    ['move behind the author\u2019s', [step([], 5), step([0]), step([1])], [5, 6, 7]],
    ['stay where the author puts one low', [step([], -3), step([0])], [-3, 0]],
    // What comes after it keeps the wave of an object without an annotation.
    ['go before what the author puts early', [step([]), step([0], -5), step([1])], [-6, -5, 0]],
  ])('%s', (_, steps, expected) => {
    expect(chooseWaves(steps)).toEqual({ waves: expected, conflicts: [] });
  });

  it('are placed before early waves of the author', () => {
    expect(chooseWaves([step([]), step([0]), step([1], -5)]).waves).toEqual([-7, -6, -5]);
  });

  it.each<[number, number, number]>([
    [3, 3, 4],
    [3, 1, 4],
    [-1, -1, 0],
  ])('of the author, %i before %i, are a conflict', (first, second, least) => {
    const { conflicts } = chooseWaves([step([], first), step([0], second)]);
    expect(conflicts).toEqual([{ step: 1, least, because: 0 }]);
  });

  it('of the author have room for others between them', () => {
    const between = (last: number) => chooseWaves([step([], 1), step([0]), step([1]), step([2], last)]);
    expect(between(4)).toEqual({ waves: [1, 2, 3, 4], conflicts: [] });
    expect(between(3).conflicts).toEqual([{ step: 3, least: 4, because: 0 }]);
  });

  it('keep every order, in any graph whose own waves are consistent', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let kept = 0;
    for (let run = 0; run < 2_000; run += 1) {
      const steps = Array.from({ length: 1 + random(9) }, (_, index) =>
        step(
          Array.from({ length: index }, (__, before) => before).filter(() => random(3) === 0),
          random(3) === 0 ? random(13) - 4 : undefined,
        ),
      );
      const { waves, conflicts } = chooseWaves(steps);
      const broken = steps.flatMap(({ after }, index) =>
        after.filter((before) => (waves[before] as number) >= (waves[index] as number)),
      );
      for (const [index, { own }] of steps.entries()) if (own !== undefined) expect(waves[index]).toBe(own);
      if (conflicts.length === 0) {
        expect(broken, JSON.stringify(steps)).toEqual([]);
        kept += 1;
      } else expect(broken.length, JSON.stringify(steps)).toBeGreaterThan(0);
    }
    expect(kept).toBeGreaterThan(300);
  });

  it('of a deep chain do not overflow the stack', () => {
    const steps = Array.from({ length: 100_000 }, (_, index) => step(index === 0 ? [] : [index - 1]));
    expect(chooseWaves(steps.toReversed().map(() => step([]))).waves).toHaveLength(100_000);
    expect(chooseWaves(steps).waves.at(-1)).toBe(99_999);
  });
});

describe('the wave of an author', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'argocd.argoproj.io/sync-wave': '5' }, 5],
    [{ 'argocd.argoproj.io/sync-wave': '+5' }, 5],
    [{ 'argocd.argoproj.io/sync-wave': '-05' }, -5],
    [{ 'argocd.argoproj.io/sync-wave': '5 ' }, 0],
    [{ 'argocd.argoproj.io/sync-wave': '' }, 0],
    [{ 'argocd.argoproj.io/sync-wave': 'x', 'helm.sh/hook-weight': '2' }, 2],
    [{ 'helm.sh/hook-weight': '-2' }, -2],
    [{ 'helm.sh/hook-weight': 'x' }, undefined],
  ])('%j is %s, as Argo CD reads it', (annotations, expected) => {
    expect(ownWave(annotated(annotations))).toBe(expected);
  });
});

describe('the phase of an object', () => {
  it.each<[Record<string, string>, string]>([
    [{}, 'Sync'],
    [{ 'argocd.argoproj.io/hook': 'PreSync' }, 'PreSync'],
    [{ 'argocd.argoproj.io/hook': 'PostSync, Sync' }, 'Sync'],
    [{ 'argocd.argoproj.io/hook': 'SyncFail' }, 'SyncFail'],
    [{ 'argocd.argoproj.io/hook': 'Skip' }, 'none'],
    [{ 'argocd.argoproj.io/hook': 'Skip,PreSync' }, 'PreSync'],
    [{ 'argocd.argoproj.io/hook': 'PostDelete' }, 'none'],
    [{ 'argocd.argoproj.io/hook': 'presync' }, 'none'],
    [{ 'helm.sh/hook': 'pre-install,pre-upgrade' }, 'PreSync'],
    [{ 'helm.sh/hook': 'post-install' }, 'PostSync'],
    [{ 'helm.sh/hook': 'crd-install' }, 'Sync'],
    [{ 'helm.sh/hook': 'test' }, 'none'],
    [{ 'helm.sh/hook': 'post-install', 'argocd.argoproj.io/hook': 'PreSync' }, 'PreSync'],
  ])('%j is %s', (annotations, expected) => {
    expect(phaseOf(annotated(annotations))).toBe(expected);
  });
});
