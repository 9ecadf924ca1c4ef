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
      take([...(event.dataTransfer?.files ?? [])]);
    },
    true,
  );
}
