export * from './labels.ts';
export type { Group } from './lines.ts';
export { annotateOrder, type Ordered, type OrderReporter } from './order.ts';
