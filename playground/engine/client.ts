import { type Answer, type Arguments, LIMIT, type Message, type Verb } from './protocol.ts';

/** Thrown if a request took too long; the worker was stopped and restarts. */
export class Stopped extends Error {
  override name = 'Stopped';
}

/** Thrown if the browser ended the worker, which restarts. */
export class Crashed extends Error {
  override name = 'Crashed';
}

/** Thrown if a newer request of the same kind replaced this one. */
export class Superseded extends Error {
  override name = 'Superseded';
}

interface Question {
  readonly verb: Verb;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Sends one request to the worker at a time. Of waiting requests, only the newest of each kind is sent. */
export class Engine {
  version = '';
  #worker: Worker | undefined;
  #isReady = false;
  #waiting: Question[] = [];
  #asked: (Question & { readonly id: number; readonly timer: number }) | undefined;
  #id = 0;
  readonly #start: () => Worker;

  /** Called with the version when a worker is ready. */
  onReady: (version: string) => void = () => undefined;
  /** Called if the worker does not start or fails. */
  onFailure: (message: string) => void = () => undefined;

  constructor(start: () => Worker) {
    this.#start = start;
    this.#restart();
  }

  ask<V extends Verb>(verb: V, ...args: Arguments<V>): Promise<Answer<V>> {
    return new Promise((resolve, reject) => {
      this.#waiting = this.#waiting.filter((question) => {
        if (question.verb !== verb) return true;
        question.reject(new Superseded(verb));
        return false;
      });
      this.#waiting.push({ verb, args, resolve: resolve as (value: unknown) => void, reject });
      this.#next();
    });
  }

  #restart(): void {
    this.#isReady = false;
    this.#worker?.terminate();
    const worker = this.#start();
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Message>) => this.#receive(data);
    worker.onerror = (event) => this.#crash(event.message);
  }

  #receive(message: Message): void {
    if ('ready' in message) {
      this.#isReady = true;
      this.version = message.ready;
      this.onReady(message.ready);
    } else if (message.id === this.#asked?.id) {
      const { resolve, reject, timer } = this.#asked;
      clearTimeout(timer);
      this.#asked = undefined;
      if ('fault' in message) reject(new Error(message.fault));
      else resolve(message.value);
    }
    this.#next();
  }

  #next(): void {
    if (!this.#isReady || this.#asked !== undefined) return;
    const question = this.#waiting.shift();
    if (question === undefined) return;
    this.#id += 1;
    const timer = window.setTimeout(() => this.#stop(), LIMIT);
    this.#asked = { ...question, id: this.#id, timer };
    this.#worker?.postMessage({ id: this.#id, verb: question.verb, args: question.args });
  }

  #stop(): void {
    this.#abort(new Stopped(`stopped after ${LIMIT / 1000} s: the files ask for more work than a page does`));
  }

  /** Starts another worker, unless this one never worked: the next one would not either. */
  #crash(message: string): void {
    if (!this.#isReady) this.onFailure(message || 'the engine could not be loaded');
    else this.#abort(new Crashed(message || 'the browser ended the engine'));
  }

  #abort(error: Error): void {
    const asked = this.#asked;
    this.#asked = undefined;
    clearTimeout(asked?.timer);
    this.#restart();
    asked?.reject(error);
  }
}
