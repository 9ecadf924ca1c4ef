import type { KubeObject } from '../../core/model/object.ts';
import type { InstanceRun } from './run.ts';

/** Who made an object. */
export interface Maker {
  run: InstanceRun;
  node: number;
}

/** The objects of an expansion by their identity: instances, what was rendered so far, and who made it. */
export class Objects {
  readonly #below: Objects | undefined;
  readonly #nested = new Map<string, InstanceRun>();
  #rendered = new Map<string, KubeObject>();
  readonly #makers = new Map<string, Maker>();
  readonly #uids = new Set<string>();

  private constructor(
    /** The runs of the instances that are in the package. */
    readonly instances: ReadonlyMap<string, InstanceRun>,
    below?: Objects,
  ) {
    this.#below = below;
  }

  static of(instances: ReadonlyMap<string, InstanceRun>): Objects {
    return new Objects(instances);
  }

  /** An index that finds what is here, while nothing that is added to it is here: for what may never exist. */
  fork(): Objects {
    return new Objects(this.instances, this);
  }

  /** The same index for copies of its runs. */
  ofRuns(copyOf: (run: InstanceRun) => InstanceRun): Objects {
    const copy = new Objects(new Map([...this.instances].map(([key, run]) => [key, copyOf(run)])), this.#below);
    copy.#rendered = new Map(this.#rendered);
    for (const [key, run] of this.#nested) copy.#nested.set(key, copyOf(run));
    for (const [key, { run, node }] of this.#makers) copy.#makers.set(key, { run: copyOf(run), node });
    for (const uid of this.#uids) copy.#uids.add(uid);
    return copy;
  }

  /** The run of an instance, whether it is in the package or is rendered. */
  instance(key: string): InstanceRun | undefined {
    return this.instances.get(key) ?? this.#nested.get(key) ?? this.#below?.instance(key);
  }

  addNested(key: string, run: InstanceRun): void {
    this.#nested.set(key, run);
  }

  /** An object that was rendered; instances are none. */
  rendered(key: string): KubeObject | undefined {
    return this.#rendered.get(key) ?? this.#below?.rendered(key);
  }

  addRendered(key: string, object: KubeObject): void {
    this.#rendered.set(key, object);
  }

  /** The node that renders the object of this identity; `undefined` also for what is made apart. */
  maker(key: string): Maker | undefined {
    return this.#makers.get(key);
  }

  claim(key: string, maker: Maker): void {
    this.#makers.set(key, maker);
  }

  /** uids of rendered instances: owner references to them are left out. */
  get uids(): ReadonlySet<string> {
    return this.#uids;
  }

  addUid(uid: string): void {
    this.#uids.add(uid);
  }
}
