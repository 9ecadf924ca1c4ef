import { claim } from './claims.ts';
import { priorityClass, storageClass } from './classes.ts';
import { configMap, secret } from './config.ts';
import { customResourceDefinition } from './custom-resources.ts';
import { limitRange } from './limit-range.ts';
import { quota } from './quota.ts';
import type { Rule } from './rule.ts';

export const stores: Readonly<Record<string, Rule>> = {
  '/ConfigMap': configMap,
  '/Secret': secret,
  '/PersistentVolumeClaim': claim,
  '/ResourceQuota': quota,
  '/LimitRange': limitRange,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinition,
  'storage.k8s.io/StorageClass': storageClass,
  'scheduling.k8s.io/PriorityClass': priorityClass,
};
