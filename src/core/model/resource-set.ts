/** The supported API of the Flux operator: https://fluxoperator.dev/docs/crd/resourceset/ */
export const GROUP = 'fluxcd.controlplane.io';
export const API_VERSION = `${GROUP}/v1`;
export const SET = 'ResourceSet';
export const PROVIDER = 'ResourceSetInputProvider';

export const DEFAULT_NAMESPACE = 'default';
