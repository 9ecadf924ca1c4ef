/** So many keep two cores busy: many steps wait for a process or a file. */
const WORKERS = 4;

/**
 * Runs the steps, each time the first that can start. Those that read what the build makes wait for `build`, which is
 * called only if there are any. It returns whether all was built; if not, `omit` is called for each of them instead.
 */
export async function schedule(steps, { build, run, omit }) {
  const queue = [...steps];
  const readsBuild = ({ reads }) => reads === 'build';
  let isBuilt = false;
  const buildAll = async () => {
    if (!queue.some(readsBuild)) return;
    isBuilt = await build();
    if (isBuilt) return;
    for (const step of queue.filter(readsBuild)) omit(step);
    queue.splice(0, queue.length, ...queue.filter((step) => !readsBuild(step)));
  };
  const building = buildAll();
  const work = async () => {
    while (queue.length > 0) {
      const at = queue.findIndex((step) => isBuilt || !readsBuild(step));
      if (at < 0) await building;
      else await run(queue.splice(at, 1)[0]);
    }
  };
  const others = Array.from({ length: WORKERS - 1 }, work);
  await Promise.all([building.then(work), ...others]);
}
