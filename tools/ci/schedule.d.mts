export interface Step {
  command: string;
  kind: 'check' | 'suite' | 'tool' | 'sampler';
  reads: 'sources' | 'archive' | 'build';
  programs?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  onExecutable?: boolean;
}

export interface Actions {
  build: () => Promise<boolean>;
  run: (step: Step) => Promise<unknown>;
  omit: (step: Step) => void;
}

export function schedule(steps: readonly Step[], actions: Actions): Promise<void>;
