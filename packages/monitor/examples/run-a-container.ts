import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMonitor } from '@wherry/monitor';
import { MonitorClient } from '@wherry/monitor-api';
import { silentLogger } from '@wherry/telemetry';

// A bundle: busybox, and a config.json that runs it in namespaces of its own.
const folder = mkdtempSync(join(tmpdir(), 'monitor-'));
const bundle = join(folder, 'bundle');
mkdirSync(join(bundle, 'rootfs/proc'), { recursive: true });
cpSync('/bin/busybox', join(bundle, 'rootfs/sh'));
const args = ['/sh', '-c', 'echo hello from a container; exit 7'];
const namespaces = ['pid', 'mount', 'ipc', 'uts', 'network'].map((type) => ({ type }));
const config = {
  ociVersion: '1.0.2',
  process: { user: { uid: 0, gid: 0 }, args, cwd: '/' },
  root: { path: 'rootfs' },
  mounts: [{ destination: '/proc', type: 'proc', source: 'proc' }],
  linux: { namespaces, cgroupsPath: `/monitor-example-${process.pid}` },
};
writeFileSync(join(bundle, 'config.json'), JSON.stringify(config));

// The monitor would be a process of its own; the client talks to it by its socket alone.
const socketPath = join(folder, 'monitor.sock');
const monitor = await startMonitor({ dataDir: join(folder, 'data'), socketPath, logger: silentLogger });
const client = new MonitorClient({ socketPath });

const logPath = join(folder, 'container.log');
const streams = { terminal: false, stdin: false, stdinOnce: false, killLeftovers: false };
await client.call('container.create', {
  id: 'example',
  sandboxId: 'pod',
  bundle,
  logPath,
  ...streams,
  start: true,
});
const { exitCode, reason } = await client.call('container.wait', { id: 'example' });
console.log(exitCode, reason, readFileSync(logPath, 'utf8').replace(/^\S+/, 'TIME').trim());

await client.call('container.delete', { id: 'example' });
await client.close();
await monitor.close();
rmSync(folder, { recursive: true });

// Prints:
// 7 Error TIME stdout F hello from a container
