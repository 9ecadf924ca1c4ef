import fc from 'fast-check';
import { expect, it } from 'vitest';
import { actionsAt } from '../../src/language-server/features/actions.ts';
import { completionsAt } from '../../src/language-server/features/completion.ts';
import { diagnosticsOf } from '../../src/language-server/features/diagnostics.ts';
import { inlayHintsOf, lensesOf } from '../../src/language-server/features/hints.ts';
import { hoverAt } from '../../src/language-server/features/hover.ts';
import { definitionAt, referencesAt, renameAt } from '../../src/language-server/features/names.ts';
import { signatureAt } from '../../src/language-server/features/signature.ts';
import { foldingOf, formattingOf, linksOf, symbolsOf } from '../../src/language-server/features/structure.ts';
import { tokensOf } from '../../src/language-server/features/tokens.ts';
import { Place } from '../../src/language-server/place.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';
import { LONG, runs } from './runs.ts';
import { planted, plantedInStage } from './secret-routes.ts';

const LETTERS = 'abcdefghijkmnprstuvwxyz23456789';
const values = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 22, maxLength: 22 })
  .map((letters) => `q${letters.join('')}7q`);

const OPENED = 'file:///w/package.yaml';
const BESIDE = 'file:///w/values.yaml';
/** So many places of the text are asked about, others in each package. */
const PLACES = 30;

/** The requests about a place: each place of a package gets one of them, and other packages others. */
const REQUESTS: readonly ((place: Place) => unknown)[] = [
  hoverAt,
  (place) => completionsAt(place, true),
  signatureAt,
  definitionAt,
  (place) => renameAt(place, 'renamed'),
  (place) => referencesAt(place)?.filter(({ uri }) => uri === OPENED),
];

/** A number below it says where the places of a package are, and which request each of them gets. */
const DRAWS = 6000;

const writtenAs = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)) ?? '';

/** Returns all that the language server answers about a file, beside one that is read and not open. */
function answersAbout(text: string, beside: string, draw: number): string[] {
  const workspace = new Workspace();
  workspace.addRoot('file:///w');
  workspace.setFile(BESIDE, beside);
  workspace.open(OPENED, text, 1);
  while (workspace.checkNext());
  const file = workspace.files.get(OPENED);
  if (file === undefined) throw new Error('the file is not open');
  const whole = file.rangeOf(0, text.length);
  const answers: unknown[] = [
    diagnosticsOf(file, workspace),
    actionsAt(file, whole, workspace),
    actionsAt(file, whole, workspace, ['source.fixAll']),
    inlayHintsOf(file, whole, workspace),
    lensesOf(file, workspace, true),
    tokensOf(file, workspace),
    symbolsOf(file),
    foldingOf(file),
    linksOf(file, workspace),
    formattingOf(file),
  ];
  const shift = (draw % DRAWS) / DRAWS;
  for (let index = 0; index < PLACES; index += 1) {
    const request = REQUESTS[(index + draw) % REQUESTS.length];
    answers.push(request?.(new Place(file, Math.floor(((index + shift) * text.length) / PLACES), workspace)));
  }
  return answers.map(writtenAs);
}

it.each([
  ['wherever it flows', planted],
  ['in what a later stage reads', plantedInStage],
])(
  'a value of a Secret in a file beside the open one affects no answer of the language server, %s',
  { timeout: LONG },
  (_, packages) => {
    fc.assert(
      fc.property(packages, values, values, fc.nat(DRAWS - 1), ({ documents, ways }, one, other, draw) => {
        const all = documents(one);
        const same = documents(other);
        const isOwn = (index: number): boolean => all[index] === same[index];
        const opened = all.filter((_, index) => isOwn(index)).join('\n---\n');
        const besideOf = (texts: readonly string[]): string =>
          texts.filter((_, index) => !isOwn(index)).join('\n---\n');
        fc.pre(opened !== '');
        const said = answersAbout(opened, besideOf(all), draw);
        expect(said.join('\n'), ways).toBe(answersAbout(opened, besideOf(same), draw).join('\n'));
      }),
      runs(60),
    );
  },
);
