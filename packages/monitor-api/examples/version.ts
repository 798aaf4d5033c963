import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMonitorServer, MonitorClient, type MonitorHandlers } from '@wherry/monitor-api';

const folder = mkdtempSync(join(tmpdir(), 'wire-'));
const socketPath = join(folder, 'monitor.sock');

// A monitor has all methods; this one tells only its version.
const version: MonitorHandlers['version'] = () => ({
  name: 'demo',
  version: '1',
  pid: process.pid,
  ociRuntime: 'runc',
});
const server = await createMonitorServer({ socketPath, handlers: { version } as MonitorHandlers });

const client = new MonitorClient({ socketPath });
console.log((await client.call('version', {})).name);
await client.call('container.list', {}).catch((error) => console.log(error.code));

await client.close();
await server.close();
rmSync(folder, { recursive: true });

// Prints:
// demo
// INVALID_ARGUMENT
