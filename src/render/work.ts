import { Collector, type Report } from '../core/diagnostics/index.ts';
import { MAX_RENDER_DEPTH } from '../core/model/limits.ts';
import { type InputObject, identityOf, type KubeObject } from '../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../core/model/render.ts';
import {
  type FrontEnd,
  type Outcome,
  type Package,
  readPackage,
  renderedInputs,
  reportNotKnown,
  reportTooDeep,
  roleOf,
  type Session,
} from '../kubernetes/front-end/index.ts';

/** Runs the front ends on a package. */
export class Work {
  readonly pack: Package;
  readonly queues: readonly SessionQueue[];
  private readonly reports = new Collector();
  /** The objects that front ends rendered for one another, and those that each front end reads. */
  private readonly pieces: { input: InputObject; by: SessionQueue }[] = [];
  private readonly piecesOf = new Map<SessionQueue, readonly InputObject[]>();
  /** The input by rendered object: an object that is rendered again keeps its input. */
  private readonly pieceOf = new Map<KubeObject, InputObject>();

  constructor(input: RenderInput, options: RenderOptions, frontEnds: readonly FrontEnd[]) {
    this.pack = readPackage(input, frontEnds, this.reports);
    const context = { input, options, pack: this.pack };
    this.queues = frontEnds.map((frontEnd) => ({ frontEnd, session: frontEnd.start(context) }));
    for (const queue of this.queues) this.deliver(queue);
  }

  get sessions(): readonly Session[] {
    return this.queues.map(({ session }) => session);
  }

  of<S extends Session>({ name }: FrontEnd<S>): S | undefined {
    return this.queues.find(({ frontEnd }) => frontEnd.name === name)?.session as S | undefined;
  }

  get all(): readonly Report[] {
    return [...this.reports, ...this.sessions.flatMap(({ reports }) => [...reports])];
  }

  get hasErrors(): boolean {
    return this.reports.hasErrors || this.sessions.some(({ reports }) => reports.hasErrors);
  }

  compile(): void {
    for (const { session } of this.queues) session.compile?.();
  }

  /** Passes objects to front ends, and their rendered objects to the others, until nothing is left. */
  expand(): void {
    // Front ends with new objects to render.
    const behind = (): SessionQueue[] => this.queues.filter((one) => one.done !== this.piecesFor(one).length);
    for (let round = 0; ; round++) {
      const [first] = behind();
      if (first === undefined) return;
      if (round > MAX_RENDER_DEPTH) {
        for (const piece of this.piecesFor(first).slice(first.done)) reportTooDeep(piece, this.reports);
        return;
      }
      for (const queue of this.queues) if (behind().includes(queue)) this.take(queue, round);
    }
  }

  private take(queue: SessionQueue, round: number): void {
    this.deliver(queue);
    queue.session.compile?.();
    queue.session.expand(round);
    queue.done = queue.given ?? 0;
    this.collect(queue);
  }

  private piecesFor(queue: SessionQueue): readonly InputObject[] {
    return this.piecesOf.get(queue) ?? [];
  }

  private deliver(queue: SessionQueue): void {
    const pieces = this.piecesFor(queue);
    if (queue.given === pieces.length) return;
    queue.given = pieces.length;
    const others = this.queues.filter((one) => one !== queue);
    const isTaken = ({ object }: InputObject): boolean =>
      others.some(
        ({ frontEnd, session }) =>
          session.outcomes.has(object) || (frontEnd.takes(object) && roleOf(object) !== 'observed'),
      );
    queue.session.read([...this.pack.objects, ...pieces].filter((one) => !isTaken(one)));
  }

  private collect(queue: SessionQueue): void {
    const { session } = queue;
    const others = this.queues.filter((one) => one !== queue).map(({ frontEnd }) => frontEnd);
    const known = new Map(
      this.pieces.flatMap(({ input, by }) => (by === queue ? [[identityOf(input.object), input]] : [])),
    );
    const fresh: InputObject[] = [];
    for (const { input, rendered, passedThrough } of session.outcomes.values()) {
      const toInput = renderedInputs(input);
      for (const one of passedThrough ? [] : rendered) {
        const { object } = one;
        if (this.pieceOf.has(object) || !hasApiVersion(object) || !others.some(({ reads }) => reads(object))) continue;
        const earlier = known.size === 0 ? undefined : known.get(identityOf(object));
        const secret = session.secretOf ? session.secretOf(object) : input.secret && 'everything';
        const piece = earlier ?? toInput(one, secret);
        this.pieceOf.set(object, piece);
        if (earlier === undefined) fresh.push(piece);
      }
    }
    if (fresh.length === 0) return;
    for (const input of fresh) this.pieces.push({ input, by: queue });
    for (const one of this.queues) {
      if (one === queue) continue;
      const read = fresh.filter(({ object }) => one.frontEnd.reads(object));
      this.piecesOf.set(one, [...this.piecesFor(one), ...read]);
    }
    const all = [...this.pack.objects, ...this.pack.beside, ...this.pieces.map(({ input }) => input)];
    reportNotKnown(
      fresh,
      all,
      this.queues.map(({ frontEnd }) => frontEnd),
      this.reports,
    );
  }

  outcomeOf(object: KubeObject): Outcome | undefined {
    const { object: own } = this.pieceOf.get(object) ?? { object };
    for (const { session } of this.queues) {
      const outcome = session.outcomes.get(own);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }
}

interface SessionQueue {
  readonly frontEnd: FrontEnd;
  readonly session: Session;
  /** The number of rendered objects that it has received; undefined before it received any object. */
  given?: number;
  /** The number that it had received when it rendered. */
  done?: number;
}

/** The Flux operator's build prints objects without an apiVersion too, which no front end can process. */
const hasApiVersion = ({ apiVersion, kind }: KubeObject): boolean =>
  typeof apiVersion === 'string' && apiVersion !== '' && typeof kind === 'string';
