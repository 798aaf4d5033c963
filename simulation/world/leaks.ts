import type { World } from './world.ts';

/** Timers that a kubelet without pods waits for, at most. */
const idleTimersMax = 16;

/** What is left of pods that are all gone. */
export function leaks({ api, machine, containers, below, kubelet }: World): string[] {
  const found = [
    ...api.objects('pods').map(({ metadata }) => `pod ${metadata.name} is still at the API server`),
    ...containers.leftovers(),
    ...below.leaks(),
    ...machine.tree
      .paths('/var/lib/kubelet/pods')
      .filter((path) => path !== '/var/lib/kubelet/pods')
      .map((path) => `file "${path}" is left`),
    ...machine.tree
      .paths('/var/log/pods')
      .filter((path) => path !== '/var/log/pods')
      .map((path) => `log "${path}" is left`),
    ...machine.tree.mounts
      .filter(({ path }) => path.startsWith('/var/'))
      .map(({ path }) => `mount "${path}" is left`),
    ...machine.groups.paths
      .filter((path) => /\/pod/.test(path))
      .map((path) => `control group "${path}" is left`),
  ];
  if (!kubelet) return [...found, 'no kubelet runs'];
  const { process, rooms } = kubelet;
  if (process.descriptors.size > 0)
    found.push(
      `${process.descriptors.size} descriptors are open: ${[...process.descriptors.values()].map(({ path }) => path)}`,
    );
  if (process.pendingTimers > idleTimersMax) found.push(`${process.pendingTimers} timers are set`);
  const records =
    [...rooms.board.store.pods].length +
    [...rooms.execution.workers.uids].length +
    [...rooms.reporting.statuses.uids].length +
    [...rooms.observation.cache.uids].length;
  if (records > 0) found.push(`the kubelet remembers ${records} things of pods that are gone`);
  return found;
}
