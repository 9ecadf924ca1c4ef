import { groupVersionKind } from '../../core/model/object.ts';
import { formatPath, getAt, type Path } from '../../core/model/value.ts';
import { type Schema, schemaAt } from '../../kubernetes/schema/index.ts';
import type { CompiledExpression, Graph, GraphNode } from '../compile/index.ts';

/** A field to set instead of the pending one, with its value. */
export interface Alternative {
  field: string;
  value: string;
}

/**
 * Returns the reference that a kind supports beside a field with another object's value, if it has one: the controller
 * of the kind then finds the value itself, and nothing is pending. Controllers made with AWS Controllers for Kubernetes
 * have `vpcRef.from.name` beside `vpcID`, and `subnetRefs` beside `subnetIDs`; Config Connector has `networkRef.name`
 * beside `networkRef.external`. Only for an expression that only reads one object's status, and for objects of the same
 * family of groups.
 */
export function referenceInstead(
  expression: CompiledExpression,
  node: GraphNode,
  awaited: AwaitedField,
  graph: Graph,
): Alternative | undefined {
  const text = getAt(graph.input.object, expression.path);
  const isWhole = typeof text === 'string' && text.trim() === `\${${expression.source}}`;
  const field = expression.path.slice(node.path.length + 1);
  if (!isWhole || !isChain(expression) || awaited.path[0] !== 'status' || node.schema === undefined) return undefined;
  if (familyOf(groupVersionKind(awaited.object).group) !== familyOf(node.gvk.group)) return undefined;
  const sibling = siblingOf(field, node.schema);
  return sibling && { field: formatPath(sibling), value: `\${${awaited.node.id}.metadata.name}` };
}

/** The pending value of an expression: the node that it names, the object and the path of the value. */
export interface AwaitedField {
  node: Pick<GraphNode, 'id'>;
  object: { apiVersion: string; kind: string };
  path: readonly unknown[];
}

/** Reports whether an expression is only a read: no function, no operator. */
const isChain = ({ parsed }: CompiledExpression): boolean => parsed.root.kind === 'select';

/** The groups of one cloud's controllers differ in their first label. */
const familyOf = (group: string): string => group.slice(group.indexOf('.') + 1);

function siblingOf(field: Path, root: Schema): Path | undefined {
  const index = field.at(-1);
  const inList = typeof index === 'number';
  const named = inList ? field.slice(0, -1) : field;
  const key = named.at(-1);
  const parent = named.slice(0, -1);
  const siblings = schemaAt(root, parent)?.properties;
  if (typeof key !== 'string' || siblings === undefined) return undefined;
  if (key === 'external' && !inList && siblings.name?.type === 'string') return [...parent, 'name'];
  const stem = stemOf(key);
  const reference = Object.keys(siblings).find(
    (other) => /Refs?$/.test(other) && other.endsWith('s') === inList && stemOf(other) === stem,
  );
  if (reference === undefined || isShadowed(key, siblings)) return undefined;
  const at = [...parent, reference, ...(inList ? [index] : [])];
  const target = schemaAt(root, [...at, 'from', 'name']);
  return target?.type === 'string' ? [...at, 'from', 'name'] : undefined;
}

/** A reference does not stand for the name of an object if its id can be given too. */
const isShadowed = (key: string, siblings: Readonly<Record<string, Schema>>): boolean =>
  /Names?$/.test(key) &&
  Object.keys(siblings).some((other) => /(ID|ARN)s?$/.test(other) && stemOf(other) === stemOf(key));

/** `subnetIDs`, `subnets` and `subnetRefs` are about a subnet, `policies` and `policyRefs` about a policy. */
function stemOf(key: string): string {
  const bare = key.replace(/(IDs?|ARNs?|Names?|Refs?)$/, '');
  return bare.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}
