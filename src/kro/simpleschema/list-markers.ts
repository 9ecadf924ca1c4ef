import { phrase, shown } from '../../core/diagnostics/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import { parseBool } from './go-text.ts';
import { type MarkerProblem, notApplicable, notBoolean } from './marker-problem.ts';

/** kro implements uniqueItems with the list type, because the API server forbids `uniqueItems: true` in a CRD. */
export function applyUniqueItems(draft: Schema, value: string): MarkerProblem | undefined {
  const unique = parseBool(value);
  if (unique === undefined) return notBoolean('uniqueItems', value);
  if (draft.type !== 'array') return notApplicable('uniqueItems', 'list', draft);
  const listType = draft['x-kubernetes-list-type'];
  if (!unique) return undefined;
  if (listType !== undefined && listType !== 'set') {
    return { code: 'marker-conflict', message: phrase`uniqueItems=true contradicts listType=${shown(listType)}` };
  }
  draft['x-kubernetes-list-type'] = 'set';
  return undefined;
}

export function applyListType(draft: Schema, value: string): MarkerProblem | undefined {
  if (draft.type !== 'array') return notApplicable('listType', 'list', draft);
  if (value !== 'atomic' && value !== 'set' && value !== 'map') {
    return { code: 'marker-value', message: phrase`listType is atomic, set or map, got: ${value}` };
  }
  const earlier = draft['x-kubernetes-list-type'];
  if (earlier !== undefined && earlier !== value) {
    return {
      code: 'marker-conflict',
      message: phrase`listType=${shown(value)} contradicts the list type '${shown(earlier)}' it has already`,
    };
  }
  draft['x-kubernetes-list-type'] = value;
  return undefined;
}

export function applyListMapKey(draft: Schema, value: string): MarkerProblem | undefined {
  if (draft.type !== 'array') return notApplicable('listMapKey', 'list', draft);
  const keys = draft['x-kubernetes-list-map-keys'] ?? [];
  if (keys.includes(value)) return { code: 'marker-conflict', message: phrase`duplicate listMapKey=${value}` };
  draft['x-kubernetes-list-map-keys'] = [...keys, value];
  return undefined;
}

/** kro: fieldLevelValidation */
export function listKeyConflict(draft: Schema): MarkerProblem | undefined {
  const listType = draft['x-kubernetes-list-type'];
  if (draft['x-kubernetes-list-map-keys'] === undefined || listType === 'map') return undefined;
  const message =
    listType === undefined
      ? phrase`listMapKey needs listType=map`
      : phrase`listMapKey contradicts listType=${shown(listType)}`;
  return { code: 'marker-conflict', message, hint: phrase`add listType=map` };
}
