import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readPackageText } from '../documents.ts';
import { turnsOf } from '../turns.ts';
import { type Api, connect } from './api.ts';
import { kroSources, type Programs } from './build.ts';

export interface ControlPlane {
  api: Api;
  /** For kubectl. */
  kubeconfig: string;
  /** Starts kro's controller, as an administrator or as a user without permissions. */
  startKro(user?: User): Promise<Kro>;
  /** Stops everything and removes its state; the same happens if this process ends in any other way. */
  stop(): Promise<void>;
}

export interface Kro {
  /** Returns how often it reconciled the objects of a case, by the label of the case. */
  turns(): Promise<ReadonlyMap<string, number>>;
  log(): string;
  stop(): Promise<void>;
}

export type User = 'admin' | 'kro';
const tokenOf = (user: User): string => `${user}-token`;

interface StartOptions {
  /** Further arguments of the API server. */
  flags?: readonly string[];
  /** Whether kro's CRDs are installed. Default: true. */
  hasRgds?: boolean;
}

/** Starts etcd and an API server on loopback, at free ports, with kro's CRDs and its state in a temporary folder. */
export async function startControlPlane(
  programs: Programs,
  { flags = [], hasRgds = true }: StartOptions = {},
): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-cluster-'));
  const [api = 0, db = 0, peer = 0, metrics = 0, health = 0] = await freePorts(5);
  const url = `https://127.0.0.1:${api}`;
  const kubeconfig = join(folder, 'kubeconfig');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(
    join(folder, 'tokens.csv'),
    `${tokenOf('admin')},admin,admin,"system:masters"\n${tokenOf('kro')},kro,kro\n`,
  );
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(url, 'admin')));
  writeFileSync(`${kubeconfig}-kro`, JSON.stringify(kubeconfigOf(url, 'kro')));

  const running: ChildProcess[] = [];
  const start = (name: string, removes: string, program: string, args: readonly string[]): ChildProcess => {
    const guard = resolve('test/cluster/control-plane/guard.sh');
    const log = join(folder, `${name}.log`);
    const child = spawn('sh', [guard, removes, log, program, ...args], {
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    running.push(child);
    return child;
  };
  // Signals of a terminal reach only this process; the guards outlive it and clean up.
  start('etcd', folder, programs.etcd, etcdArguments(db, peer));
  start('apiserver', '', programs.apiserver, [...apiserverArguments(api, db), ...flags]);
  const client = connect(url, tokenOf('admin'));
  const stop = async (): Promise<void> => {
    for (const child of running.splice(0).reverse()) await end(child);
    client.close();
  };
  try {
    await until(
      `the API server is ready (${folder}/apiserver.log)`,
      async () => (await client.get('/readyz')).status === 200,
    );
    if (hasRgds) await installRgds(client);
  } catch (cause) {
    await stop();
    throw cause;
  }
  return {
    api: client,
    kubeconfig,
    stop,
    async startKro(user = 'admin') {
      const own = user === 'admin' ? kubeconfig : `${kubeconfig}-kro`;
      const child = start('kro', '', programs.kro, kroArguments(own, metrics, health));
      const log = join(folder, 'kro.log');
      await until('kro is ready', async () => readFileSync(log, 'utf8').includes('Starting workers'));
      return {
        turns: async () => {
          const answer = await fetch(`http://127.0.0.1:${metrics}/metrics`).catch(() => undefined);
          const said = readFileSync(log, 'utf8');
          if (answer === undefined) throw new Error(`kro does not answer any more: ${lastWords(said)}`);
          return turnsOf(await answer.text(), said);
        },
        log: () => readFileSync(log, 'utf8'),
        stop: () => end(child),
      };
    },
  };
}

async function installRgds(client: Api): Promise<void> {
  for (const crd of readCrds()) await client.create(crd);
  const rgd = { apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition' };
  await until('the API server serves RGDs', () => client.knows(rgd));
}

/** Stops the program of a guard; a second call has no effect. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.stdin?.end();
  await ended;
}

/** Returns why a Go program ended, or its last output. */
const lastWords = (log: string): string =>
  /^(?:panic|fatal error): .*$/m.exec(log)?.[0] ?? log.trimEnd().split('\n').at(-1) ?? '';

const kubeconfigOf = (server: string, user: User) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'local', cluster: { server, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'admin', user: { token: tokenOf(user) } }],
  contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
  'current-context': 'local',
});

const readCrds = () =>
  ['kro.run_resourcegraphdefinitions', 'internal.kro.run_graphrevisions'].flatMap((name) =>
    readPackageText(readFileSync(join(kroSources(), 'helm/crds', `${name}.yaml`), 'utf8')),
  );

function etcdArguments(port: number, peer: number): string[] {
  const own = `http://127.0.0.1:${port}`;
  const others = `http://127.0.0.1:${peer}`;
  // Data need not survive a crash.
  return [
    '--data-dir',
    'etcd',
    '--unsafe-no-fsync',
    '--listen-client-urls',
    own,
    '--advertise-client-urls',
    own,
  ].concat([
    '--listen-peer-urls',
    others,
    '--initial-advertise-peer-urls',
    others,
    '--initial-cluster',
    `default=${others}`,
  ]);
}

const apiserverArguments = (port: number, db: number): string[] => [
  `--etcd-servers=http://127.0.0.1:${db}`,
  `--secure-port=${port}`,
  '--bind-address=127.0.0.1',
  '--advertise-address=127.0.0.1',
  '--cert-dir=certs',
  '--service-account-issuer=https://kubernetes.default.svc',
  '--service-account-key-file=sa.key',
  '--service-account-signing-key-file=sa.key',
  '--authorization-mode=RBAC',
  '--token-auth-file=tokens.csv',
  '--service-cluster-ip-range=10.96.0.0/12',
  '--disable-admission-plugins=ServiceAccount',
  '--allow-privileged=true',
  '--endpoint-reconciler-type=none',
];

/** Rates far above kro's defaults, because one cluster contains many cases. */
const kroArguments = (kubeconfig: string, metrics: number, health: number): string[] => [
  '--kubeconfig',
  kubeconfig,
  '--metrics-bind-address',
  `127.0.0.1:${metrics}`,
  '--health-probe-bind-address',
  `127.0.0.1:${health}`,
  '--client-qps',
  '2000',
  '--client-burst',
  '4000',
  '--dynamic-controller-concurrent-reconciles',
  '4',
  '--resource-graph-definition-concurrent-reconciles',
  '4',
  '--graph-revision-concurrent-reconciles',
  '4',
  '--dynamic-controller-rate-limiter-rate-limit',
  '1000',
  '--dynamic-controller-rate-limiter-burst-limit',
  '2000',
  '--instance-requeue-interval',
  '1s',
  '--rgd-progress-requeue-delay',
  '1s',
];

/** Returns free ports; all are held until all are found. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      await new Promise((done) => server.close(done));
      return typeof address === 'object' && address !== null ? address.port : 0;
    }),
  );
}

/** Waits for a control plane, which usually takes seconds; ten minutes are for busy machines. */
async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 600_000; Date.now() < end; ) {
    if (await check().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, 250));
  }
  throw new Error(`waited ten minutes until ${what}`);
}
