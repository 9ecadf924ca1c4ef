import type { Collector } from '../core/diagnostics/index.ts';
import { type InputObject, identityOf, type KubeObject } from '../core/model/object.ts';
import {
  type FrontEnd,
  type Outcome,
  type Package,
  renderedInput,
  reportNotKnown,
  roleOf,
  type Session,
} from '../kubernetes/front-end/index.ts';

/** A front end at work. */
export interface Turn {
  readonly frontEnd: FrontEnd;
  readonly session: Session;
  /** How many rendered objects it has been given; undefined before it was given any object. */
  given?: number;
  /** How many it had been given when it rendered. */
  done?: number;
}

/** The objects that there are to render: those of the package, and what front ends rendered for one another. */
export class Pool {
  private readonly pieces: { input: InputObject; by: Turn }[] = [];
  /** By rendered object. One that is rendered again is the same piece. */
  private readonly pieceOf = new Map<KubeObject, InputObject>();

  constructor(
    private readonly pack: Package,
    readonly turns: readonly Turn[],
    private readonly reports: Collector,
  ) {}

  /** What others rendered for a front end. */
  piecesFor(turn: Turn): InputObject[] {
    return this.pieces.flatMap(({ input, by }) => (by !== turn && turn.frontEnd.reads(input.object) ? [input] : []));
  }

  /** Whether there is something for a front end to render that it has not seen. */
  isBehind = (turn: Turn): boolean => turn.done !== this.piecesFor(turn).length;

  /** Gives a front end the objects that there are for it. */
  give(turn: Turn): void {
    const pieces = this.piecesFor(turn);
    if (turn.given === pieces.length) return;
    turn.given = pieces.length;
    const others = this.turns.filter((one) => one !== turn);
    const isTaken = ({ object }: InputObject): boolean =>
      others.some(
        ({ frontEnd, session }) =>
          session.outcomes.has(object) || (frontEnd.takes(object) && roleOf(object) !== 'observed'),
      );
    turn.session.read([...this.pack.objects, ...pieces].filter((one) => !isTaken(one)));
  }

  /** Takes what a front end rendered, for the others to go on with. */
  put(turn: Turn): void {
    const { session } = turn;
    const others = this.turns.filter((one) => one !== turn).map(({ frontEnd }) => frontEnd);
    const known = new Map(
      this.pieces.flatMap(({ input, by }) => (by === turn ? [[identityOf(input.object), input]] : [])),
    );
    const fresh: InputObject[] = [];
    for (const { input, rendered, passedThrough } of session.outcomes.values()) {
      for (const one of passedThrough ? [] : rendered) {
        const { object } = one;
        if (this.pieceOf.has(object) || !isWhole(object) || !others.some(({ reads }) => reads(object))) continue;
        const earlier = known.get(identityOf(object));
        const secret = session.secretOf ? session.secretOf(object) : input.secret && 'name';
        const piece = earlier ?? renderedInput(one, input, secret);
        this.pieceOf.set(object, piece);
        if (earlier === undefined) fresh.push(piece);
      }
    }
    for (const input of fresh) this.pieces.push({ input, by: turn });
    if (fresh.length === 0) return;
    const all = [...this.pack.objects, ...this.pack.beside, ...this.pieces.map(({ input }) => input)];
    reportNotKnown(
      fresh,
      all,
      this.turns.map(({ frontEnd }) => frontEnd),
      this.reports,
    );
  }

  /** What became of an object that a front end took. */
  outcomeOf(object: KubeObject): Outcome | undefined {
    const { object: own } = this.pieceOf.get(object) ?? { object };
    for (const { session } of this.turns) {
      const outcome = session.outcomes.get(own);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }
}

/** The Flux operator's build prints objects without an apiVersion too; nobody can go on with one. */
const isWhole = ({ apiVersion, kind }: KubeObject): boolean =>
  typeof apiVersion === 'string' && apiVersion !== '' && typeof kind === 'string';
