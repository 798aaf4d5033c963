/** A monitor as a process of its own, for tests that kill it: `node monitor-process.ts DATA_DIR SOCKET [OCI_RUNTIME]`. */
import { createLogger } from '@wherry/telemetry';
import { startMonitor } from '../src/index.ts';

const [dataDir, socketPath, ociRuntime] = process.argv.slice(2);
if (!dataDir || !socketPath) throw new Error('usage: monitor-process.ts DATA_DIR SOCKET');
await startMonitor({
  dataDir,
  socketPath,
  ownsProcess: true,
  logger: createLogger('monitor', { level: 'warn' }),
  ...(ociRuntime && { ociRuntime }),
});
process.stdout.write('ready\n');
