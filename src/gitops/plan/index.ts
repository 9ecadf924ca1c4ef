/** Compares everything that is deployed from two versions of a repository. */

export type { Plan, PlannedDanger } from './application.ts';
export { DANGERS, titleOfApplication } from './application.ts';
export { acceptDangers } from './dangers/index.ts';
export type { Files } from './files.ts';
export { planEvidence, unknownsOf } from './ledger.ts';
export type { RunTool } from './load.ts';
export { type PlanInput, type PlanOptions, planChange } from './plan.ts';
export { planHtml, planJson, planMarkdown } from './reports.ts';
export { type RenderedApplication, renderRepository } from './side.ts';
export { distinctDangers, LINK_PATTERN, planText } from './text.ts';
