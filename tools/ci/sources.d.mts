export function copySources(root: string, folder: string): void;
