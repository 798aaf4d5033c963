import type { Clock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { startMonitor } from '../../packages/monitor/src/start.ts';
import type { Participant } from '../machine/participant.ts';

/** Folder of the monitor. */
export const monitorFolder = '/var/lib/monitor';

/** Path of the OCI runtime's program. */
export const ociRuntimePath = '/usr/bin/oci';

/** Where the monitor puts its keepers' program. */
export const keeperPath = `${monitorFolder}/keeper`;

/** Starts the real monitor as a process of the simulation. */
export function startSimMonitor(options: {
  process: Participant;
  clock: Clock;
  socketPath: string;
  note(line: string): void;
}): void {
  const { process, clock, socketPath, note } = options;
  process.run(() => {
    const write = (line: string) => process.isAlive && note(`  log ${line.slice(line.indexOf(' ') + 1)}`);
    const logger = createLogger('monitor', { level: 'warn', write });
    const places = { dataDir: monitorFolder, socketPath, ociRuntime: ociRuntimePath };
    startMonitor({ ...places, ownsProcess: true, clock, logger }).catch((error: unknown) => {
      if (process.isAlive) note(`the monitor did not start: ${(error as Error).stack}`);
    });
  });
}
