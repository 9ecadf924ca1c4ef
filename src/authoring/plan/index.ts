/** Compares everything that is deployed from two versions of a repository. */

export { acceptDangers } from './accepted.ts';
export { titleOfApplication } from './application.ts';
export type { Files } from './files.ts';
export { planHtml } from './html.ts';
export { planJson } from './json.ts';
export { LINK_PATTERN } from './links.ts';
export type { RunTool } from './load.ts';
export { planMarkdown } from './markdown.ts';
export { type PlanInput, type PlanOptions, planChange } from './plan.ts';
export type { Plan, PlannedDanger } from './result.ts';
export { distinctDangers, planText } from './text.ts';
export { type RenderedApplication, renderRepository } from './trees.ts';
