import { get, isMap, listAt, textAt, type Value, type ValueMap } from '../../../core/model/value.ts';

/**
 * Returns why Argo CD does not sync an Application that the API server accepts (InvalidSpecError); `undefined` if it does
 * (util/argo/argo.go: ValidatePermissions). Whether its project and its cluster exist is not known here.
 */
export function specFault(application: ValueMap): string | undefined {
  const spec = get(application, 'spec') ?? null;
  return sourceFault(spec) ?? destinationFault(get(spec, 'destination') ?? null);
}

function sourceFault(spec: Value): string | undefined {
  const hydrator = get(spec, 'sourceHydrator');
  if (isMap(hydrator)) return hydratorFault(hydrator);
  const sources = listAt(spec, 'sources');
  if (sources.length > 0) {
    for (const [index, source] of sources.entries()) {
      const fault = oneSourceFault(source, `spec.sources[${index}]`, ['path', 'chart', 'ref']);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  return oneSourceFault(get(spec, 'source') ?? null, 'spec.source', ['path', 'chart']);
}

function oneSourceFault(source: Value, at: string, places: readonly string[]): string | undefined {
  if (textAt(source, 'repoURL') === '') return `${at}.repoURL is required`;
  if (places.every((field) => textAt(source, field) === ''))
    return `one of ${places.map((field) => `${at}.${field}`).join(', ')} is required`;
  if (textAt(source, 'chart') !== '' && textAt(source, 'targetRevision') === '')
    return `${at}.targetRevision is required for a chart`;
  return undefined;
}

function hydratorFault(hydrator: ValueMap): string | undefined {
  if (textAt(get(hydrator, 'drySource'), 'repoURL') === '') return 'spec.sourceHydrator.drySource.repoURL is required';
  for (const field of ['syncSource', 'hydrateTo']) {
    const target = get(hydrator, field);
    const isRequired = field === 'syncSource' || isMap(target);
    if (isRequired && textAt(target, 'targetBranch') === '')
      return `spec.sourceHydrator.${field}.targetBranch is required`;
  }
  return undefined;
}

/** An Application of the ApplicationSet controller is not created either (validateGeneratedApplications). */
export function destinationFault(destination: Value): string | undefined {
  const server = textAt(destination, 'server');
  const name = textAt(destination, 'name');
  if (server !== '' && name !== '') return 'spec.destination has both server and name';
  return server === '' && name === '' ? 'spec.destination has neither server nor name' : undefined;
}
