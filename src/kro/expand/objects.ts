import type { KubeObject } from '../../core/model/object.ts';
import type { InstanceRun } from './run.ts';

export interface Maker {
  run: InstanceRun;
  node: number;
}

/** The objects of an expansion by identity: instances, rendered objects, and the nodes that rendered them. */
export class Objects {
  readonly #nested = new Map<string, InstanceRun>();
  #rendered = new Map<string, KubeObject>();
  readonly #makers = new Map<string, Maker>();
  readonly #uids = new Set<string>();

  private constructor(
    readonly instances: ReadonlyMap<string, InstanceRun>,
    private readonly below?: Objects,
  ) {}

  static of(instances: ReadonlyMap<string, InstanceRun>): Objects {
    return new Objects(instances);
  }

  /** Returns an index that reads this one and is changed separately: for objects that may never exist. */
  fork(): Objects {
    return new Objects(this.instances, this);
  }

  /** Returns the same index for copies of its runs. */
  ofRuns(copyOf: (run: InstanceRun) => InstanceRun): Objects {
    const copy = new Objects(new Map([...this.instances].map(([key, run]) => [key, copyOf(run)])), this.below);
    copy.#rendered = new Map(this.#rendered);
    for (const [key, run] of this.#nested) copy.#nested.set(key, copyOf(run));
    for (const [key, { run, node }] of this.#makers) copy.#makers.set(key, { run: copyOf(run), node });
    for (const uid of this.#uids) copy.#uids.add(uid);
    return copy;
  }

  /** Returns the run of an instance in the package or of a rendered one. */
  instance(key: string): InstanceRun | undefined {
    return this.instances.get(key) ?? this.#nested.get(key) ?? this.below?.instance(key);
  }

  addNested(key: string, run: InstanceRun): void {
    this.#nested.set(key, run);
  }

  /** Returns a rendered object, but not an instance. */
  rendered(key: string): KubeObject | undefined {
    return this.#rendered.get(key) ?? this.below?.rendered(key);
  }

  addRendered(key: string, object: KubeObject): void {
    this.#rendered.set(key, object);
  }

  /** Returns the node that renders the object of this identity; `undefined` also for objects of a fork. */
  maker(key: string): Maker | undefined {
    return this.#makers.get(key);
  }

  claim(key: string, maker: Maker): void {
    this.#makers.set(key, maker);
  }

  /** The uids of rendered instances: owner references to them are removed. */
  get uids(): ReadonlySet<string> {
    return this.#uids;
  }

  addUid(uid: string): void {
    this.#uids.add(uid);
  }
}
