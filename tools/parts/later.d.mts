export const LATER: readonly string[];
