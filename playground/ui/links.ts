export const DOCS = 'https://github.com/render-rgd/render-rgd/blob/main/docs';
export const REPOSITORY = 'https://github.com/render-rgd/render-rgd';
