import { Collector, type Report } from '../core/diagnostics/index.ts';
import { MAX_RENDER_DEPTH } from '../core/model/limits.ts';
import type { RenderInput, RenderOptions } from '../core/model/render.ts';
import {
  type FrontEnd,
  type Package,
  readPackage,
  reportTooDeep,
  type Session,
} from '../kubernetes/front-end/index.ts';
import { Pool, type Turn } from './pool.ts';

/**
 * Runs the front ends on a package. An error in one object hides no other: every step runs as far as it can, so that
 * all commands report the same errors.
 */
export class Work {
  readonly pack: Package;
  readonly turns: readonly Turn[];
  readonly pool: Pool;
  private readonly reports = new Collector();

  constructor(input: RenderInput, options: RenderOptions, frontEnds: readonly FrontEnd[]) {
    this.pack = readPackage(input, frontEnds, this.reports);
    const context = { input, options, pack: this.pack };
    this.turns = frontEnds.map((frontEnd) => ({ frontEnd, session: frontEnd.start(context) }));
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
    return [...this.reports, ...this.sessions.flatMap(({ reports }) => [...reports])];
  }

  get hasErrors(): boolean {
    return this.reports.hasErrors || this.sessions.some(({ reports }) => reports.hasErrors);
  }

  /** Decodes the objects of every front end. */
  read(): void {
    for (const turn of this.turns) this.pool.deliver(turn);
  }

  /** Compiles the definitions of every front end. */
  compile(): void {
    for (const { session } of this.turns) session.compile?.();
  }

  /** Passes objects to front ends, and their rendered objects to the others, until nothing is left. */
  expand(): void {
    for (let round = 0; this.turns.some((one) => this.pool.isBehind(one)); round++) {
      if (round > MAX_RENDER_DEPTH) {
        this.refuseDepth();
        return;
      }
      for (const turn of this.turns) if (this.pool.isBehind(turn)) this.take(turn, round);
    }
  }

  private refuseDepth(): void {
    const turn = this.turns.find((one) => this.pool.isBehind(one)) as Turn;
    for (const piece of this.pool.piecesFor(turn).slice(turn.done)) reportTooDeep(piece, this.reports);
  }

  /** Renders the objects of one front end. */
  take(turn: Turn, round: number): void {
    this.prepare(turn);
    turn.session.expand(round);
    turn.done = turn.given ?? 0;
    this.pool.collect(turn);
  }

  /** Prepares a front end for rendering. */
  prepare(turn: Turn): void {
    this.pool.deliver(turn);
    turn.session.compile?.();
    turn.session.admit?.();
  }
}
