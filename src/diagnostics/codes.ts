/**
 * Every diagnostic code, in one place: its stage, what it means and what to do. `docs/diagnostics.md` is generated
 * from this table. Codes never change their meaning; message texts may. One table, so longer than a file usually is.
 */
export type Stage = 'parse' | 'compile' | 'instance' | 'expand' | 'pending' | 'collision' | 'lint' | 'compat' | 'test';

export interface CodeEntry {
  stage: Stage;
  /** What is wrong, for the reference page. */
  meaning: string;
  /** What to do about it, for the reference page. */
  remedy: string;
}

const table = entries({
  // parse: the input is not valid YAML or not a valid RGD shape
  'yaml-syntax': {
    stage: 'parse',
    meaning: 'The text is not valid YAML or JSON.',
    remedy: 'Mend the syntax at the position shown.',
  },
  'duplicate-key': {
    stage: 'parse',
    meaning:
      'A map has one key twice. The last one wins, as for kro and Argo CD; with --strict, or where chance would decide, it is an error.',
    remedy: 'Remove or rename one of them.',
  },
  'template-file': {
    stage: 'parse',
    meaning: 'A file is no YAML but a template, such as those of a Helm chart.',
    remedy: 'Render it first (`helm template CHART | render-rgd render -`), or leave it out with `--exclude`.',
  },
  'yaml-value': {
    stage: 'parse',
    meaning:
      'The YAML has a value or a key that JSON cannot hold: an infinity, a null key, text that does not fit its tag.',
    remedy: 'Write it as a string in quotes, or as a value that JSON has.',
  },
  'yaml-alias': {
    stage: 'parse',
    meaning: 'An alias names no earlier anchor, is part of what it names, or all of them together expand to too much.',
    remedy: 'Mend the name, or write the value out.',
  },
  'object-shape': {
    stage: 'parse',
    meaning:
      'An object has only one of apiVersion and kind, one of them or metadata is of the wrong type, or a List has no items.',
    remedy:
      'Write the field as the message says; an API server would refuse it too. `--exclude GLOB` leaves files out.',
  },
  'not-an-object': {
    stage: 'parse',
    meaning: 'A document without apiVersion and kind is not a Kubernetes object and was passed over.',
    remedy: 'Nothing, if it is meant to be something else; `--exclude GLOB` leaves its file out.',
  },
  'nothing-to-read': {
    stage: 'parse',
    meaning: 'A path, standard input, or all of them together hold no document.',
    remedy: 'Name the folder that was meant, look at the command before the pipe, or set --allow-empty.',
  },
  'rgd-not-known': {
    stage: 'parse',
    meaning:
      'An object was meant as a ResourceGraphDefinition: its version, group or kind is not the one that is read.',
    remedy: 'Write kro.run/v1alpha1 and ResourceGraphDefinition.',
  },
  'resourceset-not-known': {
    stage: 'parse',
    meaning:
      'An object was meant as a ResourceSet or a ResourceSetInputProvider: its group or kind is not the one that is read.',
    remedy: 'Write fluxcd.controlplane.io/v1 and ResourceSet or ResourceSetInputProvider.',
  },
  'more-diagnostics': {
    stage: 'parse',
    meaning: 'There is more to say than is shown: errors first, at most 1,000 diagnostics and a million characters.',
    remedy: 'Mend what is shown; the rest comes up again.',
  },
  'observed-twice': {
    stage: 'parse',
    meaning: 'Two observed objects have one group, kind, namespace and name.',
    remedy: 'Keep the newer one.',
  },
  'observed-answer': {
    stage: 'parse',
    meaning: 'What `observe` was given holds an answer of the API server in place of an object.',
    remedy: 'Ask kubectl for objects that are there, with -o yaml or -o json.',
  },
  'observed-mismatch': {
    stage: 'parse',
    meaning: 'A live object has the kind and name of one that the package reads, but another group or scope.',
    remedy: 'Give the object that the package means; its group and scope come from the template and the CRD.',
  },
  'observed-version': {
    stage: 'parse',
    meaning: 'A live object was read in another version of its group than the package has.',
    remedy: 'Ask kubectl for the version of the package, as the hint says.',
  },
  'rgd-shape': {
    stage: 'parse',
    meaning:
      'An RGD has a value of the wrong type, lacks a required field, or has a forEach entry that is no map of one iterator.',
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
  'unreadable-file': {
    stage: 'parse',
    meaning: 'A file or folder is not there, cannot be read, is not UTF-8 text, or is not what the option takes.',
    remedy: 'Mend the path or the file.',
  },
  'resource-list': {
    stage: 'parse',
    meaning: 'The standard input of the KRM function is not one ResourceList.',
    remedy: 'Run it with kustomize or kpt; to render files use `render-rgd render PATH`.',
  },
  'function-config': {
    stage: 'parse',
    meaning: 'The functionConfig has an unknown option, or a value of the wrong type.',
    remedy: 'Write the option as docs/options.md says.',
  },
  'library-option': {
    stage: 'parse',
    meaning: 'The library was given an option that is not known, or a value that does not fit.',
    remedy: 'Correct it; docs/options.md lists them.',
  },
  'not-found': {
    stage: 'parse',
    meaning: 'A tool of the library was asked about something that the package does not hold, or holds more than once.',
    remedy: 'Name what is there; the message lists it.',
  },
  'plugin-parameter': {
    stage: 'parse',
    meaning: 'A parameter of the Argo CD plugin is unknown, has a wrong value, or needs another one beside it.',
    remedy: 'Write the parameter as docs/options.md says.',
  },
  'path-outside': {
    stage: 'parse',
    meaning: 'A path leads out of the repository, by itself or through a link, in the Argo CD plugin.',
    remedy: 'Keep the file in the repository; an administrator can allow another folder in plugin.yaml.',
  },
  'build-failed': {
    stage: 'parse',
    meaning: 'kustomize or helm, which were asked to run first, failed or are not there.',
    remedy: 'Mend what they say, or use an image that has them.',
  },
  'build-remote': {
    stage: 'parse',
    meaning: 'A kustomization names a URL or a repository, which kustomize would load from the network.',
    remedy: 'Commit what it names; an administrator can allow fetching with --allow-remote in plugin.yaml.',
  },
  'build-not-asked': {
    stage: 'parse',
    meaning: 'The folder has a kustomization or a chart, and its files were read without kustomize or helm.',
    remedy: 'Set the parameter build to auto.',
  },
  'crd-shape': {
    stage: 'parse',
    meaning: 'A CustomResourceDefinition lacks a required field or has a value of the wrong type.',
    remedy: 'Write the field as the message says; an API server would refuse it too.',
  },
  'resourceset-shape': {
    stage: 'parse',
    meaning:
      'A ResourceSet or a ResourceSetInputProvider has a field of the wrong type, or fields that exclude each other.',
    remedy: 'Write the field as the message says.',
  },
  'resourceset-field': {
    stage: 'parse',
    meaning: 'A ResourceSet has a field that the Flux operator does not know, or that differs in upper and lower case.',
    remedy: 'Mend its name, or take it out.',
  },
  'resourceset-left-out': {
    stage: 'parse',
    meaning: 'A file that was named begins with a ResourceSet, and holds another one, which is left out.',
    remedy: 'Give each ResourceSet a file of its own, and name the folder.',
  },
  'inputs-file': {
    stage: 'parse',
    meaning:
      'What `--inputs-from` names holds no list of input sets, or there is more than one ResourceSet to take them.',
    remedy: 'Write a list of maps; for several ResourceSets write providers of type Static.',
  },
  'provider-kind': {
    stage: 'parse',
    meaning: 'A file of ResourceSetInputProviders holds an object of another kind.',
    remedy: 'Mend its apiVersion and kind, or move it to another file.',
  },

  // compile: an RGD is wrong whatever the instance
  'rgd-kind': {
    stage: 'compile',
    meaning: 'The kind that an RGD defines is not UpperCamelCase.',
    remedy: 'Start with a capital, use letters and digits only, at most 63.',
  },
  'rgd-plural': {
    stage: 'compile',
    meaning: 'The plural of an RGD is no RFC 1035 label.',
    remedy: 'Use lower case letters, digits and dashes, a letter first, at most 63.',
  },
  'plural-defined-twice': {
    stage: 'compile',
    meaning: 'Two RGDs of one group have the same plural, so their CRDs would have one name.',
    remedy: 'Give one of them another kind, or a plural of its own under spec.schema.plural.',
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
  'selector-shape': {
    stage: 'compile',
    meaning:
      'The selector of an external reference is no LabelSelector, or has a field, a label or an operator that is none.',
    remedy: 'Write matchLabels and matchExpressions as Kubernetes has them.',
  },
  'iterator-name': {
    stage: 'compile',
    meaning: 'An iterator has a bad or taken name, or a node has more than ten.',
    remedy: 'Rename it, or nest lists.',
  },
  'iterator-not-in-identity': {
    stage: 'compile',
    meaning:
      'An iterator does not appear in the name (or namespace) of its objects, so items would share one identity.',
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
  'unknown-literal-field': {
    stage: 'compile',
    meaning: 'A map literal in an expression has a key for which the object that is wanted there has no field.',
    remedy: 'Remove it, or use the name that the hint offers.',
  },
  'field-type': {
    stage: 'compile',
    meaning: 'A literal or an expression does not have the type of its field.',
    remedy: 'Convert it as the hint says.',
  },
  'doubtful-type': {
    stage: 'compile',
    meaning:
      'A value that is no object, or whose fields do not fit, stands where the kind wants an object. kro accepts it, Kubernetes will refuse it.',
    remedy: 'Yield an object with fields of the right types.',
  },
  'bytes-value': {
    stage: 'compile',
    meaning:
      'Bytes stand in a field of format byte, an entry of `data` of a Secret say. They are written as base64; kro wants ' +
      'bytes there and fails when it has to write them. An error with --strict.',
    remedy: 'For kro write dyn(base64.encode(...)), or fill stringData of a Secret with texts.',
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
  'schema-shape': {
    stage: 'compile',
    meaning: 'A field or type of the schema is neither the text of a type nor a map of fields.',
    remedy: 'Write a type, for example string.',
  },
  'type-expression': {
    stage: 'compile',
    meaning:
      'A type of the schema is empty, lacks its element type, has a map key other than string, or is nested too deep.',
    remedy: 'Mend it as the hint says.',
  },
  'unknown-type': {
    stage: 'compile',
    meaning: 'A field of the schema has a type that is neither built in nor declared under types.',
    remedy: 'Use string, integer, float, boolean, object, a list, a map, or declare the type.',
  },
  'type-cycle': {
    stage: 'compile',
    meaning: 'Types of the schema refer to each other in a circle.',
    remedy: 'Break the circle, for example with the type object.',
  },
  'schema-too-large': {
    stage: 'compile',
    meaning:
      'The CRD of an RGD would be too long for an API server, or is nested too deep; or the patterns of schemas take too much.',
    remedy:
      'Use the type object for a part of it: types that use each other several times double at every step. Write shorter patterns.',
  },
  'marker-syntax': {
    stage: 'compile',
    meaning: 'The markers of a field cannot be read: a quote or bracket is open, a value is missing.',
    remedy: 'Write name=value, separated by spaces, and quote values of several words.',
  },
  'unknown-marker': {
    stage: 'compile',
    meaning: 'A marker is not one of those that kro knows.',
    remedy: 'Use the name that the hint offers.',
  },
  'marker-value': {
    stage: 'compile',
    meaning: 'The value of a marker is not of the kind that the marker takes.',
    remedy: 'Write it as the message says.',
  },
  'marker-not-applicable': {
    stage: 'compile',
    meaning: 'A marker is not for the type of its field.',
    remedy: 'Remove it, or use the one that the hint offers.',
  },
  'marker-conflict': {
    stage: 'compile',
    meaning: 'Two markers contradict each other, or one stands twice.',
    remedy: 'Remove one of them.',
  },
  'schema-default': {
    stage: 'compile',
    meaning: 'A default is not a value of its type, or breaks the rules of its field.',
    remedy: 'Mend the default; lists, maps and structs take JSON.',
  },
  'crd-refused': {
    stage: 'compile',
    meaning: 'An API server would refuse the CustomResourceDefinition that the RGD generates, or every instance of it.',
    remedy: 'Change the schema as the message says; kro would find out in the cluster.',
  },
  'validation-rule': {
    stage: 'compile',
    meaning: 'A validation rule of the schema is not a bool CEL expression over its field.',
    remedy: 'Mend the rule.',
  },
  'template-syntax': {
    stage: 'compile',
    meaning: 'A template of a ResourceSet does not parse.',
    remedy: 'Mend it at the position shown; a `<<` that is no action is written `<< "<<" >>`.',
  },

  // instance: an instance breaks its schema
  'version-not-served': {
    stage: 'instance',
    meaning: 'An instance has a version that its RGD does not define.',
    remedy: 'Use the version of the RGD.',
  },
  'instance-metadata': {
    stage: 'instance',
    meaning: 'The metadata of an instance lacks a name, or has a field or value that Kubernetes refuses.',
    remedy: 'Write it as the message says.',
  },
  'instance-unknown-field': {
    stage: 'instance',
    meaning: 'An instance has a field that its schema does not have.',
    remedy: 'Remove it, or use the name that the hint offers.',
  },
  'instance-required': {
    stage: 'instance',
    meaning: 'An instance lacks a field that its schema requires.',
    remedy: 'Add the field.',
  },
  'instance-type': {
    stage: 'instance',
    meaning: 'A value of an instance does not have the type of its field.',
    remedy: 'Quote strings, do not quote numbers and booleans.',
  },
  'instance-value': {
    stage: 'instance',
    meaning: 'A value of an instance is outside the enum, bounds, length or pattern of its field.',
    remedy: 'Use a value that fits.',
  },
  'instance-duplicate': {
    stage: 'instance',
    meaning: 'A list of an instance that is a set or a map has an item or a key twice.',
    remedy: 'Remove one of them.',
  },
  'instance-too-large': {
    stage: 'instance',
    meaning: 'An instance has more values than any API server stores, its defaults included.',
    remedy: 'Make its lists shorter, or let their items have fewer defaults.',
  },
  'rule-violated': {
    stage: 'instance',
    meaning: 'A validation rule of the schema does not hold for an instance.',
    remedy: 'Change the instance as the rule wants.',
  },

  // expand: evaluating an instance failed
  'graph-kind': {
    stage: 'expand',
    meaning: 'An object is a Graph of kro 0.10 (alpha), which is not rendered.',
    remedy: 'Leave it to a kro controller (`--all` prints it as it is), or write an RGD and an instance.',
  },
  'undefined-kind': {
    stage: 'expand',
    meaning:
      'An object looks like an instance (its group is kro.run, or its kind or group is nearly that of an RGD) and is none.',
    remedy:
      'Mend its apiVersion or kind, add its RGD (--definitions), or the CustomResourceDefinition of another kind.',
  },
  'no-instances': {
    stage: 'expand',
    meaning: 'There are RGDs and no instance of any of them, so nothing is rendered.',
    remedy: 'Nothing, if the last instance is meant to go; else look where the instances were lost.',
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
  evaluation: {
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
    meaning: 'The selector of an external reference, once computed, is no valid LabelSelector.',
    remedy: 'Compute matchLabels and matchExpressions with valid labels.',
  },
  'nesting-too-deep': {
    stage: 'expand',
    meaning: 'RGDs, or ResourceSets and RGDs, are nested more than eight deep.',
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
  'left-out': {
    stage: 'expand',
    meaning: 'Objects of the input that were not rendered here are not printed.',
    remedy: '--all prints them; do so wherever the output is pruned against.',
  },
  'wave-conflict': {
    stage: 'expand',
    meaning: 'With --order argocd: the sync wave that the author set is not behind one of what the object depends on.',
    remedy: 'Raise it, or leave the annotation out: it is then chosen to fit.',
  },
  'hook-order': {
    stage: 'expand',
    meaning: 'With --order argocd: a hook runs in a phase before the one that applies what it depends on.',
    remedy: 'Make what it depends on a hook of that phase too, or use a wave in place of the hook.',
  },
  'order-circle': {
    stage: 'expand',
    meaning: 'With --order: what a ResourceSet makes would come after itself.',
    remedy: 'Take an entry out of spec.dependsOn, or move objects to an earlier step.',
  },
  'empty-output': {
    stage: 'expand',
    meaning: 'Nothing is left to apply, which would delete everything where prune is on.',
    remedy: 'Add an instance, or set allowEmpty.',
  },
  'tree-clash': {
    stage: 'expand',
    meaning:
      'With --output-dir: an object has no apiVersion or no name, or two of one group, kind, namespace and name need one file.',
    remedy: 'Complete it, or leave one of them out.',
  },
  'tree-edited': {
    stage: 'expand',
    meaning: 'With --output-dir: somebody edited a file that was written earlier.',
    remedy: 'Change what it is rendered from; --force drops the edit.',
  },
  'tree-list': {
    stage: 'expand',
    meaning: 'With --output-dir: the folder, or the list of what was written there, cannot be read or written.',
    remedy: 'Mend what the message says; nothing was replaced before the list of it was written.',
  },
  'tree-occupied': {
    stage: 'expand',
    meaning: 'With --output-dir: something that was not written by render-rgd is where a file has to be.',
    remedy: 'Move it elsewhere, or change the layout; --force replaces a file.',
  },
  'tree-stale': {
    stage: 'expand',
    meaning: 'With --check: a file is missing, out of date, or not rendered any more.',
    remedy: 'Render again with the same options, without --check.',
  },
  'tree-written': {
    stage: 'expand',
    meaning: 'With --output-dir: how many files were written, removed and left as they were.',
    remedy: 'Nothing.',
  },
  'entangled-item': {
    stage: 'expand',
    meaning: 'An item of a ResourceList cannot be changed in its text without changing others: anchors and aliases.',
    remedy: 'Write out what the alias stands for, or add the annotation that the message names.',
  },
  'earlier-removed': {
    stage: 'expand',
    meaning: 'An object of an earlier rendering is no longer rendered and was taken out.',
    remedy: 'Nothing.',
  },
  'earlier-doubtful': {
    stage: 'expand',
    meaning:
      'An object has the annotation of an earlier rendering and is no longer rendered, but it was changed since, copied from another package, or its RGD is not here; it stays.',
    remedy: 'Remove it, or its annotation to keep it as an object of your own.',
  },
  'earlier-changed': {
    stage: 'expand',
    meaning:
      'A rendered object was changed by somebody or by another function, and is written again as it is rendered.',
    remedy: 'Change the instance or the RGD instead; in kpt let functions that change objects run before.',
  },
  'earlier-kept': {
    stage: 'expand',
    meaning: 'An object of an earlier rendering stays as it was, since a node of its instance waits.',
    remedy: 'Supply what the node waits for.',
  },
  'earlier-mismatch': {
    stage: 'expand',
    meaning: 'An object has the annotation of an earlier rendering but another identity: a copy, or renamed since.',
    remedy: 'Remove the annotation to keep it as an object of your own, or remove the object.',
  },
  'earlier-without-rgd': {
    stage: 'expand',
    meaning: 'An object was rendered from an instance that is still here, but its RGD is not.',
    remedy: 'Add the RGD again, or remove the instance too.',
  },

  'earlier-part': {
    stage: 'expand',
    meaning: 'The KRM function got objects of an earlier rendering and perhaps not all that they are rendered from.',
    remedy: 'Give the function the whole package: selectors do not fit it.',
  },
  'earlier-elsewhere': {
    stage: 'expand',
    meaning: 'An object of an earlier rendering is in the input and its instance is not, so it is kept.',
    remedy: 'Nothing, if it was rendered elsewhere; else remove it.',
  },
  'not-rendered': {
    stage: 'expand',
    meaning: 'An RGD or an instance is where only rendered objects should be.',
    remedy: 'Render it as the hint says; kustomize skips exec functions without an error.',
  },
  'kustomize-order': {
    stage: 'expand',
    meaning: 'A kustomization changes instances after, or rendered objects before, the rendering.',
    remedy: 'Move the change to the layer that the message names.',
  },
  'template-key': {
    stage: 'expand',
    meaning: 'A template of a ResourceSet reads a key that this set of inputs does not have.',
    remedy: 'Add it to the inputs, or read it with `get`.',
  },
  'template-execution': {
    stage: 'expand',
    meaning:
      'A template of a ResourceSet failed: a function was called with values of the wrong type, or refused them.',
    remedy: 'Convert the value, or test it first.',
  },
  permutation: {
    stage: 'expand',
    meaning:
      'The inputs of a ResourceSet cannot be permuted: too many combinations, or names that templates cannot use.',
    remedy: 'Shorten the lists, or rename the providers.',
  },
  'rendered-yaml': {
    stage: 'expand',
    meaning: 'What a template of a ResourceSet rendered to is no YAML.',
    remedy: 'Pipe texts through `quote`, and values of several lines through `toYaml | nindent`.',
  },
  'rendered-object': {
    stage: 'expand',
    meaning: 'What a template of a ResourceSet rendered to is no object, has no kind, or is more than one object.',
    remedy: 'Complete the object; several objects belong into `resourcesTemplate`.',
  },
  'incomplete-object': {
    stage: 'expand',
    meaning:
      'A ResourceSet rendered an object without apiVersion or name. `render` prints it, as the Flux operator builds it; the KRM function and the Argo CD plugin cannot pass it on.',
    remedy: 'Complete the template that the diagnostic points at.',
  },
  'rendered-metadata': {
    stage: 'expand',
    meaning: 'A name, a label or an annotation that a ResourceSet rendered is no string.',
    remedy: 'Pipe the value through `quote`.',
  },
  'document-left-out': {
    stage: 'expand',
    meaning: 'A document of a `resourcesTemplate` has no name or no apiVersion, or is a Kustomization of kustomize.',
    remedy: 'Complete it, or take it out.',
  },
  'no-objects': {
    stage: 'expand',
    meaning: 'A ResourceSet renders to no object at all.',
    remedy: 'Add resources, or look at conditions and at `reconcile: disabled`.',
  },
  'no-inputs': {
    stage: 'expand',
    meaning: 'The providers of a ResourceSet give no inputs, so that nothing is rendered.',
    remedy: 'Look at selectors and names in `spec.inputsFrom`.',
  },
  'provider-not-found': {
    stage: 'expand',
    meaning: 'There is no ResourceSetInputProvider of that name in the namespace of the ResourceSet.',
    remedy: 'Add it to the package, to `--definitions` or to `--observed`.',
  },

  'rendered-type': {
    stage: 'expand',
    meaning: 'A field of a rendered object has another type than its kind wants; only `validate` looks.',
    remedy: 'Convert the value, or mend the field.',
  },
  'rendered-required': {
    stage: 'expand',
    meaning: 'A rendered object lacks a field that its kind requires; only `validate` looks.',
    remedy: 'Write the field into the template.',
  },
  'rendered-value': {
    stage: 'expand',
    meaning:
      'A field of a rendered object is out of bounds, does not match a pattern, or is none of the values that its kind allows; only `validate` looks.',
    remedy: 'Mend the value, or keep instances from giving it with a marker of the schema.',
  },
  'rendered-unknown-field': {
    stage: 'expand',
    meaning: 'A rendered object has a field that its kind does not have: it would be refused, or dropped.',
    remedy: 'Remove it from the map that the expression yields.',
  },
  'rendered-duplicate': {
    stage: 'expand',
    meaning: 'A list of a rendered object that is a set, or a map by keys, has an item twice; only `validate` looks.',
    remedy: 'Give the items different keys.',
  },
  'rendered-rule': {
    stage: 'expand',
    meaning: 'A rendered object breaks a validation rule (CEL) of its CRD; only `validate` looks.',
    remedy: 'Do as the message of the rule says.',
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
  'observed-secret': {
    stage: 'pending',
    meaning: 'An expression reads values of a Secret, and `observe` would write them down.',
    remedy: 'Refer to the Secret instead of reading it, or allow it with --allow-secrets.',
  },
  'observed-unread': {
    stage: 'pending',
    meaning: 'Live objects were left out, since nothing reads them.',
    remedy: 'Nothing.',
  },
  'passed-through': {
    stage: 'pending',
    meaning: 'An instance was left to a kro controller.',
    remedy: 'Nothing; supply what it waits for to have it rendered.',
  },
  'provider-pending': {
    stage: 'pending',
    meaning: 'A ResourceSet takes inputs from a provider that only the Flux operator can ask.',
    remedy: 'Give the live provider with `--observed`, or a list of inputs with `--inputs-from`.',
  },
  'operator-only': {
    stage: 'pending',
    meaning: 'A field or an annotation of a ResourceSet means something to the Flux operator alone, in a cluster.',
    remedy: 'Nothing; whoever applies the objects does without it.',
  },

  // collision: two rendered objects share one identity
  'identity-collision': {
    stage: 'collision',
    meaning: 'Two objects would have one group, kind, namespace and name.',
    remedy: 'Rename one of them.',
  },
  // lint: allowed, and probably not meant; only `validate` looks for it
  'lint-index-identity': {
    stage: 'lint',
    meaning:
      'A name or namespace is made of the index or the number of items: when an item goes, objects of others are deleted and created again.',
    remedy: 'Make it of something that stays with the item, such as its own name.',
  },
  'lint-unsorted-list': {
    stage: 'lint',
    meaning: 'A list is made from a map, which has no order, where order counts: kro writes another one now and then.',
    remedy: 'Sort it: `.sort()`, or `.sortBy(item, item.name)`.',
  },
  'lint-trailing-newline': {
    stage: 'lint',
    meaning: 'A block scalar holds one expression and a line break, so that the value is a text that ends in one.',
    remedy: 'Write the block scalar with a dash, `|-` or `>-`, or the expression in quotes.',
  },
  'lint-never-included': {
    stage: 'lint',
    meaning: 'A condition of a node is false whatever the instance, or the node reads one that is never included.',
    remedy: 'Mend the condition, or remove the node.',
  },
  'lint-unread-field': {
    stage: 'lint',
    meaning: 'A field of the schema changes nothing: no expression and no validation rule reads it.',
    remedy: 'Remove it, or read it.',
  },
  'lint-unread-input': {
    stage: 'lint',
    meaning: 'An input that is written in a ResourceSet changes nothing: no template reads it.',
    remedy: 'Remove it, or read it.',
  },
  'lint-contagious-skip': {
    stage: 'lint',
    meaning:
      'A node reads a conditional node only behind `?` or in an arm of `?:`, as if it were rendered without it: it is left out too.',
    remedy: 'Decide by the instance, or write two nodes with opposite conditions.',
  },
  'lint-null-value': {
    stage: 'lint',
    meaning: 'The whole value of a field is an optional, which is written as null where there is no value.',
    remedy: 'Give a fallback with `.orValue(...)`, or make the map that holds the field: `{?"field": ...}`.',
  },
  'lint-unused-variable': {
    stage: 'lint',
    meaning: 'A macro declares a variable that nothing reads.',
    remedy: 'Read it, or begin its name with `_`.',
  },
  'lint-required-default': {
    stage: 'lint',
    meaning: 'A field is required and has a default, so that nobody has to give it.',
    remedy: 'Remove one of the two.',
  },

  // compat: only `compat` tells
  'breaking-change': {
    stage: 'compat',
    meaning: 'A change of an RGD refuses instances that were right before; kro refuses the RGD.',
    remedy: 'Take the change back, or give the new field a default; or define a new kind beside the old one.',
  },
  'compatible-change': {
    stage: 'compat',
    meaning: 'A change of the schema of an RGD that breaks no instance.',
    remedy: 'Nothing.',
  },

  // test: only `test` tells
  'test-failed': {
    stage: 'test',
    meaning: 'What a package renders to is not what its test expects.',
    remedy: 'Mend the RGD, or write what is expected with `--update`.',
  },
  'test-broken': {
    stage: 'test',
    meaning: 'A test cannot be run: its test.yaml or what it expects is wrong.',
    remedy: 'Mend the file as the message says.',
  },
});

/** The codes by name, which are what their type says. */
function entries<Name extends string>(all: Readonly<Record<Name, CodeEntry>>): Readonly<Record<Name, CodeEntry>> {
  return all;
}

export type Code = keyof typeof table;

/** What a code means. */
export const codeEntry = (code: Code): CodeEntry => table[code];

/** All codes, by name. */
export const codeEntries = (): Readonly<Record<Code, CodeEntry>> => table;
