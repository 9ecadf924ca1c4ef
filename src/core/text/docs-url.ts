const DOCS = 'https://github.com/render-rgd/render-rgd/blob/main/docs/';

/** Returns the address of a page of the documentation: whoever reads a message may have no clone. */
export const docsUrl = (page: string): string => `${DOCS}${page}`;
