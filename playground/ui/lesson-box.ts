import type { App } from '../app.ts';
import type { Lesson } from '../lessons/index.ts';
import { button, h } from './dom.ts';

type Lessons = typeof import('../lessons/index.ts');

/** The lesson above the files: its text, its task, and what the answer lacks. */
export class LessonBox {
  readonly #element: HTMLElement;
  readonly #app: App;
  readonly #status = h('p', { role: 'status' });
  #all: Lessons | undefined;
  #lesson: Lesson | undefined;

  constructor(element: HTMLElement, app: App) {
    this.#element = element;
    this.#app = app;
  }

  /** Shows a lesson; closes the box for ''. */
  async open(id: string): Promise<void> {
    this.#all ??= id === '' ? undefined : await import('../lessons/index.ts');
    this.#lesson = this.#all?.lessons.find((lesson) => lesson.id === id);
    this.#element.hidden = this.#lesson === undefined;
    if (this.#lesson === undefined) return;
    this.#show(this.#lesson);
    this.check();
  }

  /** Checks the answer. */
  check(): void {
    if (this.#lesson === undefined || this.#all === undefined) return;
    const missing = this.#all.missingFrom(this.#lesson, this.#app.rendered());
    this.#status.className = missing.length === 0 ? 'done' : 'todo';
    this.#status.textContent = missing.length === 0 ? 'Done: that is it.' : (missing[0] ?? '');
  }

  #show(lesson: Lesson): void {
    const lessons = this.#all?.lessons ?? [];
    const at = lessons.indexOf(lesson);
    const next = lessons[at + 1];
    this.#element.replaceChildren(
      h('h2', {}, `Lesson ${at + 1} of ${lessons.length}: ${lesson.title}`),
      h(
        'details',
        { open: !matchMedia('(max-width: 760px)').matches },
        h('summary', {}, 'About it'),
        ...lesson.about.map((text) => h('p', {}, text)),
      ),
      h('p', {}, h('b', {}, 'Task: '), lesson.task),
      this.#status,
      h(
        'div',
        { class: 'buttons' },
        button('Start again', () => this.#replace(lesson, lesson.files, 'The lesson starts again.')),
        button('Show a solution', () => this.#solve(lesson)),
        next === undefined ? undefined : button('Next lesson', () => this.#app.goTo(`#lesson=${next.id}`)),
        button('Close the lesson', () => this.#app.goTo('')),
      ),
    );
  }

  #solve(lesson: Lesson): void {
    const { files, solution, added } = lesson;
    const [first, ...rest] = files;
    if (first === undefined) return;
    const solved = [{ ...first, text: solution }, ...rest, ...(added === undefined ? [] : [added])];
    this.#replace(lesson, solved, 'This is a solution.');
  }

  #replace({ options = {} }: Lesson, files: Lesson['files'], message: string): void {
    this.#app.replaceFiles({ files, options }, message);
  }
}
