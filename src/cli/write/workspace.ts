import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../core/model/attempt.ts';
import { codeOf, ifPossible, linkTarget, nativeDigest, readFault, readRegularText } from '../file-system.ts';

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

export function thisProcess(): Owner {
  const { hostname } = process.getBuiltinModule('node:os');
  const rest = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  // Undefined where the system is not Linux, or a sandbox hides it.
  const linux = ifPossible(() => {
    // A process with the /proc of another namespace reads of other processes there.
    const namespace = linkTarget('/proc/self/ns/pid');
    if (namespace === undefined || linkTarget('/proc/self') !== String(process.pid)) return undefined;
    const boot = readRegularText('/proc/sys/kernel/random/boot_id').trim();
    return { boot, namespace, start: startOf(process.pid) ?? '' };
  });
  return { ...(linux ?? { boot: '', namespace: '', start: '' }), ...rest };
}

/** Returns the beginning of the names of the temporary folders of a process, which shows later ones whose they are. */
export const temporaryPrefix = (self: Owner): string =>
  `${TEMPORARY}${machineOf(self)}-${self.pid}-${self.start || '0'}-`;

const TEMPORARY = 'render-rgd-';
const TEMPORARY_NAME = /^render-rgd-([0-9a-f]{12})-([1-9]\d*)-(\d+)-[A-Za-z0-9]{6}$/;

/** Returns what tells machines, their boots and their namespaces of process ids apart. */
const machineOf = ({ boot, namespace, host }: Owner): string =>
  nativeDigest()(boot === '' ? host : `${boot} ${namespace}`).slice(0, 12);

/** Reports whether a name is that of a temporary folder of a process of this machine that has ended. */
export function isLeftTemporary(name: string, self: Owner): boolean {
  const [, machine, pid, start = ''] = TEMPORARY_NAME.exec(name) ?? [];
  if (machine !== machineOf(self)) return false;
  return isRunning({ ...self, pid: Number(pid), start }, self) === false;
}

/** Undefined if unknown: a process id says nothing on another machine or in another container. */
function isRunning(owner: Owner, self: Owner): boolean | undefined {
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
    return codeOf(error) !== 'ESRCH';
  }
}

/** Held by one process. One that takes over moves it away: every change is a rename into or out of it. */
export interface Workspace {
  readonly folder: string;
  /** Shows other processes that this one still writes. */
  readonly beat: () => void;
  readonly release: () => void;
}

const SUFFIX = '.render-rgd.tmp';
export const INSIDE = SUFFIX;

const LOCK = 'lock';
const OWNER = 'owner';
const TOKEN = /^[0-9a-f]{32}$/;
export const PARTS = { files: 'files', removed: 'removed', next: 'next', final: 'final' } as const;

/** Reports whether a place has a workspace: of a running process, or of one that was killed. */
export function isUsed(place: string): boolean {
  if (!statAt(place)?.isDirectory()) return false;
  const names = readdirSync(place);
  return names.length === 0 || names.some((name) => name === LOCK || TOKEN.test(name));
}

/** How long an owner that cannot be seen, on another machine or in another container, may be silent, in milliseconds. */
const LEASE = 5000;
const BEAT = 500;
const PAUSE = 50;
const MOST_TRIES = 100;
const clock = new Int32Array(new SharedArrayBuffer(4));

/** Explains an error: after another process took over, the files of a workspace are missing. */
export const causeOf = (error: unknown, { folder }: Workspace): string => {
  if (statAt(folder) === undefined) return 'another process took over, because this one was silent for too long';
  return readFault(error);
};

/** The folder of a workspace, and its path for people. */
export interface Place {
  readonly path: string;
  readonly shown: string;
}

/** Returns the place for changes of a path itself; none for a name that is too long, or that only leads to a folder. */
export function placeBeside(path: string): string | undefined {
  const name = basename(path);
  if (['', '.', '..'].includes(name) || Buffer.byteLength(name) > 255 - SUFFIX.length - 1) return undefined;
  return `${dirname(path)}/.${name}${SUFFIX}`;
}

/** The lock is a folder that is renamed with the owner in it, which succeeds once on every file system. */
export function enterWorkspace({ path: place, shown }: Place): Workspace | { fault: string } {
  const token = process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');
  const self = thisProcess();
  const holders = createWatch(place, shown, self);
  try {
    for (let tries = 0; tries < MOST_TRIES; ) {
      const verdict = holders();
      if (typeof verdict === 'object') return verdict;
      if (verdict === 'wait') Atomics.wait(clock, 0, 0, PAUSE);
      else if (take(place, token, self)) return workspaceOf(place, token);
      else tries += 1;
    }
    return { fault: `${shown} cannot be used: move it elsewhere` };
  } finally {
    if (statAt(join(place, LOCK, token)) === undefined) discard(place, token);
  }
}

function workspaceOf(place: string, token: string): Workspace {
  const folder = join(place, LOCK, token);
  for (const name of readdirSync(place)) if (name !== token) removeLeft(place, name);
  let last = performance.now();
  const beat = (): void => {
    const now = performance.now();
    if (now - last < BEAT) return;
    last = now;
    utimesSync(join(folder, OWNER), new Date(), new Date());
  };
  const release = (): void => {
    ifPossible(() => renameSync(folder, join(place, token)));
    discard(place, token);
  };
  return { folder, beat, release };
}

function take(place: string, token: string, self: Owner): boolean {
  const draft = join(place, token);
  if (statAt(place) === undefined) makeFolder(place);
  try {
    mkdirSync(draft);
    mkdirSync(join(draft, token));
    writeFileSync(join(draft, token, OWNER), JSON.stringify(self));
    // Without an owner the lock is free. POSIX would replace an empty folder, Windows does not.
    ifPossible(() => rmdirSync(join(place, LOCK)));
    renameSync(draft, join(place, LOCK));
    return true;
  } catch (error) {
    const code = codeOf(error);
    const isTaken = statAt(join(place, LOCK)) !== undefined || code === 'ENOENT';
    if (isTaken && ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'ENOTDIR'].includes(code)) return false;
    throw error;
  }
}

/** Returns a function that looks at the holder of the lock; a holder that is gone loses it. */
function createWatch(place: string, shown: string, self: Owner): () => 'free' | 'wait' | { fault: string } {
  let seen = { token: '', beat: 0, at: 0 };
  return () => {
    const stat = statAt(place);
    if (stat !== undefined && !stat.isDirectory()) return { fault: `${shown} is not a folder: move it elsewhere` };
    const token = statAt(join(place, LOCK))?.isDirectory()
      ? readdirSync(join(place, LOCK)).find((name) => TOKEN.test(name))
      : undefined;
    if (token === undefined) return 'free';
    const { owner, beat } = ownerOf(join(place, LOCK, token, OWNER));
    const running = owner === undefined ? undefined : isRunning(owner, self);
    const isSame = seen.token === token && seen.beat === beat;
    if (running === true || (seen.token !== '' && !isSame)) return busy(shown, owner);
    if (running === undefined && !isSame) seen = { token, beat, at: performance.now() };
    if (running === undefined && performance.now() - seen.at < LEASE) return 'wait';
    ifPossible(() => renameSync(join(place, LOCK, token), join(place, token)));
    return 'free';
  };
}

function busy(place: string, owner: Owner | undefined): { fault: string } {
  const who = owner === undefined ? '' : ` (process ${owner.pid} on ${owner.host}, since ${owner.since})`;
  return { fault: `another process is writing it${who}; ${join(place, LOCK)} is its lock` };
}

function ownerOf(path: string): { owner: Owner | undefined; beat: number } {
  const read = ifPossible(() => ({ text: readRegularText(path), beat: lstatSync(path).mtimeMs }));
  const owner = read && attempt(() => JSON.parse(read.text) as Partial<Owner> | null, SyntaxError);
  const isOwner = Number.isSafeInteger(owner?.pid) && Number(owner?.pid) > 0;
  return { owner: isOwner ? (owner as Owner) : undefined, beat: read?.beat ?? 0 };
}

/** Removes the workspace of an ended process. Anything else in a place stays. */
function removeLeft(place: string, name: string): void {
  const path = join(place, name);
  if (!TOKEN.test(name) || !statAt(path)?.isDirectory()) return;
  const known = new Set<string>([...Object.values(PARTS), OWNER, name]);
  ifPossible(() => {
    if (readdirSync(path).every((entry) => known.has(entry))) rmSync(path, { recursive: true, force: true });
  });
}

/** A link in its place belongs to somebody else, and so does what is behind it. */
function discard(place: string, token: string): void {
  if (!statAt(place)?.isDirectory()) return;
  removeLeft(place, token);
  for (const folder of [join(place, LOCK), place]) ifPossible(() => rmdirSync(folder));
}

/** Returns undefined for a path below something that is not a folder. */
export function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
