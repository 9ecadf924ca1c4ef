// Loaded into a measured process: writes its peak memory in KiB when it ends.
process.on('exit', () =>
  require('node:fs').writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS)),
);
