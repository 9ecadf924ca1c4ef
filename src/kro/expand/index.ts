/** Runs the graphs of instances: renders the objects of nodes in dependency order. */

export { collectInstances, type ExpandedInstance } from './collect.ts';
export { type Alternative, referenceInstead } from './failures.ts';
export { inheritedKeys } from './finish.ts';
export { type DefaultNamespace, inNamespace } from './identity.ts';
export { combinations, forEachLists } from './make.ts';
export { mayBeShown, nodeReport, reportNode, reportNothingRendered, shownReason } from './report.ts';
export {
  type Expansion,
  evaluate,
  type InstanceRun,
  type KnownPart,
  type NodeRun,
  type NodeState,
  nodeRun,
  objectsSeen,
  type PendingReport,
  type RenderedItem,
  type World,
  withItem,
  withNested,
} from './run.ts';
export { runInstances } from './runs.ts';
export {
  expressionReadsSecret,
  handlesSecret,
  hasSecretIdentity,
  hiddenTitleOfNode,
  isSecretlyNamed,
  secrecyOf,
  secretOf,
  statusReadsSecret,
  titleOfRun,
} from './secrecy.ts';
export { computeStatus, namespaceFor } from './view.ts';
export { areSecretsUnknown, isWithheld } from './withheld.ts';
