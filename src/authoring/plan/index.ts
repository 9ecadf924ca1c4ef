/** Compares everything that is deployed from two versions of a repository. */

export type { DiscoverOptions, PackageSettings } from './application.ts';
export type { Files } from './files.ts';
export { planJson } from './json.ts';
export type { RunTool } from './load.ts';
export { planMarkdown } from './markdown.ts';
export { type PlanInput, type PlanOptions, planChange } from './plan.ts';
export type { Plan, PlannedApplication, PlannedDanger } from './result.ts';
export { planText, titleOfApplication } from './text.ts';
export { type RenderedApplication, renderRepository } from './trees.ts';
