import { groupBy } from '../../core/model/group-by.ts';
import { type Application, titleOfApplication } from './application.ts';

/**
 * Returns a function that names what distinguishes an application from others of its kind and name in one version: its
 * place, and its namespace if that is not enough.
 */
export function createQualifier(...versions: readonly (readonly Application[])[]): (application: Application) => void {
  const alike = new Map<string, readonly Application[]>();
  for (const applications of versions) {
    for (const [title, those] of groupBy(applications, titleOfApplication)) {
      if (those.length > (alike.get(title)?.length ?? 1)) alike.set(title, those);
    }
  }
  return (application) => {
    const those = application.qualifier === undefined ? alike.get(titleOfApplication(application)) : undefined;
    if (those === undefined) return;
    const place = placeOf(application);
    const isEnough = those.filter((one) => placeOf(one) === place).length === 1;
    application.qualifier = isEnough || application.namespace === '' ? place : `${application.namespace}, ${place}`;
  };
}

const placeOf = ({ place, path }: Application): string => place || path;
