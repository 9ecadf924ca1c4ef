/** Thrown if a source has no objects here: its type says why, and the message gives the reason. */
export class NotRendered extends Error {
  constructor(
    reason: string,
    readonly type: 'none' | 'fails' = 'none',
    readonly elsewhere?: string,
  ) {
    super(reason);
  }
}

/** Returns the error for what Argo CD, Flux, kustomize or helm rejects. */
export const rejected = (reason: string): NotRendered => new NotRendered(reason, 'fails');
