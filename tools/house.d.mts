export function housePage(): string;
