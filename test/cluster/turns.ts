/**
 * Returns how often kro reconciled objects of a case, by the label that the names of its RGDs (`LABEL-NAME`) and its
 * groups (`LABEL.GROUP`) start with: reconciliations of instances, from its metrics, and RGDs that failed, from its
 * log.
 */
export function turnsOf(metrics: string, log: string): Map<string, number> {
  const turns = new Map<string, number>();
  const add = (label: string, count: number): void => {
    turns.set(label, (turns.get(label) ?? 0) + count);
  };
  for (const [, label = '', count] of metrics.matchAll(
    /^dynamic_controller_reconcile_total\{gvr="(c\d+)\.[^"]*"\} ([\d.e+]+)$/gm,
  )) {
    add(label, Number(count));
  }
  for (const line of log.split('\n')) {
    if (!line.includes('Reconciler error')) continue;
    const [, label] = /"name": ?"(c\d+)-/.exec(line) ?? [];
    if (label !== undefined) add(label, 1);
  }
  return turns;
}
