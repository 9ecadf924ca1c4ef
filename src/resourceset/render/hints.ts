import { fromBytes, standardNames, type TemplateError } from '../../gotemplate/index.ts';
import { isMap, type Value, type ValueMap } from '../../model/value.ts';
import { didYouMean, nearest } from '../../text/nearest.ts';
import type { TemplateText } from './template-text.ts';

const ADDED = ['inputs', 'slugify', 'toYaml', 'mustToYaml'];

/** Functions that people know from elsewhere, with what to do in their place. */
const ELSEWHERE = new Map<string, string>([
  ['bool', 'there is no such function: a boolean input is one already, and a text is compared: eq inputs.live "true"'],
  ['now', 'functions that give another result each time are not there: give the date as an input'],
  ['include', 'write template, or block; functions of Helm are not there'],
  ['tpl', 'functions of Helm are not there'],
  ['required', 'a missing input is an error anyway'],
  ['lookup', 'a rendering sees no cluster: give the value as an input'],
  ['merge', 'functions of Sprig that slim-sprig left out are not there: use set, or dict'],
]);
const CHANGING =
  /^(?:env|expandenv|getHostByName|uuidv4|rand\w+|date\w*|date_\w+|htmlDate\w*|genPrivateKey|genSelfSignedCert|genCA)$/;

/** What people stumble over, and how to go on. */
export function hintFor(fault: TemplateError, text: TemplateText, inputs: ValueMap | undefined): string | undefined {
  const { message, subject } = fault;
  const name = subject === undefined ? undefined : fromBytes(subject);
  if (fault.kind === 'missing-key') return missingKey(message, name ?? '', inputs);
  if (fault.kind === 'budget') return undefined;
  if (/^function ".*" not defined$/.test(message)) return unknownFunction(name ?? '', text, fault.offset);
  if (/^bad character U\+002D/.test(message)) {
    return 'a key with a dash is read with index: index inputs "the-key"';
  }
  if (/^unexpected "\\+" in operand$/.test(message) && text.entry !== undefined) {
    return 'this text is written in double quotes before it is a template (it holds a tab, or a blank at the end of a line): write `x` in place of "x" in the action, or use resourcesTemplate';
  }
  if (
    /^(?:unterminated quoted string|unterminated character constant|invalid syntax)/.test(message) &&
    text.entry !== undefined
  ) {
    return 'long lines are folded and quotes doubled before an entry is a template: write `x` in place of "x", or use resourcesTemplate';
  }
  if (/^expected :=$/.test(message) && text.entry === undefined) {
    return '<< starts an action here, so there are no merge keys; write the map out';
  }
  if (/^(?:unclosed action|unterminated|bad number|unrecognized character)/.test(message)) {
    return 'a << that is no action is written << "<<" >>';
  }
  if (/expected int; got int64/.test(message)) return 'numbers of inputs are int64: add | int';
  if (/expected string; got (?:int64|float64|bool)/.test(message)) return 'add | toString';
  if (/expected bool; got string/.test(message)) return 'compare the text: eq inputs.live "true"';
  if (/^error calling (?:eq|ne|lt|le|gt|ge): incompatible types/.test(message)) {
    return 'both sides must be of one kind: convert one of them with int, float64 or toString';
  }
  return undefined;
}

function missingKey(message: string, name: string, inputs: ValueMap | undefined): string {
  if (message.startsWith('nil data')) return `there is nothing behind a dot of its own here: write inputs.${name}`;
  const keys = inputs === undefined ? [] : keysOf(inputs);
  if (inputs === undefined || Object.keys(inputs).length === 0)
    return 'there are no inputs: add spec.inputs or spec.inputsFrom';
  const meant = didYouMean(name, keys, 2);
  const optional = `a key that not all inputs have is read with get: get inputs "${name}"`;
  return meant === undefined ? optional : `${meant} Otherwise, ${optional}`;
}

function keysOf(value: Value): string[] {
  if (Array.isArray(value)) return value.slice(0, 10).flatMap(keysOf);
  return isMap(value) ? [...Object.keys(value), ...Object.values(value).flatMap(keysOf)].slice(0, 1000) : [];
}

function unknownFunction(name: string, text: TemplateText, offset: number): string | undefined {
  const known = ELSEWHERE.get(name);
  if (known !== undefined) return known;
  if (CHANGING.test(name))
    return 'functions that give another result each time, or read the machine, are not there: use an input';
  const isHeredoc = text.bytes.slice(0, offset).endsWith('<<') && /^[A-Z_]+$/.test(name);
  if (isHeredoc) return `<< starts an action; for a << of the shell, write << "<<" >>${name}`;
  const [meant] = nearest(name, [...standardNames(), ...ADDED], 2);
  return meant === undefined ? 'docs/resourceset.md lists the functions' : `did you mean '${meant}'?`;
}
