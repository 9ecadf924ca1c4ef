import type { Text } from '../../../src/core/diagnostics/index.ts';
import type { Picture, PictureNode } from '../../../src/describe/graph/index.ts';

interface Written {
  object?: string;
  conditions?: readonly string[];
  chained?: number;
}

/** Returns a node of a picture. */
export const box = (id: string, { object = 'ConfigMap', conditions = [], chained }: Written = {}): PictureNode => ({
  id: id as Text,
  kind: 'resource',
  object: object as Text,
  iterators: [],
  conditions: conditions as Text[],
  chained,
  outcome: undefined,
});

/** Returns a picture whose title is its name with a capital letter. */
export const picture = (
  name: string,
  nodes: readonly PictureNode[],
  edges: Picture['edges'] = [],
  reads?: readonly (readonly { read: string; by: string }[])[],
): Picture => ({
  name: name as Text,
  title: `${name.charAt(0).toUpperCase()}${name.slice(1)}` as Text,
  nodes,
  edges,
  ...(reads && { reads: reads as Picture['reads'] & {} }),
});
