/** A monitor of its own process: `serve-monitor.ts DATA_DIR`. */
import { join } from 'node:path';
import { startMonitor } from '@wherry/monitor';

const [dataDir = ''] = process.argv.slice(2);
const monitor = await startMonitor({
  dataDir,
  socketPath: join(dataDir, 'monitor.sock'),
  ownsProcess: true,
});
process.once('SIGTERM', () => monitor.close().then(() => process.exit(0)));
