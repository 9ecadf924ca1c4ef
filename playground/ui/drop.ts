/** Accepts files that are dropped anywhere on an element. */
export function acceptDrops(element: HTMLElement, take: (files: File[]) => void): void {
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  const mark = (isOver: boolean): void => void element.classList.toggle('dropping', isOver);
  element.addEventListener(
    'dragover',
    (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      mark(true);
    },
    true,
  );
  element.addEventListener('dragleave', ({ relatedTarget }) => mark(relatedTarget !== null));
  element.addEventListener(
    'drop',
    (event) => {
      mark(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      // The entries are only available during the event.
      const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (entries.some((entry) => entry?.isDirectory))
        void import('../state/opened.ts').then(async ({ filesOf }) => take(await filesOf(entries)));
      else take(files);
    },
    true,
  );
}
