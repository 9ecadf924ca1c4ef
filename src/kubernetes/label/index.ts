export { instanceId } from './instance-id.ts';
export { type Item, isOwnLabel, type Labels, labelValue, nodeLabels, originLabels } from './labels.ts';
export type { Group } from './lines.ts';
export { annotateOrder } from './order.ts';
export type { Ordered, OrderReporter } from './ordered.ts';
export { ownerLabels, ownerOf } from './resource-set.ts';
