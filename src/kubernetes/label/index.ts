export { instanceId } from './instance-id.ts';
export {
  type Item,
  isOwnLabel,
  type Labels,
  labelValue,
  nodeLabels,
  originLabels,
  ownerLabels,
  ownerOf,
} from './labels.ts';
export type { Group } from './lines.ts';
export { annotateOrder, type Ordered, type OrderReporter } from './order.ts';
