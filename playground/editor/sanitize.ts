/** The allowed elements of documentation. Others are removed, and so is every attribute. */
const ALLOWED = new Set(
  'a b blockquote br code div em h1 h2 h3 h4 hr i li ol p pre span strong table tbody td th thead tr ul'.split(' '),
);

/** Returns markup with only text and structure: links and images lose their targets. */
export function sanitized(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    if (!ALLOWED.has(element.localName)) element.replaceWith(element.textContent ?? '');
    else for (const { name } of [...element.attributes]) if (name !== 'class') element.removeAttribute(name);
  }
  return body.innerHTML;
}
