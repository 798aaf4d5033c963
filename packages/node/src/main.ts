/** Runs one process of a node: `node main.ts ROLE --FLAG=VALUE…`, with the flags of `wherry ROLE`. */
import { keepAlive } from '@wherry/clock';
import { Command } from 'commander';
import type { ApiserverFlags } from './roles/apiserver.ts';
import { addRoleCommands, type RoleRunners } from './roles/commands/role-commands.ts';
import type { ControllersFlags } from './roles/controllers.ts';
import type { SchedulerFlags } from './roles/flags/scheduler-flags.ts';
import type { KubeletFlags } from './roles/kubelet.ts';
import type { MonitorFlags } from './roles/monitor.ts';
import type { NetworkFlags } from './roles/network/network.ts';
import type { Verbosity } from './roles/run-role.ts';
import type { RuntimeFlags } from './roles/runtime.ts';

/** Each loads its code only when it is asked for. */
const roleRunners: RoleRunners = {
  apiserver: async (flags: ApiserverFlags & Verbosity) =>
    (await import('./roles/apiserver.ts')).apiserver(flags),
  controllers: async (flags: ControllersFlags & Verbosity) =>
    (await import('./roles/controllers.ts')).controllers(flags),
  scheduler: async (flags: SchedulerFlags & Verbosity) =>
    (await import('./roles/scheduler/scheduler.ts')).scheduler(flags),
  network: async (flags: NetworkFlags & Verbosity) =>
    (await import('./roles/network/network.ts')).network(flags),
  kubelet: async (flags: KubeletFlags & Verbosity) => (await import('./roles/kubelet.ts')).kubelet(flags),
  runtime: async (flags: RuntimeFlags & Verbosity) => (await import('./roles/runtime.ts')).runtime(flags),
  monitor: async (flags: MonitorFlags & Verbosity) => (await import('./roles/monitor.ts')).monitor(flags),
};

// A process that has yet to listen stays alive, whatever it waits for.
using _running = keepAlive();
try {
  const program = new Command('wherry');
  addRoleCommands(program, roleRunners);
  await program.parseAsync(process.argv);
} catch (error) {
  // Errors with a code are the world's, and say all in their message; the others are defects and show where.
  const isTold = error instanceof Error && 'code' in error;
  console.error(isTold ? `error: ${error.message}` : error);
  process.exitCode = 1;
}
