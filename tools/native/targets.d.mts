export interface Target {
  os: string;
  arch: string;
  libc?: string;
  suffix?: string;
}

export const targets: Readonly<Record<string, Target>>;

export function hostTarget(): string | undefined;

export function fileOf(target: string): string;

export function archiveOf(target: string, version: string): string;
