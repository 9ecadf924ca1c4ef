import { advise, type Problem, phrase, renameTo, shown } from '../../core/diagnostics/index.ts';
import { DELETION_POLICY } from '../../core/model/keys.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { get, isMap, ownValue, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import type { NodeDefinition } from '../definition/index.ts';
import { scan } from './scan.ts';

type Report = (problem: Problem) => void;
type AlphaField = 'deletionPolicy' | 'externalFields';
type AlphaOptions = Pick<RenderOptions, 'kro' | 'experimental' | 'comparesReleases'>;

/** What to do without kro, by field. */
const UNTIL_THEN: Readonly<Record<AlphaField, string>> = {
  deletionPolicy: 'until then tell the tool that prunes to keep the objects',
  externalFields: 'until then tell the tool that applies to ignore these fields',
};

/** Checks the alpha fields of a node (kro: website/docs/docs/concepts/reconciliation, 05-external-fields.md and 06). */
export function checkAlphaFields(node: NodeDefinition, options: AlphaOptions, report: Report): void {
  if (node.deletionPolicy !== undefined && isEnabled('deletionPolicy', node, options, report))
    checkDeletionPolicy(node, report);
  if (node.externalFields !== undefined && isEnabled('externalFields', node, options, report))
    checkExternalFields(node, report);
}

/** Reports whether a field is known, and that it is not. */
function isEnabled(
  field: AlphaField,
  { path }: NodeDefinition,
  { kro, experimental, comparesReleases = false }: AlphaOptions,
  report: Report,
): boolean {
  if ((kro === '0.10' || comparesReleases) && experimental.includes(field)) return true;
  const enable = kro === '0.10' ? `--experimental ${field}` : `--kro 0.10 and --experimental ${field}`;
  const hint = phrase`an alpha feature of kro 0.10: enable it with ${shown(enable)}; ${shown(UNTIL_THEN[field])}`;
  report({
    code: 'rgd-unknown-field',
    message: phrase`unknown field '${{ key: shown(field) }}'`,
    path: [...path, field],
    hint,
  });
  return false;
}

const OTHER_WORDS: Readonly<Record<string, string>> = {
  Orphan: 'Orphaned',
  Detach: 'Orphaned',
  Retain: 'Orphaned',
  Keep: 'Orphaned',
};

function checkDeletionPolicy({ deletionPolicy = '', template, path }: NodeDefinition, report: Report): void {
  const at = [...path, 'deletionPolicy'];
  if (deletionPolicy !== 'Delete' && deletionPolicy !== 'Orphaned') {
    const intended = ownValue(OTHER_WORDS, deletionPolicy);
    const hint =
      intended === undefined ? {} : { hint: advise(phrase`write ${shown(intended)}`, renameTo(shown(intended))) };
    const message = phrase`deletionPolicy is Delete or Orphaned, got '${{ value: deletionPolicy }}'`;
    report({ code: 'alpha-field', message, path: at, ...hint });
    return;
  }
  if (template === undefined) {
    report({
      code: 'alpha-field',
      message: phrase`an externalRef has no deletionPolicy: kro never deletes it`,
      path: at,
    });
    return;
  }
  const metadata = get(template, 'metadata');
  const annotations = get(metadata, 'annotations') ?? null;
  const inTemplate = [...path, 'template', 'metadata', 'annotations'];
  if (isMap(annotations) && Object.hasOwn(annotations, DELETION_POLICY)) {
    const message = phrase`the annotation ${{ annotation: shown(DELETION_POLICY) }} is kro's: a template cannot set it`;
    report({ code: 'alpha-field', message, path: [...inTemplate, DELETION_POLICY] });
  }
  if (annotations !== null && !isMap(annotations) && !isExpression(annotations)) {
    const message = phrase`with a deletionPolicy the annotations must be a map or one expression`;
    report({ code: 'alpha-field', message, path: inTemplate });
  }
  if (deletionPolicy === 'Orphaned' && (get(metadata, 'ownerReferences') ?? null) !== null) {
    const message = phrase`an object with ownerReferences is deleted with its owner, also if it is Orphaned`;
    const hint = phrase`leave the ownerReferences out`;
    report({ code: 'alpha-field', message, path: at, severity: 'warning', hint });
  }
}

/** Reports whether a text is exactly one expression. */
function isExpression(value: Value): boolean {
  if (typeof value !== 'string') return false;
  const scanned = scan(value);
  return scanned.ok && scanned.parts.length === 1 && typeof scanned.parts[0] !== 'string';
}

function checkExternalFields({ externalFields = [], template, path }: NodeDefinition, report: Report): void {
  for (const [index, field] of externalFields.entries()) {
    const at = [...path, 'externalFields', index];
    if (template === undefined) {
      const message = phrase`an externalRef has no externalFields: kro never writes it`;
      report({ code: 'alpha-field', message, path: at });
      return;
    }
    const fault = faultInField(field, template);
    if (fault !== undefined) report({ code: 'alpha-field', message: fault, path: at });
  }
}

/** A path names keys of maps that the template writes out; a whole list may be its end. */
function faultInField(field: string, template: ValueMap): Problem['message'] | undefined {
  const steps = field.split('.');
  if (steps.includes('')) return phrase`'${{ field }}' is no path: write its keys with dots between them`;
  let value: Value = template;
  for (const [index, step] of steps.entries()) {
    const above = steps.slice(0, index).join('.');
    if (Array.isArray(value))
      return phrase`'${{ field }}' goes through ${shown(above)}, which is a list: name the whole list`;
    if (!isMap(value) || !Object.hasOwn(value, step)) return phrase`the template has no field '${{ field }}'`;
    value = value[step] as Value;
  }
  return undefined;
}

/** Returns the paths of the fields of a node that another controller may take over. */
export const externalPathsOf = ({ externalFields = [] }: Pick<NodeDefinition, 'externalFields'>): Path[] =>
  externalFields.map((field) => field.split('.'));
