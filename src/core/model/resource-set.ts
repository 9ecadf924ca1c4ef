/** The API of the Flux operator that is read: https://fluxoperator.dev/docs/crd/resourceset/ */
export const GROUP = 'fluxcd.controlplane.io';
export const API_VERSION = `${GROUP}/v1`;
export const SET = 'ResourceSet';
export const PROVIDER = 'ResourceSetInputProvider';

/** The namespace of ResourceSets that name none. */
export const DEFAULT_NAMESPACE = 'default';
