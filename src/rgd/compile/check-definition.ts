import type { Problem, Reporter } from '../../diagnostics/index.ts';
import { get } from '../../model/value.ts';
import type { Definition, NodeDefinition } from '../definition/index.ts';
import { idFault, KIND, VERSION } from './names.ts';

/** What an RGD must be whatever its expressions say (kro: pkg/graph/validation.go). */
export function checkDefinition(definition: Definition, strict: boolean, reporter: Reporter): void {
  checkIdentity(definition, reporter);
  checkNames(definition, strict, reporter);
  for (const node of definition.nodes) checkCombination(node, reporter);
}

function checkIdentity(definition: Definition, reporter: Reporter): void {
  const at = (key: string): string[] => ['spec', 'schema', key];
  const { kind, version, group } = definition;
  if (!KIND.test(kind)) {
    const message = `the kind '${kind}' must be UpperCamelCase: letters and digits, at most 63`;
    reporter.report({ code: 'rgd-kind', message, path: at('kind') });
  }
  if (!VERSION.test(version)) {
    const hint = version.includes('/') ? 'write the version alone and the rest under group' : 'for example v1alpha1';
    reporter.report({
      code: 'rgd-version',
      message: `'${version}' is not a Kubernetes version`,
      path: at('apiVersion'),
      hint,
    });
  }
  if (!DNS_NAME.test(group)) {
    reporter.report({ code: 'rgd-group', message: `'${group}' is not a DNS name`, path: at('group') });
  }
  if (definition.plural !== undefined && !PLURAL.test(definition.plural)) {
    const message = `'${definition.plural}' is no plural: lower case letters, digits and dashes, a letter first, at most 63`;
    reporter.report({ code: 'rgd-plural', message, path: at('plural') });
  }
  const scope = get(definition.schema, 'scope') ?? 'Namespaced';
  if (scope !== null && scope !== 'Namespaced' && scope !== 'Cluster') {
    reporter.report({
      code: 'rgd-scope',
      message: `scope is Namespaced or Cluster, not '${scope}'`,
      path: at('scope'),
    });
  }
}

/** An RFC 1035 label. */
const PLURAL = /^(?=.{1,63}$)[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function checkCombination({ id, path, template, externalRef, forEach }: NodeDefinition, reporter: Reporter): void {
  if ((template === undefined) === (externalRef === undefined)) {
    const message = 'a node has either a template or an externalRef';
    reporter.report({ code: 'node-shape', message, path }, id);
  }
  if (externalRef !== undefined && forEach.length > 0) {
    const message = 'forEach makes objects, so it cannot stand beside an externalRef';
    reporter.report({ code: 'node-shape', message, path: [...path, 'forEach'] }, id);
  }
}

/** The name of the engine in kro 0.10. */
const RESERVED_LATER = 'graphengine';

const reservedLater = (code: 'node-id' | 'iterator-name', strict: boolean): Problem => ({
  code,
  message: `'${RESERVED_LATER}' is a reserved word from kro 0.10 on`,
  path: [],
  severity: strict ? 'error' : 'warning',
});

const BOOLEAN_KEY = 'y, n, yes, no, on and off are booleans in YAML: put the name in quotes';

function checkNames(definition: Definition, strict: boolean, reporter: Reporter): void {
  const seen = new Map<string, number>();
  const ids = new Set(definition.nodes.map(({ id }) => id));
  for (const { id, path, forEach } of definition.nodes) {
    const fault = idFault(id);
    const first = seen.get(id);
    if (fault !== undefined) {
      reporter.report({ code: 'node-id', message: `${fault}, so it cannot be a node id`, path: [...path, 'id'] }, id);
    } else if (first !== undefined) {
      const message = `the id '${id}' is taken by spec.resources[${first}]`;
      reporter.report({ code: 'node-id', message, path: [...path, 'id'] }, id);
    } else {
      seen.set(id, path[2] as number);
      if (id === RESERVED_LATER) reporter.report({ ...reservedLater('node-id', strict), path: [...path, 'id'] }, id);
    }
    if (forEach.length > 10) {
      const message = `forEach has at most 10 iterators, this one has ${forEach.length}`;
      reporter.report({ code: 'iterator-name', message, path: [...path, 'forEach'] }, id);
    }
    const iterators = new Set<string>();
    for (const iterator of forEach) {
      const reason =
        idFault(iterator.name) ??
        (ids.has(iterator.name) ? `'${iterator.name}' is a node id` : undefined) ??
        (iterators.has(iterator.name) ? `'${iterator.name}' is an iterator of this node already` : undefined);
      iterators.add(iterator.name);
      if (iterator.name === RESERVED_LATER) {
        reporter.report({ ...reservedLater('iterator-name', strict), path: iterator.path }, id);
      }
      if (reason === undefined) continue;
      const message = `${reason}, so it cannot be an iterator`;
      const hint = ['true', 'false'].includes(iterator.name) ? BOOLEAN_KEY : undefined;
      reporter.report(
        { code: 'iterator-name', message, path: iterator.path, ...(hint === undefined ? {} : { hint }) },
        id,
      );
    }
  }
}
