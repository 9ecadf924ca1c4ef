export interface Finding {
  file: string;
  line: number;
  rule: 'read' | 'write' | 'in' | 'assign' | 'floating' | 'misused' | 'sentence' | 'watcher';
}

export function findings(files: readonly string[]): Finding[];
