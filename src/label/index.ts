export { instanceId } from './instance-id.ts';
export { type Item, isOwnLabel, type Labels, labelValue, nodeLabels, originLabels } from './labels.ts';
export { annotateOrder, type Ordered, type OrderReporter } from './order.ts';
export { ownerLabels, ownerOf } from './resource-set.ts';
