import { NotLoaded } from './not-loaded.ts';

/**
 * Replaces `data/kubernetes-minors.json` in the page, which only packages for an older release of Kubernetes and
 * unknown fields need: it is loaded when a request reads it, and the request is answered again.
 */
let text: string | undefined;

export default {
  /** @throws NotLoaded before the table is loaded */
  get text(): string {
    if (text === undefined) throw new NotLoaded('the kinds of older releases of Kubernetes are not loaded');
    return text;
  },
};

export async function loadKubernetesMinors(): Promise<void> {
  text = (await import('../../data/kubernetes-minors.json')).default.text;
}
