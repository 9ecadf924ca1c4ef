import { getAt, isMap, type Value } from '../../core/model/value.ts';
import { templateName } from '../../flux/index.ts';
import { standardNames } from '../../languages/gotemplate/index.ts';
import { treeValue } from '../../yaml/tree/index.ts';
import { type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import type { Place } from '../place.ts';
import { templateActions, useOf } from '../usage.ts';
import { type SetModel, setModel } from './inputs.ts';

/** Completes inputs inside `<< >>` in a ResourceSet; returns `undefined` elsewhere. */
export function completeInputs({ file, tree, offset, checked }: Place): Proposals | undefined {
  const open = file.text.lastIndexOf('<<', offset - 1);
  const written = file.text.slice(open, offset);
  if (tree === undefined || open < tree.start || /[\r\n]|>>/.test(written)) return undefined;
  const model = setModel(file, tree, checked?.plan);
  if (model === undefined) return undefined;
  const before = file.text.slice(open + 2, offset);
  const word = /(?<![\w.])[\w.]*$/.exec(before)?.[0] ?? '';
  const rest = /^\w*/.exec(file.text.slice(offset))?.[0] ?? '';
  const dot = word.lastIndexOf('.');
  const start = offset - (word.length - dot - 1);
  const proposals =
    dot < 0 ? namesAfter(before.slice(0, before.length - word.length)) : fieldsBelow(model, word.slice(0, dot));
  return { start, end: offset + rest.length, proposals };
}

/** Returns the names that may follow a text of an action: after a pipe only functions, and actions only at its beginning. */
function namesAfter(before: string): Proposal[] {
  const functions = standardNames().map((name) => {
    return proposal('function', name, 'function', 1, { use: useOf('templateFunctions', name) });
  });
  if (/\|\s*$/.test(before)) return functions;
  const isBegun = before.replace(/^-/, '').trim() !== '';
  const actions = isBegun ? [] : templateActions.map((name) => actionOf(name));
  return [proposal('variable', 'inputs', 'the inputs', 0), ...actions, ...functions];
}

const actionOf = (name: string): Proposal =>
  proposal('keyword', name, 'action', 0.5, { use: useOf('templateActions', name) });

function fieldsBelow(model: SetModel, path: string): Proposal[] {
  const [root, ...steps] = path.replace(/^\$?\.?/, '').split('.');
  if (root !== 'inputs') return [];
  if (model.isPermuted && steps.length === 0) {
    const names = new Set(model.sources.map(({ name }) => templateName(name)));
    return [...names].map((name) => proposal('field', name, 'inputs of this name', 0));
  }
  const of = model.isPermuted ? model.sources.filter(({ name }) => templateName(name) === steps[0]) : model.sources;
  const inside = model.isPermuted ? steps.slice(1) : steps;
  const keys = new Map<string, Value>();
  for (const { file, values } of of) {
    const sample = getAt(treeValue(file.text, values), inside);
    for (const [key, value] of isMap(sample) ? Object.entries(sample) : []) if (!keys.has(key)) keys.set(key, value);
  }
  const own =
    inside.length === 0
      ? [
          proposal('field', 'id', 'the id of the input set', 2),
          proposal('field', 'provider', 'where the inputs come from', 2),
        ]
      : [];
  return [
    ...[...keys].map(([key, value]) => proposal('field', key, exampleOf(value), 0)),
    ...own.filter(({ label }) => !keys.has(label)),
  ];
}

const exampleOf = (value: Value): string =>
  isMap(value) ? 'map' : Array.isArray(value) ? 'list' : `for example ${String(value).slice(0, 60)}`;
