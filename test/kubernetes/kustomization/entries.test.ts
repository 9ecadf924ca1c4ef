import { describe, expect, it } from 'vitest';
import { isRenderRgd, isRenderRgdStep } from '../../../src/kubernetes/kustomization/index.ts';

describe('a program, an image or a plugin is render-rgd', () => {
  it.each([
    'render-rgd',
    './bin/render-rgd',
    'C:\\tools\\render-rgd.exe',
    '/opt/render-rgd.js',
    'ghcr.io/acme/render-rgd:v1',
    'ghcr.io/acme/render-rgd@sha256:0',
    'render-rgd-v1.0',
  ])('%s', (reference) => expect(isRenderRgd(reference)).toBe(true));
  it.each(['', 'render', 'render-rgds', 'not-render-rgd', 'render-rgd/other', 'render-rgd.yaml'])(
    '%j is another one',
    (reference) => expect(isRenderRgd(reference)).toBe(false),
  );
});

describe('a step of the pipeline of a Kptfile runs render-rgd', () => {
  it.each([
    { exec: 'render-rgd' },
    { exec: './bin/render-rgd --strict' },
    { exec: 'node  dist/render-rgd.js' },
    { image: 'ghcr.io/acme/render-rgd:v1' },
    { image: 'ghcr.io/acme/functions:v1', name: 'run render-rgd' },
  ])('%j', (step) => expect(isRenderRgdStep(step)).toBe(true));
  it.each([{}, { exec: '' }, { exec: 'set-labels' }, { image: 'ghcr.io/kptdev/set-labels:v1', name: 'labels' }])(
    '%j does not',
    (step) => expect(isRenderRgdStep(step)).toBe(false),
  );
});
