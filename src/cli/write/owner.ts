import { readlinkSync } from 'node:fs';
import { attempt } from '../../core/model/attempt.ts';
import { ifPossible } from '../file-system.ts';
import { readRegularText } from '../regular-file.ts';

/** A process that writes, as it describes itself. The first four fields identify it on this machine. */
export interface Owner {
  /** The boot of the machine, and the namespace of process ids; '' where the system has neither. */
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  /** The start of the process in ticks since the boot; '' if unknown. */
  readonly start: string;
  readonly host: string;
  /** When it began to write, in ISO 8601; only for people. */
  readonly since: string;
}

/** Describes this process. */
export function thisProcess(): Owner {
  const { hostname } = process.getBuiltinModule('node:os');
  const rest = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  // Undefined where the system is not Linux, or a sandbox hides it.
  const linux = ifPossible(() => {
    // A process with the /proc of another namespace reads of other processes there.
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined;
    const boot = readRegularText('/proc/sys/kernel/random/boot_id').trim();
    return { boot, namespace: readlinkSync('/proc/self/ns/pid'), start: startOf(process.pid) ?? '' };
  });
  return { ...(linux ?? { boot: '', namespace: '', start: '' }), ...rest };
}

/**
 * Reports whether the process runs; undefined if that cannot be seen from here. A process id says nothing on another
 * machine or in another container, where each process may have the id 1.
 */
export function isRunning(owner: Owner, self: Owner): boolean | undefined {
  if (self.boot !== '' || owner.boot !== '') {
    if (owner.boot !== self.boot || owner.namespace !== self.namespace) return undefined;
    const start = startOf(owner.pid);
    return start === undefined ? undefined : start === owner.start;
  }
  return owner.host === self.host && !hasProcess(owner.pid) ? false : undefined;
}

/** Returns the start of a process in ticks since the boot: '' after it ended, undefined if it cannot be seen. */
function startOf(pid: number): string | undefined {
  const stat = ifPossible(() => readRegularText(`/proc/${pid}/stat`));
  if (stat === undefined) return hasProcess(pid) ? undefined : '';
  // The name of the program, in parentheses, may contain anything.
  const [state = '', ...fields] = stat.replace(/^.*\) /s, '').split(' ');
  return /[ZXx]/.test(state) ? '' : fields[18];
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Parses the description of a process. */
export function parseOwner(text: string): Owner | undefined {
  const owner = attempt(() => JSON.parse(text) as Partial<Owner> | null, SyntaxError);
  return Number.isSafeInteger(owner?.pid) && Number(owner?.pid) > 0 ? (owner as Owner) : undefined;
}
