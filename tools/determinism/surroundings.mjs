import { fileURLToPath } from 'node:url';

const poison = fileURLToPath(new URL('poison.cjs', import.meta.url));
const shuffle = fileURLToPath(new URL('shuffle.cjs', import.meta.url));
const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`VARIABLE_${index}`, 'x'.repeat(20)]));
const meaningful = { RENDER_RGD_NAMESPACE: 'wrong', NAMESPACE: 'wrong', KUBECONFIG: '/wrong', NODE_ENV: 'production' };
// FORCE_COLOR requests colours, so it is not included.
const terminal = { TERM: 'xterm-256color', COLORTERM: 'truecolor', COLUMNS: '20', CI: 'true' };

/** Returns environments that must not matter. `folder` is an empty one. */
export const surroundings = (folder) => [
  ...['tr_TR.UTF-8', 'de_DE.UTF-8', 'ja_JP.UTF-8', 'ar_EG.UTF-8', 'C.UTF-8'].map(locale),
  { name: 'no locale', env: { LANG: undefined } },
  ...['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'].map((zone) => ({
    name: `TZ ${zone}`,
    env: { TZ: zone },
  })),
  ...['000', '077'].map((umask) => ({ name: `umask ${umask}`, umask })),
  { name: 'no HOME', env: { HOME: undefined } },
  { name: 'many variables', env: { ...many, ...meaningful } },
  { name: 'a terminal’s variables', env: terminal },
  { name: 'another current folder', folder },
  { name: 'no clock and no randomness', options: ['--require', poison] },
  { name: 'folders listed in another order', options: ['--require', shuffle] },
];

/** The same, several at once: each input meets all of them in fewer runs. */
export function combinedSurroundings(folder) {
  const all = surroundings(folder);
  return all.slice(0, COMBINED).map((_, group) => {
    const parts = all.filter((_, index) => index % COMBINED === group);
    return parts.reduce((sum, part) => ({
      ...sum,
      ...part,
      name: `${sum.name}, ${part.name}`,
      env: { ...sum.env, ...part.env },
      options: [...(sum.options ?? []), ...(part.options ?? [])],
    }));
  });
}

/** As many as there are locales. */
const COMBINED = 6;

function locale(name) {
  return { name: `LANG and LC_ALL ${name}`, env: { LANG: name, LC_ALL: name, LANGUAGE: name.slice(0, 2) } };
}
