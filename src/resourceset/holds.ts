import type { Report } from '../diagnostics/index.ts';
import type { Document, InputObject, KubeObject } from '../model/object.ts';
import type { Entry } from '../model/render.ts';
import { SET } from '../model/resource-set.ts';
import { get } from '../model/value.ts';
import { isResourceSet } from './kinds.ts';

/** A rendering, as the pipeline has it. */
export interface Output {
  entries: readonly Entry[];
  pending: readonly { instanceId: string; node: string }[];
  reports: readonly Report[];
  /** Whether a rendered object may hold values of Secrets. */
  secretOf?: (object: KubeObject) => InputObject['secret'];
}

/** Whether ResourceSets may be among these objects; lists may hold some. */
export const mayHoldSets = (objects: readonly Document[]): boolean =>
  objects.some(({ object }) => {
    const kind = get(object, 'kind');
    return typeof kind === 'string' && (kind === SET || kind.endsWith('List'));
  });

export const isSetEntry = ({ object }: { object: KubeObject }): boolean => isResourceSet(object);

/** Whether something that was rendered is a ResourceSet that has to be rendered in turn. */
export const rendersSets = ({ entries }: Output): boolean => entries.some(({ rendered }) => rendered.some(isSetEntry));
