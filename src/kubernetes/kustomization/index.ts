export { entriesOf, isRenderRgd, isRenderRgdStep, type KustomizationEntries, runsRenderRgd } from './entries.ts';
export { fileKey, partsOfKustomizations } from './parts.ts';
