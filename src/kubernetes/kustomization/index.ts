export { entriesOf, isRenderRgd, type KustomizationEntries, runsRenderRgd } from './entries.ts';
export { fileKey, partsOfKustomizations } from './parts.ts';
