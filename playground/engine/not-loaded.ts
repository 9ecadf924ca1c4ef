/** A table was read before it was loaded: the request is answered again. */
export class NotLoaded extends Error {}
