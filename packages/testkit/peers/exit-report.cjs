// Loaded by --require into a measured Node process: writes its resource usage to a file when it exits.
'use strict';

const path = process.env.TESTKIT_EXIT_REPORT;
if (path !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const wallMs = Math.round(process.uptime() * 1000);
    require('node:fs').writeFileSync(path, JSON.stringify([userCPUTime, systemCPUTime, maxRSS, wallMs]));
  });
}
