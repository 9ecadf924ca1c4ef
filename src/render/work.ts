import { Collector, type Report } from '../core/diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../core/model/render.ts';
import {
  type FrontEnd,
  MAX_DEPTH,
  type Package,
  readPackage,
  reportTooDeep,
  type Session,
} from '../kubernetes/front-end/index.ts';
import { Pool, type Turn } from './pool.ts';

/** Whether work continues after errors, to find more of them. Default: it stops after a step with an error. */
export interface Leniency {
  lenient?: boolean;
}

/** Runs the front ends on a package. Stops after a step with an error, unless it is `lenient`. */
export class Work {
  readonly pack: Package;
  readonly turns: readonly Turn[];
  readonly pool: Pool;
  private readonly reports = new Collector();
  private readonly lenient: boolean;
  /** The front ends whose results are current: those after a failed one are out of date. */
  private current: readonly Turn[];

  constructor(
    input: RenderInput,
    options: RenderOptions,
    frontEnds: readonly FrontEnd[],
    { lenient = false }: Leniency = {},
  ) {
    this.pack = readPackage(input, frontEnds, this.reports);
    this.lenient = lenient;
    const context = { input, options, pack: this.pack, lenient };
    this.turns = frontEnds.map((frontEnd) => ({ frontEnd, session: frontEnd.start(context) }));
    this.current = this.turns;
    this.pool = new Pool(this.pack, this.turns, this.reports);
  }

  get sessions(): readonly Session[] {
    return this.turns.map(({ session }) => session);
  }

  of<S extends Session>({ name }: FrontEnd<S>): S | undefined {
    return this.turns.find(({ frontEnd }) => frontEnd.name === name)?.session as S | undefined;
  }

  /** All diagnostics. */
  get all(): readonly Report[] {
    return [...this.reports, ...this.current.flatMap(({ session }) => [...session.reports])];
  }

  get hasErrors(): boolean {
    return this.reports.hasErrors || this.current.some(({ session }) => session.reports.hasErrors);
  }

  /** Whether every front end has processed its objects. */
  get isExpanded(): boolean {
    return this.current.length === this.turns.length && this.turns.every(({ done }) => done !== undefined);
  }

  private get canContinue(): boolean {
    return this.lenient || !this.hasErrors;
  }

  /** Decodes the objects of every front end. Each step returns whether to continue. */
  read(): boolean {
    for (const turn of this.turns) this.pool.give(turn);
    return this.canContinue;
  }

  /** Passes objects to front ends, and their rendered objects to the others, until nothing is left. */
  expand(): boolean {
    for (let round = 0; this.turns.some((one) => this.pool.isBehind(one)); round++) {
      if (round > MAX_DEPTH) return this.refuseDepth();
      for (const turn of this.turns) if (this.pool.isBehind(turn) && !this.take(turn, round)) return false;
    }
    return true;
  }

  private refuseDepth(): false {
    const turn = this.turns.find((one) => this.pool.isBehind(one)) as Turn;
    for (const piece of this.pool.piecesFor(turn).slice(turn.done)) reportTooDeep(piece, this.reports);
    return false;
  }

  /** Renders the objects of one front end. */
  take(turn: Turn, round: number): boolean {
    const isRendered = this.prepare(turn) && this.render(turn, round);
    if (!isRendered) this.current = this.turns.slice(0, this.turns.indexOf(turn) + 1);
    return isRendered;
  }

  private render(turn: Turn, round: number): boolean {
    turn.session.expand(round);
    turn.done = turn.given ?? 0;
    if (this.canContinue) this.pool.put(turn);
    return this.canContinue;
  }

  compile({ session }: Turn): boolean {
    if (this.canContinue) session.compile?.();
    return this.canContinue;
  }

  /** Prepares a front end for rendering. */
  prepare(turn: Turn): boolean {
    this.pool.give(turn);
    if (this.compile(turn)) turn.session.admit?.();
    return this.canContinue;
  }
}
