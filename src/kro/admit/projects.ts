import domains from '../../../data/project-domains.json';

/**
 * The domains of API groups of widely used projects. Objects in them are correct: their kinds have common names, such
 * as `Application`, `Cluster` or `Service`, which an RGD may define in its own group.
 */
const DOMAINS: ReadonlySet<string> = new Set(domains);

/** Reports whether a group, or a parent domain, belongs to such a project. */
export function isOfProject(group: string): boolean {
  const labels = group.split('.');
  return labels.some((_, index) => DOMAINS.has(labels.slice(index).join('.')));
}
