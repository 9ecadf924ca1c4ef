/**
 * Replaces `data/kubernetes-minors.json` in the page, which only a package for an older release of Kubernetes reads: it
 * is loaded when a request names such a release.
 */
let text: string | undefined;

export default {
  /** @throws Error if no request named a release */
  get text(): string {
    if (text === undefined) throw new Error('the kinds of older releases of Kubernetes are not loaded');
    return text;
  },
};

const RELEASE = /kubernetes[\\"']*\s*:\s*[\\"']*1\.\d/;

/** Loads the table if a request, as JSON, has an option `kubernetes`. */
export async function loadKubernetesMinors(request: string): Promise<void> {
  if (text !== undefined || !RELEASE.test(request)) return;
  text = (await import('../../data/kubernetes-minors.json')).default.text;
}
