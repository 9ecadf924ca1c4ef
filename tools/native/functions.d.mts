export function withFunctions(script: string): string;
