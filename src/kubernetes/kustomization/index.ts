export { entriesOf, isRenderRgd, isRenderRgdStep, type KustomizationEntries, runsRenderRgd } from './entries.ts';
export { fluxKey, fluxMarks, isNotSubstituted, SUBSTITUTE } from './flux.ts';
export { fileKey, partsOfKustomizations } from './parts.ts';
