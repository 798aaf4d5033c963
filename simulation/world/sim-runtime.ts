import type { Clock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { startRuntime } from '../../packages/runtime/src/start-runtime.ts';
import type { Participant } from '../machine/participant.ts';
import { runtimeFolder } from '../monitor/kept-view.ts';

/** Unix socket of the monitor's wire. */
export const monitorSocket = '/run/monitor.sock';

/** Starts the real container runtime as a process of the simulation. */
export function startSimRuntime({
  process,
  clock,
  note,
}: {
  process: Participant;
  clock: Clock;
  note(line: string): void;
}): void {
  process.run(() => {
    const write = (line: string) => process.isAlive && note(`  log ${line.slice(line.indexOf(' ') + 1)}`);
    const logger = createLogger('runtime', { level: 'warn', write });
    const options = { dataDir: runtimeFolder, socketPath: '/run/cri.sock', monitorSocketPath: monitorSocket };
    startRuntime({ ...options, clock, logger }).catch((error: unknown) => {
      if (process.isAlive) note(`the runtime did not start: ${(error as Error).stack}`);
    });
  });
}
