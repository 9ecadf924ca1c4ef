import type { Collector } from '../core/diagnostics/index.ts';
import { type InputObject, identityOf, type KubeObject } from '../core/model/object.ts';
import {
  type FrontEnd,
  type Outcome,
  type Package,
  renderedInputs,
  reportNotKnown,
  roleOf,
  type Session,
} from '../kubernetes/front-end/index.ts';

/** A front end and its progress. */
export interface SessionQueue {
  readonly frontEnd: FrontEnd;
  readonly session: Session;
  /** The number of rendered objects that it has received; undefined before it received any object. */
  given?: number;
  /** The number that it had received when it rendered. */
  done?: number;
}

/** The objects to render: those of the package, and those that front ends rendered for one another. */
export class Pool {
  private readonly pieces: { input: InputObject; by: SessionQueue }[] = [];
  /** Those that a front end reads. */
  private readonly piecesOf = new Map<SessionQueue, InputObject[]>();
  /** The input by rendered object: an object that is rendered again keeps its input. */
  private readonly pieceOf = new Map<KubeObject, InputObject>();

  constructor(
    private readonly pack: Package,
    readonly queues: readonly SessionQueue[],
    private readonly reports: Collector,
  ) {}

  /** Returns what others rendered for a front end. */
  piecesFor(queue: SessionQueue): readonly InputObject[] {
    return this.piecesOf.get(queue) ?? [];
  }

  /** Reports whether a front end has new objects to render. */
  isBehind(queue: SessionQueue): boolean {
    return queue.done !== this.piecesFor(queue).length;
  }

  deliver(queue: SessionQueue): void {
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

  /** Adds the rendered objects of a front end for the others. */
  collect(queue: SessionQueue): void {
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
        const secret = session.secretOf ? session.secretOf(object) : input.secret && 'name';
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

  /** Returns the result for an object that a front end took. */
  outcomeOf(object: KubeObject): Outcome | undefined {
    const { object: own } = this.pieceOf.get(object) ?? { object };
    for (const { session } of this.queues) {
      const outcome = session.outcomes.get(own);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }
}

/** The Flux operator's build prints objects without an apiVersion too, which no front end can process. */
const hasApiVersion = ({ apiVersion, kind }: KubeObject): boolean =>
  typeof apiVersion === 'string' && apiVersion !== '' && typeof kind === 'string';
