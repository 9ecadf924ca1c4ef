/** The page that lists all codes. */
export const DIAGNOSTICS_PAGE = 'https://github.com/render-rgd/render-rgd/blob/main/docs/diagnostics.md';
