export function hostTarget(): string | undefined;

export function fileOf(target: string): string;
