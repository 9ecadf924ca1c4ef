// Kills the process before its n-th change of the file system, for `node --import`.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const names = [
  ...['mkdirSync', 'mkdtempSync', 'writeFileSync', 'renameSync', 'rmdirSync', 'rmSync', 'chmodSync', 'utimesSync'],
  ...['symlinkSync', 'linkSync', 'fchmodSync', 'fchownSync'],
];
let changes = 0;
for (const name of names) {
  const original = fs[name];
  fs[name] = (...args) => {
    changes += 1;
    if (changes === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
}
syncBuiltinESMExports();
