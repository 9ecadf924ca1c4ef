import { type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { Path, ValueMap } from '../../core/model/value.ts';
import {
  compileTemplate,
  executeTemplateBytes,
  type Functions,
  fromBytes,
  isUtf8,
  Meter,
  type Template,
  TemplateError,
} from '../../languages/gotemplate/index.ts';
import { templateYaml } from '../canonical/index.ts';
import { functionsFor } from '../functions/index.ts';
import type { InputSet } from '../inputs/combine.ts';
import type { ResourceSetSpec, TemplateStep } from '../spec.ts';
import { breakNextLines, hidesDocument } from '../stored-json.ts';
import { readDocuments, readEntry } from './documents.ts';
import { aboutSet, problemOf, type SecretUse, type TemplateText } from './fault.ts';

/** A template that is parsed once and executed for every input set. */
export interface CompiledTemplate extends TemplateText {
  template: Template;
}

const DELIMITERS = { left: '<<', right: '>>' };
const NO_FUNCTIONS_KNOWN = functionsFor(() => null);

/** Parses the templates of a step; returns `undefined` after an error, which is reported. */
export function compileTemplates(
  { templates }: TemplateStep,
  report: (problem: Problem) => void,
): CompiledTemplate[] | undefined {
  const compiled = templates.flatMap((written): CompiledTemplate[] => {
    const text = 'entry' in written ? { ...written, source: templateYaml(written.entry).toWellFormed() } : written;
    try {
      return [{ ...text, template: compileTemplate(text.source, DELIMITERS, NO_FUNCTIONS_KNOWN) }];
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      report(problemOf(error, text));
      return [];
    }
  });
  return compiled.length === templates.length ? compiled : undefined;
}

/** Returns the templates of the valid steps of a ResourceSet, in order; the errors of others are reported. */
export const compileSet = ({ steps }: ResourceSetSpec, report: (problem: Problem) => void): CompiledTemplate[] =>
  steps.flatMap((step) => compileTemplates(step, report) ?? []);

export interface Execution {
  /** Returns the place of a field of a rendered object, as far as the template has it: a text has no places. */
  placeOf: (template: Path, field: Path) => Path;
  budget: RenderBudget;
  report: (problem: Problem) => void;
  /** Reports whether the limit of errors is reached. */
  isEnough: () => boolean;
  /** The identities of the objects that are left out. */
  disabled: Set<string>;
  /** Returns the values that are rendered into Secrets: they are never reported. */
  secret: () => SecretUse;
}

/** The inputs of an execution: changes by `set` are visible to later templates. */
export interface Bound {
  functions: Functions;
  set: InputSet | undefined;
}

/** Executes a template, and reads its output; returns `undefined` after an error, which is reported. */
export function execute(
  template: CompiledTemplate,
  { functions, set }: Bound,
  { budget, report, secret, isEnough }: Execution,
): ValueMap[] | undefined {
  try {
    const output = executeTemplateBytes(template.template, null, functions, budget.meter);
    const written = fromBytes(output);
    const fault = faultOfText(output, written);
    if (fault !== undefined) {
      const message = phrase`${{ reason: shown(fault.message) }}${aboutSet(set, secret)}`;
      report({ code: 'rendered-yaml', message, path: template.path, hint: shown(fault.hint) });
      return [];
    }
    const text = breakNextLines(written);
    budget.spendDocuments(text);
    const read = template.entry === undefined ? readDocuments : readEntry;
    return read({
      text,
      fault(code, message, more) {
        report({ code, message: phrase`${message}${aboutSet(set, secret)}`, path: template.path, ...more });
        return [];
      },
      isShown: () => !secret().touches(template),
      isEnough,
      spendObjects: (count) => budget.spendObjects(count),
    });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    report(problemOf(error, template, set, secret));
    return undefined;
  }
}

interface TextFault {
  message: string;
  hint: string;
}

/** A line with a % before the first node of a document. */
const DIRECTIVE = /(?:^|\n---[^\n]*\n)(?:[ \t]*(?:#[^\n]*)?\n)*%/;

/** Returns why the operator cannot read a rendered text, or reads only a part of it. */
function faultOfText(output: string, text: string): TextFault | undefined {
  // A text that begins as JSON is read as JSON, in which U+FFFD replaces what is not UTF-8.
  if (!isUtf8(output) && !/^\s*\{/.test(text)) {
    return {
      message: 'the rendered text is not valid YAML: it contains a part of a character',
      hint: 'trunc and substr count bytes: cut between characters, or pipe the part through quote',
    };
  }
  if (DIRECTIVE.test(text)) {
    return {
      message: 'the rendered text has a directive such as %YAML, which the operator cannot read',
      hint: 'remove the directive',
    };
  }
  if (!hidesDocument(text)) return undefined;
  return {
    message: 'the rendered text has --- or ... after U+0085, which the operator reads as the end of the document',
    hint: 'write a line feed in place of U+0085',
  };
}

/** Templates take much smaller steps than expressions, and more of them. */
const STEP_SHARE = 10;
const BYTES_PER_ITEM = 8;

/** The budget that each execution adds, as a fraction of the initial budget. */
const RUN_SHARE = 500;
/** The bytes that each execution adds: templates copy their inputs. */
const RUN_BYTES_SHARE = 1000;

/** The cost of a rendered object. */
const OBJECT_STEPS = 100;
/** The number of characters of YAML that cost one step. */
const CHARACTERS_PER_STEP = 4;

/** The budget of the templates of a package: as much as of one expression, and a little more for each execution. */
export class RenderBudget {
  readonly meter: Meter;
  private readonly start: { maxSteps: number; maxBytes: number };

  constructor({ maxSteps, maxSize }: Pick<RenderOptions, 'maxSteps' | 'maxSize'>) {
    this.start = { maxSteps: Math.ceil(maxSteps / STEP_SHARE), maxBytes: maxSize * BYTES_PER_ITEM };
    this.meter = new Meter(this.start);
  }

  /** Adds the budget of so many executions. */
  allowRuns(count: number): void {
    const { maxSteps, maxBytes } = this.start;
    this.meter.allow({
      maxSteps: Math.round((maxSteps * count) / RUN_SHARE),
      maxBytes: Math.round((maxBytes * count) / RUN_BYTES_SHARE),
    });
  }

  /** Counts the documents of a rendered text before they are read. @throws TemplateError (budget) */
  spendDocuments(text: string): void {
    let documents = 1;
    for (let at = text.indexOf('\n---'); at >= 0; at = text.indexOf('\n---', at + 4)) documents++;
    this.meter.spendSteps(documents * OBJECT_STEPS + text.length / CHARACTERS_PER_STEP);
  }

  /** Counts the items of a list of objects. @throws TemplateError (budget) */
  spendObjects(count: number): void {
    this.meter.spendSteps(count * OBJECT_STEPS);
  }
}
