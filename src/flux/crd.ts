import schemas from '../../data/resourceset-schemas.json';
import { type Message, type Problem, phrase, shown } from '../core/diagnostics/index.ts';
import { formatPath, get, isMap, listAt, type Path, textAt, type Value, type ValueMap } from '../core/model/value.ts';
import { type Schema, toSchema } from '../kubernetes/schema/index.ts';
import { compileCheck, startVisit } from '../kubernetes/validation/index.ts';
import { parse } from '../languages/cel/index.ts';

/**
 * What the API server rejects in a ResourceSet and in a ResourceSetInputProvider: the types and rules of their CRDs, as
 * of flux-operator v0.59 (https://fluxoperator.dev/docs/crd/resourceset/). Fields that only the operator reads are
 * included, because it renders nothing if the object is rejected. Numbers and booleans in commonMetadata become strings,
 * as intended by the author.
 */
export const SET_SPEC = toSchema(schemas.set);
export const PROVIDER_SPEC = toSchema(schemas.provider);

type ReportProblem = (problem: Problem) => void;

/** Reports fields of a spec that do not match its CRD; unknown fields are ignored, with a warning. */
export function checkShape(schema: Schema, spec: Value, report: ReportProblem): void {
  const visit = startVisit(['spec']);
  compileCheck(schema)(spec, visit);
  for (const problem of visit.problems) {
    if (problem.code !== 'instance-unknown-field') report({ ...problem, code: 'resourceset-shape' });
    else {
      const message = phrase`unknown field ${{ field: formatPath(problem.path) }} is ignored`;
      report({ ...problem, code: 'resourceset-field', message, severity: 'warning' });
    }
  }
}

/** What the CRD of a provider requires of a field, by the type of the provider. */
interface ProviderRule {
  field: string;
  isBroken: (spec: ValueMap, type: string) => boolean;
  message: string;
  /** A field is missing, as in a live provider of which only the fields that are read were kept. */
  isAbsence?: true;
}

const usesOciOfCloud = (type: string): boolean => type.endsWith('ArtifactTag') && type !== 'OCIArtifactTag';
const isAws = (type: string): boolean => type.startsWith('AWSCodeCommit');
const isAzure = (type: string): boolean => type.startsWith('AzureDevOps');
const hasNoService = (type: string): boolean => type === 'Static' || type === 'ExternalArtifact';
const urlOf = (spec: ValueMap): string => textAt(spec, 'url');
const isHttp = (url: string): boolean => url.startsWith('http://') || url.startsWith('https://');

const PROVIDER_RULES: readonly ProviderRule[] = [
  {
    field: 'url',
    isBroken: (spec, type) => hasNoService(type) && has(spec, 'url'),
    message: 'a provider of this type has no url',
  },
  {
    field: 'url',
    isBroken: (spec, type) => !hasNoService(type) && !has(spec, 'url'),
    message: 'a provider of this type needs a url',
    isAbsence: true,
  },
  {
    field: 'url',
    isBroken: (spec, type) => type.startsWith('Git') && has(spec, 'url') && !urlOf(spec).startsWith('http'),
    message: "the url of a Git provider must start with 'http://' or 'https://'",
  },
  {
    field: 'url',
    isBroken: (spec, type) => isAzure(type) && has(spec, 'url') && !isHttp(urlOf(spec)),
    message: "the url of an AzureDevOps provider must start with 'http://' or 'https://'",
  },
  {
    field: 'url',
    isBroken: (spec, type) => isAws(type) && has(spec, 'url') && !urlOf(spec).startsWith('https://'),
    message: "the url of an AWSCodeCommit provider must start with 'https://'",
  },
  {
    field: 'url',
    isBroken: (spec, type) => type.endsWith('ArtifactTag') && has(spec, 'url') && !urlOf(spec).startsWith('oci'),
    message: "the url of an OCI provider must start with 'oci://'",
  },
  {
    field: 'url',
    isBroken: (spec, type) => type.endsWith('ArtifactTag') && /^oci:\/\/[^/]*$/.test(urlOf(spec)),
    message: 'the url of an OCI provider must include the path of the repository',
  },
  {
    field: 'url',
    isBroken: (spec, type) => type === 'ExternalService' && has(spec, 'url') && !urlOf(spec).startsWith('http'),
    message: "the url of an ExternalService must start with 'http://' or 'https://'",
  },
  {
    field: 'url',
    isBroken: (spec, type) =>
      type === 'ExternalService' && urlOf(spec).startsWith('http://') && get(spec, 'insecure') !== true,
    message: "the url must start with 'https://' unless insecure is true",
  },
  {
    field: 'insecure',
    isBroken: (spec, type) => get(spec, 'insecure') === true && type !== 'ExternalService' && type !== 'OCIArtifactTag',
    message: 'insecure is for the types ExternalService and OCIArtifactTag only',
  },
  {
    field: 'serviceAccountName',
    isBroken: (spec, type) =>
      has(spec, 'serviceAccountName') &&
      !(isAzure(type) || isAws(type) || type.endsWith('ArtifactTag') || type === 'ExternalArtifact'),
    message: 'serviceAccountName is for AzureDevOps*, AWSCodeCommit*, *ArtifactTag and ExternalArtifact only',
  },
  {
    field: 'certSecretRef',
    isBroken: (spec, type) =>
      has(spec, 'certSecretRef') && (hasNoService(type) || isAzure(type) || isAws(type) || usesOciOfCloud(type)),
    message: 'a provider of this type has no certSecretRef',
  },
  {
    field: 'secretRef',
    isBroken: (spec, type) => has(spec, 'secretRef') && (hasNoService(type) || isAws(type) || usesOciOfCloud(type)),
    message: 'a provider of this type has no secretRef',
  },
  {
    field: 'selectors',
    isBroken: (spec, type) => type === 'ExternalArtifact' && listAt(spec, 'selectors').length === 0,
    message: 'a provider of the type ExternalArtifact needs selectors',
    isAbsence: true,
  },
  {
    field: 'selectors',
    isBroken: (spec, type) => type !== 'ExternalArtifact' && has(spec, 'selectors'),
    message: 'selectors are for the type ExternalArtifact only',
  },
];

/** Checks the rules of the CRD of a provider. A live one may lack fields. */
export function checkProviderRules(spec: ValueMap, isLive: boolean, report: ReportProblem): void {
  const type = textAt(spec, 'type');
  for (const { field, isBroken, message, isAbsence = false } of PROVIDER_RULES) {
    if (isBroken(spec, type) && !(isAbsence && isLive)) {
      report({ code: 'resourceset-shape', message: phrase`${{ reason: shown(message) }}`, path: ['spec', field] });
    }
  }
  mapsIn(spec, 'selectors').forEach((selector, index) => {
    if (!has(selector, 'name') || !(has(selector, 'matchLabels') || has(selector, 'matchExpressions'))) return;
    const message = phrase`a selector has a name, or matchLabels and matchExpressions, not both`;
    report({ code: 'resourceset-shape', message, path: ['spec', 'selectors', index] });
  });
}

const has = (value: Value | undefined, field: string): boolean => (get(value, field) ?? null) !== null;

/** Checks the rules of the CRD and the controller; `lenient`: what `flux-operator build rset` does not check. */
export function checkRules(spec: ValueMap, report: ReportProblem, lenient: 'error' | 'warning'): void {
  const fault = (message: Message, path: Path, hint?: Message, severity?: 'error' | 'warning'): void =>
    report({ code: 'resourceset-shape', message, path: ['spec', ...path], severity, hint });
  if (!has(spec, 'steps') && !has(spec, 'resources') && !has(spec, 'resourcesTemplate')) {
    fault(phrase`a ResourceSet needs resources, resourcesTemplate or steps`, []);
  }
  checkSteps(spec, fault);
  const strategy = get(spec, 'inputStrategy');
  if (has(strategy, 'includeEmptyProviders') && get(strategy, 'name') !== 'Permute') {
    const path = ['inputStrategy', 'includeEmptyProviders'];
    fault(phrase`includeEmptyProviders is for the strategy Permute only`, path, phrase`remove it`, lenient);
  }
  mapsIn(spec, 'inputsFrom').forEach((reference, index) => {
    const path = ['inputsFrom', index];
    if (has(reference, 'name') && has(reference, 'selector')) {
      fault(phrase`an entry of inputsFrom has a name or a selector, not both`, path, phrase`make two entries of it`);
    } else if (!has(reference, 'selector') && (get(reference, 'name') ?? '') === '') {
      const hint = phrase`add the name of a ResourceSetInputProvider, or a selector`;
      fault(phrase`an entry of inputsFrom needs a name or a selector`, path, hint);
    }
  });
  mapsIn(spec, 'dependsOn').forEach((dependency, index) => {
    const path = ['dependsOn', index, 'readyExpr'];
    const expression = get(dependency, 'readyExpr');
    if (typeof expression !== 'string') return;
    if (!has(dependency, 'ready'))
      fault(phrase`readyExpr has an effect only with ready: true`, path, phrase`add ready: true`);
    if (get(dependency, 'ready') !== true || expression === '') return;
    const parsed = parse(expression);
    if (!parsed.ok)
      fault(phrase`readyExpr is not valid CEL: ${{ reason: parsed.issue.message }}`, path, undefined, lenient);
  });
}

function checkSteps(spec: ValueMap, fault: (message: Message, path: Path, hint?: Message) => void): void {
  if (has(spec, 'steps') && (has(spec, 'resources') || has(spec, 'resourcesTemplate'))) {
    const message = phrase`spec.steps excludes spec.resources and spec.resourcesTemplate`;
    fault(message, ['steps'], phrase`move them into a step`);
  }
  const names = new Set<string>();
  mapsIn(spec, 'steps').forEach((step, index) => {
    const name = String(get(step, 'name') ?? '');
    if (names.has(name)) fault(phrase`there are two steps of the name '${{ step: name }}'`, ['steps', index, 'name']);
    names.add(name);
    const resources = get(step, 'resources') ?? [];
    if (Array.isArray(resources) && resources.length === 0 && (get(step, 'resourcesTemplate') ?? '') === '') {
      fault(phrase`the step '${{ step: name }}' has neither resources nor resourcesTemplate`, ['steps', index]);
    }
  });
}

export const mapsIn = (spec: ValueMap, field: string): ValueMap[] => listAt(spec, field).filter(isMap);
