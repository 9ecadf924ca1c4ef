import { type Collector, reporterFor } from '../../core/diagnostics/index.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { KubernetesRelease } from '../../core/model/render.ts';
import type { Value } from '../../core/model/value.ts';
import { crdKinds, kindsOfCrds } from './crd.ts';
import { openapiKinds } from './openapi.ts';
import { kubernetesKinds } from './releases.ts';
import { firstOf, type KindRegistry } from './schema.ts';

export { builtinKinds, namespacelessObjectMetaSchema, objectMetaSchema } from './builtin.ts';
export { controllerKinds, isControllerKind } from './controllers.ts';
export { toSchema } from './convert.ts';
export { crdKinds, pluralize, pluralOf, type Resources, resourcesOf } from './crd.ts';
export { type Describe, firstSentence, readDescriptions } from './descriptions.ts';
export { isOpenapiDocument } from './openapi.ts';
export { deprecatedFields, deprecatedKind, kubernetesKinds, unservedField, unservedKind } from './releases.ts';
export * from './schema.ts';

/** Returns the kinds of CRDs, whose errors are reported, and those of an OpenAPI document or else of a release of Kubernetes. */
export function kindsOf(
  crds: readonly InputObject[],
  openapi: Value | undefined,
  release: KubernetesRelease,
  reports: Collector,
): KindRegistry {
  const all = crds.map((input) => {
    const kinds = crdKinds(input.object);
    const reporter = reporterFor(input, reports);
    for (const problem of kinds.problems) reporter.report(problem);
    return kinds;
  });
  return firstOf([kindsOfCrds(all), openapi === undefined ? kubernetesKinds(release) : openapiKinds(openapi)]);
}
