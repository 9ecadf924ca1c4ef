/**
 * Every diagnostic code, in one place: its stage, what it means and what to do. `docs/diagnostics.md` is generated
 * from this table. Codes never change their meaning; message texts may.
 */
export type Stage = 'parse' | 'compile' | 'instance' | 'expand' | 'pending' | 'collision';

export interface CodeEntry {
  stage: Stage;
  /** What is wrong, for the reference page. */
  meaning: string;
  /** What to do about it, for the reference page. */
  remedy: string;
}

const table = {
  // parse: the input is not valid YAML or not a valid RGD shape
  'yaml-syntax': {
    stage: 'parse',
    meaning: 'The text is not valid YAML or JSON.',
    remedy: 'Mend the syntax at the position shown.',
  },
  'duplicate-key': {
    stage: 'parse',
    meaning: 'A map has one key twice.',
    remedy: 'Remove or rename one of them.',
  },
  'rgd-shape': {
    stage: 'parse',
    meaning: 'An RGD has a value of the wrong type, lacks a required field, or has a forEach entry that is no map of one iterator.',
    remedy: 'Write the field as the message says.',
  },
  'rgd-unknown-field': {
    stage: 'parse',
    meaning: 'An RGD has a field that kro does not know.',
    remedy: 'Remove it, or use the name that the hint offers.',
  },
  'external-ref-shape': {
    stage: 'parse',
    meaning: 'An externalRef has both or neither of metadata.name and metadata.selector.',
    remedy: 'Keep exactly one of them.',
  },

  // compile: an RGD is wrong whatever the instance
  'rgd-kind': {
    stage: 'compile',
    meaning: 'The kind that an RGD defines is not UpperCamelCase.',
    remedy: 'Start with a capital, use letters and digits only, at most 63.',
  },
  'rgd-version': {
    stage: 'compile',
    meaning: 'The apiVersion that an RGD defines is not a Kubernetes version.',
    remedy: 'Write v1, v1alpha1, v2beta3 or alike; the group has its own field.',
  },
  'rgd-group': {
    stage: 'compile',
    meaning: 'The group that an RGD defines is not a DNS name.',
    remedy: 'Use lower case letters, digits, dashes and dots.',
  },
  'rgd-scope': {
    stage: 'compile',
    meaning: 'The scope of an RGD is neither Namespaced nor Cluster.',
    remedy: 'Use one of them.',
  },
  'rgd-cycle': {
    stage: 'compile',
    meaning: "RGDs render each other's kinds in a circle.",
    remedy: 'Take one of the kinds out of the circle.',
  },
  'kind-defined-twice': {
    stage: 'compile',
    meaning: 'Two RGDs define one kind.',
    remedy: 'Remove or rename one of them.',
  },
  'node-id': {
    stage: 'compile',
    meaning: 'A node id is no lowerCamelCase name, is reserved, or is taken.',
    remedy: 'Rename the node.',
  },
  'node-shape': {
    stage: 'compile',
    meaning: 'A node has both or neither of template and externalRef, or forEach beside an externalRef.',
    remedy: 'Keep one of them.',
  },
  'iterator-name': {
    stage: 'compile',
    meaning: 'An iterator has a bad or taken name, or a node has more than ten.',
    remedy: 'Rename it, or nest lists.',
  },
  'iterator-not-in-identity': {
    stage: 'compile',
    meaning: 'An iterator does not appear in the name (or namespace) of its objects, so items would share one identity.',
    remedy: 'Use it in metadata.name.',
  },
  'template-shape': {
    stage: 'compile',
    meaning: 'A template lacks apiVersion, kind or metadata, or computes them.',
    remedy: 'Write them out.',
  },
  'unknown-kind': {
    stage: 'compile',
    meaning: 'No core type, CRD or RGD in the input describes a kind.',
    remedy: "Add its CustomResourceDefinition to the input (--definitions), or give a cluster's types with --openapi.",
  },
  'unknown-template-field': {
    stage: 'compile',
    meaning: 'A template has a field that its kind does not have.',
    remedy: 'Remove it, or use the name that the hint offers.',
  },
  'field-type': {
    stage: 'compile',
    meaning: 'A literal or an expression does not have the type of its field.',
    remedy: 'Convert it as the hint says.',
  },
  'text-part-type': {
    stage: 'compile',
    meaning: 'An expression inside a longer string is not a string.',
    remedy: 'Convert it with string(...).',
  },
  'reserved-key': {
    stage: 'compile',
    meaning: 'A template sets a label or annotation that only the renderer or its runners may set.',
    remedy: 'Remove it.',
  },
  'namespace-on-cluster-kind': {
    stage: 'compile',
    meaning: 'A template of a cluster-scoped kind sets metadata.namespace.',
    remedy: 'Remove the namespace.',
  },
  'namespace-missing': {
    stage: 'compile',
    meaning: 'Under a cluster-scoped RGD a namespaced template sets no namespace.',
    remedy: 'Set metadata.namespace.',
  },
  'crd-expression': {
    stage: 'compile',
    meaning: 'A templated CustomResourceDefinition has an expression outside metadata.',
    remedy: 'Write the value out.',
  },
  'nested-expression': {
    stage: 'compile',
    meaning: 'An expression is opened inside an expression, outside a string literal.',
    remedy: 'Remove the inner ${ and }.',
  },
  'unclosed-expression': {
    stage: 'compile',
    meaning: 'A ${ is never closed, so the text stays as it is.',
    remedy: 'Close it with }, or write ${"${"} for the text.',
  },
  'not-standalone': {
    stage: 'compile',
    meaning: 'forEach, includeWhen, readyWhen and conditions want one expression and nothing around it.',
    remedy: 'Write ${...} alone.',
  },
  'expression-syntax': {
    stage: 'compile',
    meaning: 'An expression is not valid CEL.',
    remedy: 'Mend it at the position shown.',
  },
  'expression-type': {
    stage: 'compile',
    meaning: 'An expression does not type-check: an unknown field or function, operands that do not fit.',
    remedy: 'Mend it as the message says.',
  },
  'unknown-name': {
    stage: 'compile',
    meaning: 'An expression names something that is neither schema nor a node.',
    remedy: 'Use the id of a node of this graph.',
  },
  'name-not-here': {
    stage: 'compile',
    meaning: 'An expression names something that exists but is not visible there.',
    remedy: 'Read it where it is visible.',
  },
  'function-not-here': {
    stage: 'compile',
    meaning: 'An expression calls a function that is not allowed there.',
    remedy: 'Use it where it is allowed.',
  },
  'foreach-type': {
    stage: 'compile',
    meaning: 'A forEach expression does not yield a list.',
    remedy: 'Yield a list.',
  },
  'condition-type': {
    stage: 'compile',
    meaning: 'An includeWhen or readyWhen expression does not yield bool.',
    remedy: 'Yield bool or optional bool.',
  },
  'dependency-cycle': {
    stage: 'compile',
    meaning: 'Nodes read each other in a circle, or a node reads itself.',
    remedy: 'Break the circle.',
  },
  'status-literal': {
    stage: 'compile',
    meaning: 'A status field holds no expression.',
    remedy: 'Compute it from a node.',
  },
  'status-reads-nothing': {
    stage: 'compile',
    meaning: 'A status expression reads neither a node nor the instance.',
    remedy: 'Read one of them, or leave the field out.',
  },
  'status-type': {
    stage: 'compile',
    meaning: 'No schema can be inferred for a status field.',
    remedy: 'Pick fields of the value.',
  },
  'status-conditions': {
    stage: 'compile',
    meaning: 'status.conditions is not a list of condition expressions.',
    remedy: 'Use runtime.newCondition({...}) in a list.',
  },
  'validation-rule': {
    stage: 'compile',
    meaning: 'A validation rule of the schema is not a bool CEL expression over its field.',
    remedy: 'Mend the rule.',
  },

  // instance: an instance breaks its schema
  'version-not-served': {
    stage: 'instance',
    meaning: 'An instance has a version that its RGD does not define.',
    remedy: 'Use the version of the RGD.',
  },
  'rule-violated': {
    stage: 'instance',
    meaning: 'A validation rule of the schema does not hold for an instance.',
    remedy: 'Change the instance as the rule wants.',
  },

  // expand: evaluating an instance failed
  'undefined-kind': {
    stage: 'expand',
    meaning: 'An object of the group kro.run is defined by no RGD in the input.',
    remedy: 'Add its RGD (--definitions).',
  },
  'unresolved-mode': {
    stage: 'expand',
    meaning: 'The annotation render-rgd.dev/mode has a value that is not known.',
    remedy: 'Use passthrough, or remove it.',
  },
  'missing-in-instance': {
    stage: 'expand',
    meaning: 'An expression reads a value that the instance does not have.',
    remedy: 'Give the value, declare a default, or guard the read with has() or .?field.',
  },
  'evaluation': {
    stage: 'expand',
    meaning: 'An expression failed.',
    remedy: 'Mend the expression or the value that it reads.',
  },
  'budget-exceeded': {
    stage: 'expand',
    meaning: 'An expression took more steps or made larger values than allowed.',
    remedy: 'Make it smaller.',
  },
  'collection-too-large': {
    stage: 'expand',
    meaning: 'A collection has more items than the limit.',
    remedy: 'Raise --max-collection-size, or make the lists shorter.',
  },
  'external-name': {
    stage: 'expand',
    meaning: 'The name of an external reference is not a string.',
    remedy: 'Compute a string.',
  },
  'external-selector': {
    stage: 'expand',
    meaning: 'The selector of an external reference is no LabelSelector.',
    remedy: 'Write matchLabels or matchExpressions.',
  },
  'nesting-too-deep': {
    stage: 'expand',
    meaning: 'RGDs are nested more than eight deep.',
    remedy: 'Flatten them.',
  },
  'object-name': {
    stage: 'expand',
    meaning: 'A rendered object has no name, or one that Kubernetes refuses.',
    remedy: 'Compute a valid name.',
  },
  'object-namespace': {
    stage: 'expand',
    meaning: 'A rendered object has no namespace where one is required, or an invalid one.',
    remedy: 'Compute a valid namespace.',
  },
  'object-label': {
    stage: 'expand',
    meaning: 'A rendered object has a label or annotation that Kubernetes refuses.',
    remedy: 'Compute a valid one.',
  },
  'computed-reserved-key': {
    stage: 'expand',
    meaning: 'An expression yields a label or annotation that only the renderer or its runners may set.',
    remedy: 'Leave it out.',
  },
  'label-shortened': {
    stage: 'expand',
    meaning: 'A label value of more than 63 characters was shortened.',
    remedy: 'Nothing; use a shorter name to avoid it.',
  },
  'owner-reference': {
    stage: 'expand',
    meaning: 'An owner reference to a rendered instance was left out.',
    remedy: 'Nothing; --keep-owner-references keeps it.',
  },
  'status-failed': {
    stage: 'expand',
    meaning: 'An author-defined status field could not be computed.',
    remedy: 'Mend its expression; the rendering goes on.',
  },
  'node-skipped': {
    stage: 'expand',
    meaning: 'A node was left out: its includeWhen is false, or it reads a node that was.',
    remedy: 'Nothing.',
  },

  // pending: a value is only known at run time
  'pending-value': {
    stage: 'pending',
    meaning: 'An expression waits for a value that only a live object has.',
    remedy: 'Supply the object with --observed, or choose another --on-pending.',
  },
  'pending-reference': {
    stage: 'pending',
    meaning: 'An external reference was not found.',
    remedy: 'Add the object to the input, or supply it with --observed.',
  },
  'pending-reader': {
    stage: 'pending',
    meaning: 'A node reads a node that waits.',
    remedy: 'Supply what that node waits for.',
  },
  'passed-through': {
    stage: 'pending',
    meaning: 'An instance was left to a kro controller.',
    remedy: 'Nothing; supply what it waits for to have it rendered.',
  },

  // collision: two rendered objects share one identity
  'identity-collision': {
    stage: 'collision',
    meaning: 'Two objects would have one group, kind, namespace and name.',
    remedy: 'Rename one of them.',
  },
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof table;

export const codes: Readonly<Record<Code, CodeEntry>> = table;
