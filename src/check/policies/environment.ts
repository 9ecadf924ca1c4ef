import schemas from '../../../data/admission-variables.json';
import { lazily } from '../../core/model/lazily.ts';
import { declaredType } from '../../kro/compile/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import {
  type CelType,
  createEnvironment,
  DYN,
  kubernetesLibraries,
  type Library,
  type ObjectType,
  type Overload,
  opaque,
  STRING,
} from '../../languages/cel/index.ts';

/** `request`, and `namespaceObject` (k8s.io/apiserver/pkg/admission/plugin/cel: BuildRequestType, BuildNamespaceType). */
const requestType = lazily(() => declaredType(schemas.request as Schema, 'kubernetes.AdmissionRequest') ?? DYN);
const namespaceType = lazily(() => declaredType(schemas.namespaceObject as Schema, 'kubernetes.Namespace') ?? DYN);

const ofAuthorization = (name: string): CelType => opaque(`kubernetes.authorization.${name}`);
const AUTHORIZER = ofAuthorization('Authorizer');
const DECISION = ofAuthorization('Decision');
const PATH = ofAuthorization('PathCheck');
const GROUP = ofAuthorization('GroupCheck');
const RESOURCE = ofAuthorization('ResourceCheck');
const BOOL: CelType = { kind: 'bool' };

/** An authorizer is never known, so that no call is reached. */
const asks = (name: string, on: CelType, arity: number, result: CelType): Overload => ({
  name,
  member: true,
  params: [on, ...Array<CelType>(arity).fill(STRING)],
  result,
  call: () => false,
});

const authorizer: Library = [
  asks('path', AUTHORIZER, 1, PATH),
  asks('group', AUTHORIZER, 1, GROUP),
  asks('serviceAccount', AUTHORIZER, 2, AUTHORIZER),
  asks('resource', GROUP, 1, RESOURCE),
  ...['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'].map((name) =>
    asks(name, RESOURCE, 1, RESOURCE),
  ),
  asks('check', PATH, 1, DECISION),
  asks('check', RESOURCE, 1, DECISION),
  asks('errored', DECISION, 0, BOOL),
  asks('error', DECISION, 0, STRING),
  asks('allowed', DECISION, 0, BOOL),
  asks('reason', DECISION, 0, STRING),
];

/** Returns the functions for expressions of admission policies; a shared instance. */
export const policyEnvironment = lazily(() =>
  createEnvironment([...kubernetesLibraries, authorizer], {
    typeNames: true,
    crossTypeComparisons: true,
    formatsAsVersion2: true,
  }),
);

/** The variables of a policy, in the order of an activation. */
export const VARIABLES = [
  'object',
  'oldObject',
  'params',
  'request',
  'namespaceObject',
  'authorizer',
  'authorizer.requestResource',
  'variables',
] as const;

const AUTHORIZERS = [
  ['authorizer', AUTHORIZER],
  ['authorizer.requestResource', RESOURCE],
] as const;

/** The types of the variables that an expression may read. */
export function variablesOf(
  { object = DYN, params, authorizer = true }: { object?: CelType; params?: CelType | undefined; authorizer?: boolean },
  declared: ReadonlyMap<string, CelType> | undefined,
): Map<string, CelType> {
  const variables = (known: ReadonlyMap<string, CelType>): ObjectType => ({
    kind: 'object',
    name: 'kubernetes.variables',
    open: false,
    field: (name) => known.get(name),
    fieldNames: () => [...known.keys()],
  });
  return new Map<string, CelType>([
    ['object', object],
    ['oldObject', object],
    ...(params === undefined ? [] : [['params', params] as const]),
    ['request', requestType()],
    ['namespaceObject', namespaceType()],
    ...(authorizer ? AUTHORIZERS : []),
    ...(declared === undefined ? [] : [['variables', variables(declared)] as const]),
  ]);
}
