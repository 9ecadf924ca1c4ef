/**
 * The table of all diagnostic codes: stage, meaning and remedy. `docs/diagnostics.md` is generated from it. Codes never
 * change their meaning; message texts may. The file is long because the table is complete.
 */
export type Stage =
  | 'parse'
  | 'compile'
  | 'instance'
  | 'expand'
  | 'pending'
  | 'collision'
  | 'lint'
  | 'compat'
  | 'plan'
  | 'test';

export interface CodeEntry {
  stage: Stage;
  /** The error, for the reference page. */
  meaning: string;
  /** The fix, for the reference page. */
  remedy: string;
}

const table = {
  // parse: the input is not valid YAML or not a valid RGD
  'yaml-syntax': {
    stage: 'parse',
    meaning: 'The text is not valid YAML or JSON.',
    remedy: 'Fix the syntax at the position shown.',
  },
  'duplicate-key': {
    stage: 'parse',
    meaning:
      'A map contains a key twice. The last one wins, as in kro and Argo CD. It is an error with --strict, and where readers of YAML disagree.',
    remedy: 'Remove or rename one of them.',
  },
  'template-file': {
    stage: 'parse',
    meaning: 'A file is a template, such as one of a Helm chart, and not YAML.',
    remedy: 'Render it first (`helm template CHART | render-rgd render -`), or leave it out with `--exclude`.',
  },
  'yaml-value': {
    stage: 'parse',
    meaning:
      'The YAML has a value or a key that JSON cannot hold: an infinity, a null key, text that does not fit its tag.',
    remedy: 'Quote it to make it a string, or use a value that JSON supports.',
  },
  'yaml-alias': {
    stage: 'parse',
    meaning:
      'An alias refers to no earlier anchor or contains itself, or the aliases of a document expand to too many values.',
    remedy: 'Fix the name, or write out the value.',
  },
  'object-shape': {
    stage: 'parse',
    meaning:
      'An object has only one of apiVersion and kind, one of them or metadata is of the wrong type, or a List has no items.',
    remedy: 'Write the field as the message says; an API server rejects it too. `--exclude GLOB` ignores files.',
  },
  'not-an-object': {
    stage: 'parse',
    meaning: 'A document without apiVersion and kind is not a Kubernetes object and is ignored.',
    remedy: 'Nothing, if it is not a Kubernetes object; `--exclude GLOB` ignores its file.',
  },
  'nothing-to-read': {
    stage: 'parse',
    meaning: 'The input contains no document.',
    remedy: 'Check the path, or the command before the pipe. --allow-empty accepts an empty input.',
  },
  'rgd-not-known': {
    stage: 'parse',
    meaning: 'An object looks like a ResourceGraphDefinition, but has another version, group or kind.',
    remedy: 'Write kro.run/v1alpha1 and ResourceGraphDefinition.',
  },
  'resourceset-not-known': {
    stage: 'parse',
    meaning: 'An object looks like a ResourceSet or a ResourceSetInputProvider, but has another group or kind.',
    remedy: 'Write fluxcd.controlplane.io/v1 and ResourceSet or ResourceSetInputProvider.',
  },
  'more-diagnostics': {
    stage: 'parse',
    meaning: 'Some diagnostics are not printed: the limit is 1,000 diagnostics and 1,000,000 characters, errors first.',
    remedy: 'Fix the printed errors, and run the command again.',
  },
  'observed-twice': {
    stage: 'parse',
    meaning: 'Two observed objects have the same group, kind, namespace and name.',
    remedy: 'Keep the newer one.',
  },
  'observed-answer': {
    stage: 'parse',
    meaning: 'The input of `observe` is a Status of the API server and not an object.',
    remedy: 'Get existing objects with `kubectl get ... -o yaml` or `-o json`.',
  },
  'observed-mismatch': {
    stage: 'parse',
    meaning: 'A live object has the kind and name of one that the package reads, but another group or scope.',
    remedy: 'Supply the object that the package refers to; its group and scope come from the template and the CRD.',
  },
  'observed-version': {
    stage: 'parse',
    meaning: 'A live object has another API version than the package uses.',
    remedy: 'Get the version that the package uses, as the hint says.',
  },
  'rgd-shape': {
    stage: 'parse',
    meaning:
      'An RGD has a value of the wrong type, lacks a required field, or has a forEach entry that is not a map with one iterator.',
    remedy: 'Write the field as the message says.',
  },
  'rgd-unknown-field': {
    stage: 'parse',
    meaning: 'An RGD has an unknown field.',
    remedy: 'Remove it, or use the name that the hint suggests.',
  },
  'control-character': {
    stage: 'parse',
    meaning:
      'A template, a schema or a status has a control character that kro cannot read back: DEL, or one from U+0080 on.',
    remedy: 'Remove it, or compute it in an expression with an escape: ${"\\u0080"}.',
  },
  'external-ref-shape': {
    stage: 'parse',
    meaning: 'An externalRef has both or neither of metadata.name and metadata.selector.',
    remedy: 'Keep exactly one of them.',
  },
  'unreadable-file': {
    stage: 'parse',
    meaning: 'A file or folder does not exist, cannot be read, is not UTF-8 text, or is not what the option expects.',
    remedy: 'Fix the path or the file.',
  },
  'command-line': {
    stage: 'parse',
    meaning: 'The command line has an unknown command or option, a value that does not fit, or lacks something.',
    remedy: 'Fix it; `render-rgd help COMMAND` describes the command. The exit code is 2.',
  },
  'unwritable-file': {
    stage: 'parse',
    meaning: 'A file that the command line names cannot be written, or exists and is not overwritten.',
    remedy: 'Fix the path or the permissions.',
  },
  'resource-list': {
    stage: 'parse',
    meaning: 'The standard input of the KRM function is not one ResourceList.',
    remedy: 'Run it with kustomize or kpt; to render files use `render-rgd render PATH`.',
  },
  'function-config': {
    stage: 'parse',
    meaning: 'The functionConfig has an unknown option, or a value of the wrong type.',
    remedy: 'See docs/options.md for the options and their values.',
  },
  'library-option': {
    stage: 'parse',
    meaning: 'A call of the library has an unknown option, or a value of the wrong type.',
    remedy: 'Fix it; docs/options.md lists the options.',
  },
  'not-found': {
    stage: 'parse',
    meaning: 'The name given to a tool matches nothing in the package, or more than one thing.',
    remedy: 'Use one of the names that the message lists.',
  },
  'plugin-parameter': {
    stage: 'parse',
    meaning: 'A parameter of the Argo CD plugin is unknown, has an invalid value, or needs another parameter.',
    remedy: 'See docs/options.md for the parameters and their values.',
  },
  'path-outside': {
    stage: 'parse',
    meaning: 'In the Argo CD plugin, a path or a link is outside the repository.',
    remedy: 'Keep the file in the repository; an administrator can allow another folder in plugin.yaml.',
  },
  'build-failed': {
    stage: 'parse',
    meaning: 'kustomize or helm, which run before the rendering, failed or are not installed.',
    remedy: 'Fix the reported error, or use an image that contains them.',
  },
  'build-remote': {
    stage: 'parse',
    meaning: 'A kustomization refers to a URL or a repository, which kustomize would download.',
    remedy: 'Commit the files; an administrator can allow downloads with --allow-remote in plugin.yaml.',
  },
  'build-refused': {
    stage: 'parse',
    meaning:
      'A kustomization would run a program, or the files that kustomize would read cannot be determined before the build.',
    remedy: "Write the configurations of kustomize's builtin plugins as plain files, or inline.",
  },
  'build-not-asked': {
    stage: 'parse',
    meaning:
      'The folder contains a kustomization or a chart, but the parameter `build` does not run kustomize or helm.',
    remedy: 'Set the parameter build to auto, or exclude the kustomization or Chart.yaml by its name.',
  },
  'crd-shape': {
    stage: 'parse',
    meaning: 'A CustomResourceDefinition lacks a required field or has a value of the wrong type.',
    remedy: 'Write the field as the message says; an API server rejects it too.',
  },
  'resourceset-shape': {
    stage: 'parse',
    meaning:
      'A ResourceSet or a ResourceSetInputProvider has a field of the wrong type, or breaks another rule of its CRD.',
    remedy: 'Write the field as the message says.',
  },
  'resourceset-field': {
    stage: 'parse',
    meaning:
      'A ResourceSet or a ResourceSetInputProvider has a field that the Flux operator does not know, or that differs in upper and lower case.',
    remedy: 'Fix its name, or remove it.',
  },
  'resourceset-left-out': {
    stage: 'parse',
    meaning: "A file contains several ResourceSets. Only the first one is rendered, as in the Flux operator's build.",
    remedy: 'Write each ResourceSet to its own file, and pass the folder.',
  },
  'inputs-file': {
    stage: 'parse',
    meaning:
      'The file of `--inputs-from` is not one list of input sets, or the input contains more than one ResourceSet.',
    remedy: 'Write a list of maps; for several ResourceSets write providers of type Static.',
  },
  'defaults-file': {
    stage: 'parse',
    meaning: 'The file of `--defaults` contains something other than one `spec` for each kind.',
    remedy: 'Write a document with `apiVersion`, `kind` and `spec` for each kind.',
  },
  'settings-file': {
    stage: 'parse',
    meaning: 'A render-rgd.yaml has an unknown field or code, a value of the wrong type, or a rule without a reason.',
    remedy: 'Write a list of rules, each with code, severity, reason and perhaps paths.',
  },
  'provider-kind': {
    stage: 'parse',
    meaning: 'A file of ResourceSetInputProviders contains an object of another kind.',
    remedy: 'Fix its apiVersion and kind, or move it to another file.',
  },

  // compile: an RGD is invalid for every instance
  'rgd-kind': {
    stage: 'compile',
    meaning: 'The kind that an RGD defines is not UpperCamelCase.',
    remedy: 'Start with a capital, use letters and digits only, at most 63.',
  },
  'rgd-plural': {
    stage: 'compile',
    meaning: 'The plural of an RGD is not an RFC 1035 label.',
    remedy: 'Use lower case letters, digits and dashes, a letter first, at most 63.',
  },
  'plural-defined-twice': {
    stage: 'compile',
    meaning: 'Two RGDs of one group have the same plural, so their CRDs would have the same name.',
    remedy: 'Give one of them another kind, or a plural of its own under spec.schema.plural.',
  },
  'rgd-version': {
    stage: 'compile',
    meaning: 'The apiVersion that an RGD defines is not a Kubernetes version.',
    remedy: 'Use a version such as v1, v1alpha1 or v2beta3; the group has its own field.',
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
    meaning: "RGDs render each other's kinds in a cycle.",
    remedy: 'Break the cycle.',
  },
  'kind-defined-twice': {
    stage: 'compile',
    meaning: 'Two RGDs define the same kind.',
    remedy: 'Remove or rename one of them.',
  },
  'node-id': {
    stage: 'compile',
    meaning: 'A node id is not lowerCamelCase, is reserved, or is used twice.',
    remedy: 'Rename the node.',
  },
  'node-shape': {
    stage: 'compile',
    meaning: 'A node has both or neither of template and externalRef, or forEach together with an externalRef.',
    remedy: 'Keep one of them.',
  },
  'selector-shape': {
    stage: 'compile',
    meaning: 'The selector of an external reference is not a valid LabelSelector.',
    remedy: 'Write matchLabels and matchExpressions as in Kubernetes.',
  },
  'iterator-name': {
    stage: 'compile',
    meaning: 'The name of an iterator is invalid or used twice, or a node has more than ten iterators.',
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
    remedy: 'Write them as literals.',
  },
  'unknown-kind': {
    stage: 'compile',
    meaning: 'No core type, CRD or RGD in the input describes a kind.',
    remedy:
      'Add its CustomResourceDefinition to the input (--definitions), or pass the OpenAPI document of a cluster with --openapi.',
  },
  'unknown-template-field': {
    stage: 'compile',
    meaning: 'A template has a field that its kind does not have.',
    remedy: 'Remove it, or use the name that the hint suggests.',
  },
  'unknown-literal-field': {
    stage: 'compile',
    meaning: 'A map literal in an expression has a key that is not a field of the expected object.',
    remedy: 'Remove it, or use the name that the hint suggests.',
  },
  'field-type': {
    stage: 'compile',
    meaning: 'A literal or an expression does not have the type of its field.',
    remedy: 'Convert it as the hint says.',
  },
  'doubtful-type': {
    stage: 'compile',
    meaning:
      'An expression yields another type where the kind expects an object. kro accepts it, and an API server rejects it.',
    remedy: 'Yield an object with fields of the right types.',
  },
  'bytes-value': {
    stage: 'compile',
    meaning:
      'A field of format byte, such as an entry of `data` of a Secret, has bytes. They are written as base64. kro expects ' +
      'bytes there and fails when it writes them. An error with --strict.',
    remedy: 'For kro write dyn(base64.encode(...)), or use stringData.',
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
    remedy: 'Write a literal value.',
  },
  'nested-expression': {
    stage: 'compile',
    meaning: 'An expression is opened inside an expression, outside a string literal.',
    remedy: 'Remove the inner ${ and }.',
  },
  'unclosed-expression': {
    stage: 'compile',
    meaning: 'A ${ is never closed, so the text is not an expression.',
    remedy: 'Close it with }, or write ${"${"} for the text.',
  },
  'not-standalone': {
    stage: 'compile',
    meaning: 'forEach, includeWhen, readyWhen and conditions take one expression without text around it.',
    remedy: 'Write ${...} alone.',
  },
  'expression-syntax': {
    stage: 'compile',
    meaning: 'An expression is not valid CEL.',
    remedy: 'Fix it at the position shown.',
  },
  'expression-type': {
    stage: 'compile',
    meaning: 'An expression does not type-check: an unknown field or function, operands that do not fit.',
    remedy: 'Fix it as the message says.',
  },
  'unknown-name': {
    stage: 'compile',
    meaning: 'An expression refers to a name that is neither schema nor a node.',
    remedy: 'Use the id of a node of this graph.',
  },
  'name-not-here': {
    stage: 'compile',
    meaning: 'An expression refers to a name that is not in scope.',
    remedy: 'Use it where it is in scope.',
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
    meaning: 'Nodes depend on each other in a cycle, or a node depends on itself.',
    remedy: 'Break the cycle.',
  },
  'status-literal': {
    stage: 'compile',
    meaning: 'A status field is not an expression.',
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
    remedy: 'Fix it as the hint says.',
  },
  'unknown-type': {
    stage: 'compile',
    meaning: 'A field of the schema has a type that is neither built in nor declared under types.',
    remedy: 'Use string, integer, float, boolean, object, a list, a map, or declare the type.',
  },
  'type-cycle': {
    stage: 'compile',
    meaning: 'Types of the schema refer to each other in a cycle.',
    remedy: 'Break the cycle, for example with the type object.',
  },
  'schema-too-large': {
    stage: 'compile',
    meaning: 'The CRD of an RGD is too large for an API server or nested too deep, or its patterns are too large.',
    remedy:
      'Use the type object for a part of it: types that use each other several times double at every step. Write shorter patterns.',
  },
  'marker-syntax': {
    stage: 'compile',
    meaning: 'The markers of a field are invalid: a quote or bracket is not closed, or a value is missing.',
    remedy: 'Write name=value, separated by spaces, and quote values of several words.',
  },
  'unknown-marker': {
    stage: 'compile',
    meaning: 'A marker is unknown.',
    remedy: 'Use the name that the hint suggests.',
  },
  'marker-value': {
    stage: 'compile',
    meaning: 'The value of a marker has the wrong type.',
    remedy: 'Write it as the message says.',
  },
  'marker-not-applicable': {
    stage: 'compile',
    meaning: 'A marker does not apply to the type of its field.',
    remedy: 'Remove it, or use the one that the hint suggests.',
  },
  'marker-conflict': {
    stage: 'compile',
    meaning: 'Two markers contradict each other, or a marker occurs twice.',
    remedy: 'Remove one of them.',
  },
  'schema-default': {
    stage: 'compile',
    meaning: 'A default is not a value of its type, or breaks the rules of its field.',
    remedy: 'Fix the default; lists, maps and structs take JSON.',
  },
  'crd-refused': {
    stage: 'compile',
    meaning: 'An API server would reject the CustomResourceDefinition that the RGD generates, or every instance of it.',
    remedy: 'Change the schema as the message says; kro fails in the cluster.',
  },
  'validation-rule': {
    stage: 'compile',
    meaning: 'A validation rule of the schema is not a bool CEL expression over its field.',
    remedy: 'Fix the rule.',
  },
  'template-syntax': {
    stage: 'compile',
    meaning: 'A template of a ResourceSet does not parse.',
    remedy: 'Fix it at the position shown; write a literal `<<` as `<< "<<" >>`.',
  },

  // instance: an instance does not match its schema
  'sample-incomplete': {
    stage: 'instance',
    meaning: 'The printed sample of an instance is not valid, because valid values cannot be derived from the schema.',
    remedy: 'Fill in the fields that the message lists.',
  },
  'version-not-served': {
    stage: 'instance',
    meaning: 'An instance has a version that its RGD does not define.',
    remedy: 'Use the version of the RGD.',
  },
  'instance-metadata': {
    stage: 'instance',
    meaning: 'The metadata of an instance has no name, or a field or value that Kubernetes rejects.',
    remedy: 'Write it as the message says.',
  },
  'instance-unknown-field': {
    stage: 'instance',
    meaning: 'An instance has a field that its schema does not have.',
    remedy: 'Remove it, or use the name that the hint suggests.',
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
    meaning: 'A value of an instance violates the enum, bounds, length or pattern of its field.',
    remedy: 'Use a valid value.',
  },
  'instance-duplicate': {
    stage: 'instance',
    meaning: 'A list of an instance that is a set or a map contains a duplicate.',
    remedy: 'Remove one of them.',
  },
  'instance-too-large': {
    stage: 'instance',
    meaning: 'An instance, its defaults included, has more values than an API server stores.',
    remedy: 'Make its lists shorter, or let their items have fewer defaults.',
  },
  'rule-violated': {
    stage: 'instance',
    meaning: 'An instance violates a validation rule of its schema.',
    remedy: 'Change the instance as the message of the rule says.',
  },

  // expand: the evaluation of an instance failed
  'graph-kind': {
    stage: 'expand',
    meaning: 'An object is a Graph of kro 0.10 (alpha), which is not rendered.',
    remedy: 'Leave it to a kro controller (`--all` prints it unchanged), or write an RGD and an instance.',
  },
  'undefined-kind': {
    stage: 'expand',
    meaning: 'An object looks like an instance, but no RGD defines its kind.',
    remedy: 'Fix its apiVersion or kind, add its RGD (--definitions), or the CustomResourceDefinition of another kind.',
  },
  'no-instances': {
    stage: 'expand',
    meaning: 'The input contains RGDs but no instance of them, so nothing is rendered.',
    remedy: 'Nothing, if you removed the last instance; otherwise check the paths of the instances.',
  },
  'unresolved-mode': {
    stage: 'expand',
    meaning: 'The annotation render-rgd.dev/mode has an unknown value.',
    remedy: 'Use passthrough, or remove it.',
  },
  'missing-in-instance': {
    stage: 'expand',
    meaning: 'An expression reads a field that the instance does not set.',
    remedy: 'Set the field, declare a default, or guard the expression with has() or .?field.',
  },
  evaluation: {
    stage: 'expand',
    meaning: 'The evaluation of an expression failed.',
    remedy: 'Fix the expression or the value that it reads.',
  },
  'budget-exceeded': {
    stage: 'expand',
    meaning: 'An expression exceeded its budget of steps or of memory.',
    remedy: 'Simplify the expression, or shorten its lists.',
  },
  'collection-too-large': {
    stage: 'expand',
    meaning: 'A collection has more items than the limit.',
    remedy: 'Raise --max-collection-size, or shorten the lists.',
  },
  'external-name': {
    stage: 'expand',
    meaning: 'The name of an external reference is not a string.',
    remedy: 'Make the expression yield a string.',
  },
  'external-selector': {
    stage: 'expand',
    meaning: 'The computed selector of an external reference is not a valid LabelSelector.',
    remedy: 'Compute matchLabels and matchExpressions with valid labels.',
  },
  'nesting-too-deep': {
    stage: 'expand',
    meaning: 'RGDs, or ResourceSets and RGDs, are nested more than eight deep.',
    remedy: 'Flatten them.',
  },
  'object-name': {
    stage: 'expand',
    meaning: 'A rendered object has no name, or an invalid one.',
    remedy: 'Compute a valid name.',
  },
  'service-name': {
    stage: 'expand',
    meaning:
      'The name of a Service starts with a digit, which API servers before Kubernetes 1.36 reject; `validate` warns.',
    remedy: 'Start it with a letter.',
  },
  'object-namespace': {
    stage: 'expand',
    meaning: 'A rendered object has no namespace where one is required, or an invalid one.',
    remedy: 'Compute a valid namespace.',
  },
  'object-label': {
    stage: 'expand',
    meaning: 'A rendered object has an invalid label or annotation.',
    remedy: 'Compute a valid one.',
  },
  'computed-reserved-key': {
    stage: 'expand',
    meaning: 'An expression yields a label or annotation that only the renderer or its runners may set.',
    remedy: 'Remove it.',
  },
  'label-shortened': {
    stage: 'expand',
    meaning: 'A label value of more than 63 characters was shortened.',
    remedy: 'Nothing; use a shorter name to avoid it.',
  },
  'owner-reference': {
    stage: 'expand',
    meaning: 'An owner reference to a rendered instance is omitted, because the instance is not in the cluster.',
    remedy: 'Nothing; --keep-owner-references keeps it.',
  },
  'status-failed': {
    stage: 'expand',
    meaning: 'An author-defined status field could not be computed.',
    remedy: 'Fix the expression; the objects are rendered without it.',
  },
  'node-skipped': {
    stage: 'expand',
    meaning: 'A node is skipped, because its includeWhen is false or it depends on a skipped node.',
    remedy: 'Nothing.',
  },
  'left-out': {
    stage: 'expand',
    meaning: 'Objects of the input that were not rendered here are not printed.',
    remedy: 'Use --all to print them, always where the output is applied with prune.',
  },
  'wave-conflict': {
    stage: 'expand',
    meaning: 'With --order argocd: the sync wave of an object is not later than the waves of its dependencies.',
    remedy: 'Raise the wave, or remove the annotation so that the wave is computed.',
  },
  'hook-order': {
    stage: 'expand',
    meaning: 'With --order argocd: a hook runs in an earlier phase than its dependencies.',
    remedy: 'Make the dependencies hooks of that phase too, or replace the hook with a wave.',
  },
  'order-cycle': {
    stage: 'expand',
    meaning: 'With --order: the objects of ResourceSets depend on themselves, in a cycle.',
    remedy: 'Remove an entry of spec.dependsOn, or move objects to an earlier step.',
  },
  'empty-output': {
    stage: 'expand',
    meaning: 'The output contains no object. With prune, applying it deletes everything.',
    remedy: 'Add an instance, or set allowEmpty.',
  },
  'tree-clash': {
    stage: 'expand',
    meaning:
      'With --output-dir: an object has no apiVersion or no name, or two objects have the same identity and need one file.',
    remedy: 'Complete it, or leave one of them out.',
  },
  'tree-edited': {
    stage: 'expand',
    meaning: 'With --output-dir: a generated file was edited.',
    remedy: 'Change the instance or the RGD instead; --force overwrites the file.',
  },
  'tree-list': {
    stage: 'expand',
    meaning: 'With --output-dir: the folder or its list of generated files cannot be read or written.',
    remedy: 'Fix the cause in the message. The list is written before any file is replaced.',
  },
  'tree-occupied': {
    stage: 'expand',
    meaning: 'With --output-dir: a file that render-rgd did not generate exists at the path of a generated file.',
    remedy: 'Move it elsewhere, or change the layout; --force replaces a file.',
  },
  'tree-stale': {
    stage: 'expand',
    meaning: 'With --check: a file is missing, out of date, or no longer rendered.',
    remedy: 'Render again with the same options, without --check.',
  },
  'tree-written': {
    stage: 'expand',
    meaning: 'With --output-dir: the number of files written, removed and unchanged.',
    remedy: 'Nothing.',
  },
  'entangled-item': {
    stage: 'expand',
    meaning: 'An item of a ResourceList shares anchors and aliases with others, so its text cannot be changed alone.',
    remedy: 'Replace the alias by its value, or add the annotation in the message.',
  },
  'earlier-removed': {
    stage: 'expand',
    meaning: 'An object of an earlier rendering is no longer rendered and was removed.',
    remedy: 'Nothing.',
  },
  'earlier-doubtful': {
    stage: 'expand',
    meaning:
      'An object of an earlier rendering is no longer rendered, but is kept: it was changed, comes from another package, or its RGD is not in the input.',
    remedy: 'Remove it, or remove its annotation to keep it as your own object.',
  },
  'earlier-changed': {
    stage: 'expand',
    meaning: 'A rendered object was changed after the rendering. The change is overwritten.',
    remedy: 'Change the instance or the RGD instead; in kpt, run functions that change objects before this one.',
  },
  'earlier-kept': {
    stage: 'expand',
    meaning: 'An object of an earlier rendering is kept, because a node of its instance is pending.',
    remedy: 'Supply the pending value.',
  },
  'earlier-mismatch': {
    stage: 'expand',
    meaning: 'An object has the annotation of an earlier rendering but another identity: it was copied or renamed.',
    remedy: 'Remove the annotation to keep it as your own object, or remove the object.',
  },
  'earlier-without-rgd': {
    stage: 'expand',
    meaning: 'An object was rendered from an instance whose RGD is no longer in the input.',
    remedy: 'Add the RGD again, or remove the instance too.',
  },

  'earlier-part': {
    stage: 'expand',
    meaning: 'The KRM function received objects of an earlier rendering, and may not have received all their sources.',
    remedy: 'Pass the whole package to the function, without selectors.',
  },
  'earlier-elsewhere': {
    stage: 'expand',
    meaning: 'An object of an earlier rendering is kept, because its instance is not in the input.',
    remedy: 'Nothing, if it was rendered elsewhere; otherwise remove it.',
  },
  'upstream-instance-kept': {
    stage: 'expand',
    meaning:
      '`kpt pkg update` ran since the last rendering. It keeps instances that the KRM function marked, even if upstream removed them.',
    remedy:
      'Remove the instances that upstream no longer has. To avoid it, set `config.kubernetes.io/local-config: "true"` on instances upstream.',
  },
  'not-rendered': {
    stage: 'expand',
    meaning: 'An RGD or an instance is in the input of `doctor`, which expects rendered objects.',
    remedy: 'Render it as the hint says; kustomize skips exec functions without an error.',
  },
  'kustomize-order': {
    stage: 'expand',
    meaning: 'A kustomization changes instances after, or rendered objects before, the rendering.',
    remedy: 'Move the change to the layer that the message names.',
  },
  'template-key': {
    stage: 'expand',
    meaning: 'A template of a ResourceSet reads an input that this input set does not define.',
    remedy: 'Add it to the inputs, or read it with `get`.',
  },
  'template-execution': {
    stage: 'expand',
    meaning: 'A template of a ResourceSet failed: a function rejected its arguments.',
    remedy: 'Convert or check the value first.',
  },
  permutation: {
    stage: 'expand',
    meaning:
      'The inputs of a ResourceSet cannot be permuted: too many combinations, or names that templates cannot use.',
    remedy: 'Shorten the lists, or rename the providers.',
  },
  'rendered-yaml': {
    stage: 'expand',
    meaning: 'The output of a ResourceSet template is not YAML.',
    remedy: 'Pipe texts through `quote`, and values of several lines through `toYaml | nindent`.',
  },
  'rendered-object': {
    stage: 'expand',
    meaning: 'The output of a ResourceSet template is not one object with a kind.',
    remedy: 'Complete the object; put several objects into `resourcesTemplate`.',
  },
  'incomplete-object': {
    stage: 'expand',
    meaning:
      'A ResourceSet rendered an object without apiVersion or name. `render` prints it, as the Flux operator builds it; the KRM function and the Argo CD plugin cannot pass it on.',
    remedy: 'Complete the template at the position shown.',
  },
  'rendered-metadata': {
    stage: 'expand',
    meaning: 'A name, label or annotation that a ResourceSet rendered is not a string.',
    remedy: 'Pipe the value through `quote`.',
  },
  'document-left-out': {
    stage: 'expand',
    meaning: 'A document of a `resourcesTemplate` has no name or no apiVersion, or is a Kustomization of kustomize.',
    remedy: 'Complete it, or remove it.',
  },
  'no-objects': {
    stage: 'expand',
    meaning: 'A ResourceSet renders no object.',
    remedy: 'Add resources, or check the conditions and the annotation `reconcile: disabled`.',
  },
  'no-inputs': {
    stage: 'expand',
    meaning: 'The providers of a ResourceSet export no inputs, so nothing is rendered.',
    remedy: 'Check the selectors and names in `spec.inputsFrom`.',
  },
  'provider-not-found': {
    stage: 'expand',
    meaning: 'The ResourceSetInputProvider does not exist in the namespace of the ResourceSet.',
    remedy: 'Add it to the package, to `--definitions` or to `--observed`.',
  },
  'provider-twice': {
    stage: 'expand',
    meaning: 'Two different ResourceSetInputProviders have the same name and namespace.',
    remedy: 'Rename or remove one of them.',
  },

  'rendered-type': {
    stage: 'expand',
    meaning: 'A field of a rendered object has the wrong type. Checked by `validate`.',
    remedy: 'Convert the value, or fix the field.',
  },
  'rendered-required': {
    stage: 'expand',
    meaning: 'A rendered object lacks a required field. Checked by `validate`.',
    remedy: 'Write the field into the template.',
  },
  'rendered-value': {
    stage: 'expand',
    meaning: 'A field of a rendered object violates the bounds, pattern or enum of its schema. Checked by `validate`.',
    remedy: 'Fix the value, or restrict it with a marker in the schema.',
  },
  'rendered-unknown-field': {
    stage: 'expand',
    meaning:
      'A rendered object has a field that its kind does not define. Checked by `validate`. A warning for built-in kinds, because the cluster may be newer.',
    remedy: 'Remove it from the map that the expression yields.',
  },
  'rendered-duplicate': {
    stage: 'expand',
    meaning: 'A list of a rendered object that is a set or a map contains a duplicate. Checked by `validate`.',
    remedy: 'Make the items or their keys unique.',
  },
  'rendered-rule': {
    stage: 'expand',
    meaning: 'A rendered object violates a validation rule of its CRD. Checked by `validate`.',
    remedy: 'Fix the object as the message of the rule says.',
  },

  // pending: a value is only known at run time
  'pending-value': {
    stage: 'pending',
    meaning: 'An expression reads a value that only a live object has.',
    remedy: 'Supply the object with --observed, or choose another --on-pending.',
  },
  'pending-reference': {
    stage: 'pending',
    meaning: 'An external reference was not found.',
    remedy: 'Add the object to the input, or supply it with --observed.',
  },
  'pending-reader': {
    stage: 'pending',
    meaning: 'A node depends on a pending node.',
    remedy: 'Supply the value of that node.',
  },
  'observed-secret': {
    stage: 'pending',
    meaning: 'An expression reads values of a Secret, which `observe` would print.',
    remedy: 'Refer to the Secret instead of reading it, or allow it with --allow-secrets.',
  },
  'observed-unread': {
    stage: 'pending',
    meaning: 'Live objects are omitted, because nothing reads them.',
    remedy: 'Nothing.',
  },
  'passed-through': {
    stage: 'pending',
    meaning: 'An instance was left to a kro controller.',
    remedy: 'Nothing; supply the pending values to render it.',
  },
  'provider-pending': {
    stage: 'pending',
    meaning: 'A ResourceSet takes inputs from a provider that only the Flux operator can query.',
    remedy: 'Pass the live provider with `--observed`, or a list of inputs with `--inputs-from`.',
  },
  'operator-only': {
    stage: 'pending',
    meaning: 'A field or an annotation of a ResourceSet has an effect only with the Flux operator in a cluster.',
    remedy: 'Nothing; it has no effect on the rendered objects.',
  },

  // collision: two rendered objects share one identity
  'identity-collision': {
    stage: 'collision',
    meaning: 'Two objects have the same group, kind, namespace and name.',
    remedy: 'Rename one of them.',
  },
  // lint: allowed, but probably not intended; only `validate` reports it
  'lint-index-identity': {
    stage: 'lint',
    meaning:
      'A name or namespace depends on the index or the number of items: removing an item replaces the objects of others.',
    remedy: 'Use a property of the item, such as its name.',
  },
  'lint-unsorted-list': {
    stage: 'lint',
    meaning:
      'A list whose order matters is computed from a map. Maps have no order, so kro may apply another order each time.',
    remedy: 'Sort it: `.sort()`, or `.sortBy(item, item.name)`.',
  },
  'lint-trailing-newline': {
    stage: 'lint',
    meaning:
      'A block scalar contains one expression and a trailing line break, so the value is a string that ends in a line break.',
    remedy: 'Write the block scalar with a dash, `|-` or `>-`, or the expression in quotes.',
  },
  'lint-never-included': {
    stage: 'lint',
    meaning: 'A condition of a node is false for every instance, or the node depends on one that is never included.',
    remedy: 'Fix the condition, or remove the node.',
  },
  'lint-unread-field': {
    stage: 'lint',
    meaning: 'A field of the schema has no effect: no expression and no validation rule reads it.',
    remedy: 'Remove it, or read it.',
  },
  'lint-unread-input': {
    stage: 'lint',
    meaning: 'An input of a ResourceSet has no effect: no template reads it.',
    remedy: 'Remove it, or read it.',
  },
  'lint-contagious-skip': {
    stage: 'lint',
    meaning: 'A node reads a conditional node only through `?` or `?:`, but is skipped together with it.',
    remedy: 'Use a condition on the instance instead, or write two nodes with opposite conditions.',
  },
  'lint-null-value': {
    stage: 'lint',
    meaning: 'The value of a field is an optional, which renders as null when it has no value.',
    remedy: 'Add a fallback with `.orValue(...)`, or build the map with `{?"field": ...}`.',
  },
  'lint-unused-variable': {
    stage: 'lint',
    meaning: 'A macro declares a variable that nothing reads.',
    remedy: 'Read it, or begin its name with `_`.',
  },
  'lint-required-default': {
    stage: 'lint',
    meaning: 'A field is required and has a default, so instances never have to set it.',
    remedy: 'Remove one of the two.',
  },
  'lint-optional-read-unguarded': {
    stage: 'lint',
    meaning:
      'An expression reads an optional field without a default and without a guard. For an instance without the field, ' +
      'kro waits forever, and `render` fails. This is an info.',
    remedy:
      'Read it with `?` and a fallback (`schema.spec.?a.orValue("")`), test it with `has()`, or give it a default.',
  },
  'ignore-comment': {
    stage: 'lint',
    meaning: 'A comment `# render-rgd: ignore CODE reason` names no code, an unknown code, or no reason.',
    remedy: 'Write the code of the diagnostic, and after it the reason to ignore it.',
  },
  'ignore-unused': {
    stage: 'lint',
    meaning: 'A comment ignores a diagnostic that is not reported there, or an error that makes `render` fail.',
    remedy: 'Remove the comment, or fix the error.',
  },
  'lint-default-expression': {
    stage: 'lint',
    meaning: 'A default contains an expression. kro does not evaluate it, and uses its text.',
    remedy: 'Compute the value in the template, with a fallback: `.orValue(...)`.',
  },
  'lint-plain-reference': {
    stage: 'lint',
    meaning: 'A string contains a field name without `$` or without braces, so it is not an expression.',
    remedy: 'Write `${...}`.',
  },

  // compat: only `compat` and `diff` report it
  'breaking-change': {
    stage: 'compat',
    meaning: 'A change of an RGD rejects instances that were valid before; kro rejects the RGD.',
    remedy: 'Revert the change, add a default to the new field, or define a new kind.',
  },
  'compatible-change': {
    stage: 'compat',
    meaning: 'A change of the schema of an RGD that keeps all instances valid.',
    remedy: 'Nothing.',
  },
  'older-version-broken': {
    stage: 'compat',
    meaning: '`diff` compares with a version that cannot be rendered: all objects are printed as added.',
    remedy: 'Compare with a valid version; with `--strict` this is an error.',
  },

  // plan: only `plan` reports them, for a change of a repository
  'danger-data-loss': {
    stage: 'plan',
    meaning: 'A change deletes an object that holds data: a claim, a volume, a Namespace, a CRD, a database.',
    remedy: 'Keep the object, or back its data up first.',
  },
  'danger-secret-deleted': {
    stage: 'plan',
    meaning: 'A change deletes a Secret that objects outside of the package may read.',
    remedy: 'Keep the Secret until nothing reads it.',
  },
  'danger-immutable-field': {
    stage: 'plan',
    meaning: 'A change sets a field that an API server does not change in place, so the sync fails.',
    remedy: 'Delete the object and create it again, or give the new version another name.',
  },
  'danger-image-latest': {
    stage: 'plan',
    meaning: 'A change replaces the version of an image by `latest` or by no tag.',
    remedy: 'Name a version or a digest.',
  },
  'danger-image-older': {
    stage: 'plan',
    meaning: 'A change goes back to an older version of an image.',
    remedy: 'Name the newer version, unless going back is intended.',
  },
  'danger-access-wider': {
    stage: 'plan',
    meaning: 'A change gives more permissions: a wider rule of a role, a new subject, a new binding to cluster-admin.',
    remedy: 'Check that the permissions are needed.',
  },
  'danger-no-replicas': {
    stage: 'plan',
    meaning: 'A change scales a workload to zero.',
    remedy: 'Check that nothing needs the workload.',
  },
  'danger-host-removed': {
    stage: 'plan',
    meaning: 'An Ingress or a route no longer serves a host.',
    remedy: 'Keep the host until no client uses it.',
  },
  'danger-volume-smaller': {
    stage: 'plan',
    meaning: 'A claim asks for less storage than before. An API server rejects that.',
    remedy: 'Keep the size, or create a new claim and move the data.',
  },
  'application-not-rendered': {
    stage: 'plan',
    meaning: '`plan` cannot render an application: its source is elsewhere, or only another tool builds it.',
    remedy: 'Run kustomize and helm with `--allow-exec`, or compare that application in another way.',
  },

  // test: only `test` reports it
  'test-failed': {
    stage: 'test',
    meaning: 'A package does not render to the expected objects.',
    remedy: 'Fix the RGD, or update the expected files with `--update`.',
  },
  'coverage-low': {
    stage: 'test',
    meaning: 'The coverage of the tests is below --coverage-min.',
    remedy: 'Add tests; --coverage lists the parts that no test covers.',
  },
  'test-broken': {
    stage: 'test',
    meaning: 'A test cannot run: its test.yaml or its expected file is invalid.',
    remedy: 'Fix the file as the message says.',
  },
} satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof table;

/** Every code by its name. */
export const codes: Readonly<Record<Code, CodeEntry>> = table;
