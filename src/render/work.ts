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
import { Pool, type SessionQueue } from './pool.ts';

/**
 * Runs the front ends on a package. An error in one object hides no other: every step runs as far as it can, so that
 * all commands report the same errors.
 */
export class Work {
  readonly pack: Package;
  readonly queues: readonly SessionQueue[];
  readonly pool: Pool;
  private readonly reports = new Collector();

  constructor(input: RenderInput, options: RenderOptions, frontEnds: readonly FrontEnd[]) {
    this.pack = readPackage(input, frontEnds, this.reports);
    const context = { input, options, pack: this.pack };
    this.queues = frontEnds.map((frontEnd) => ({ frontEnd, session: frontEnd.start(context) }));
    this.pool = new Pool(this.pack, this.queues, this.reports);
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

  read(): void {
    for (const queue of this.queues) this.pool.deliver(queue);
  }

  compile(): void {
    for (const { session } of this.queues) session.compile?.();
  }

  /** Passes objects to front ends, and their rendered objects to the others, until nothing is left. */
  expand(): void {
    for (let round = 0; this.queues.some((one) => this.pool.isBehind(one)); round++) {
      if (round > MAX_RENDER_DEPTH) {
        this.refuseDepth();
        return;
      }
      for (const queue of this.queues) if (this.pool.isBehind(queue)) this.take(queue, round);
    }
  }

  private refuseDepth(): void {
    const queue = this.queues.find((one) => this.pool.isBehind(one)) as SessionQueue;
    for (const piece of this.pool.piecesFor(queue).slice(queue.done)) reportTooDeep(piece, this.reports);
  }

  /** Renders the objects of one front end. */
  take(queue: SessionQueue, round: number): void {
    this.prepare(queue);
    queue.session.expand(round);
    queue.done = queue.given ?? 0;
    this.pool.collect(queue);
  }

  prepare(queue: SessionQueue): void {
    this.pool.deliver(queue);
    queue.session.compile?.();
    queue.session.admit?.();
  }
}
