import { decodeContainer } from '../../packages/runtime/src/container/container-record.ts';
import { decodeSandbox } from '../../packages/runtime/src/sandbox/sandbox-record.ts';
import { bootIdPath, type Machine } from '../machine/machine.ts';
import { File, Folder } from '../machine/nodes.ts';
import type { ContainerView, SeenContainer } from '../world/container-view.ts';
import type { KeptContainer, KeptContainers } from './fake-monitor.ts';

/** Folder of the runtime. */
export const runtimeFolder = '/var/lib/wherry';

/** The containers of the real runtime, seen from below: as their processes and records are. */
export function keptView(machine: Machine, kept: KeptContainers): ContainerView {
  const names = new Map<string, { name: string; podUid: string }>();
  const seen = ({ request, status }: KeptContainer): SeenContainer => {
    const known = names.get(request.id) ?? nameOf(machine, request.bundle);
    names.set(request.id, known);
    const { exitCode, state } = status;
    return { id: request.id, ...known, isRunning: state === 'running', exitCode };
  };
  const below = (folder: string) =>
    machine.tree
      .paths(`${runtimeFolder}/${folder}`)
      .filter((path) => path !== `${runtimeFolder}/${folder}`)
      .map((path) => `"${path}" is left`);
  const view: ContainerView = {
    list: () => [...kept.containers.values()].map(seen),
    end: (id, exitCode) => machine.processes.end(kept.containers.get(id)?.status.pid ?? 0, exitCode),
    endAll: () => machine.processes.endAll(),
    hasSandbox: (uid) => hasSandbox(machine, uid),
    onStarted: () => {},
    exitCodeOf: (id) => {
      const status = kept.containers.get(id)?.status;
      return status?.state === 'exited' ? status.exitCode : undefined;
    },
    problems: () => [],
    strays: () => [],
    leftovers: () => [
      ...view.list().map(({ name, id }) => `the monitor keeps container ${name} (${id.slice(0, 8)})`),
      ...machine.processes.pids.map((pid) => `process ${pid} runs`),
      ...below('containers'),
      ...below('sandboxes'),
    ],
  };
  kept.onStarted = (container) => view.onStarted(seen(container));
  return view;
}

/** Whether the runtime has a sandbox of that pod that was made since the machine started, and was not stopped. */
export function hasSandbox({ tree }: Machine, podUid: string): boolean {
  const sandboxes = tree.at(`${runtimeFolder}/sandboxes`);
  const boot = tree.at(bootIdPath);
  if (!(sandboxes instanceof Folder) || !(boot instanceof File)) return false;
  const bootId = boot.content().toString().trim();
  return [...sandboxes.entries.keys()].some((id) => {
    const record = tree.at(`${runtimeFolder}/sandboxes/${id}/record.json`);
    if (!(record instanceof File)) return false;
    const sandbox = decodeSandbox(record.content().toString());
    return sandbox.ready && sandbox.bootId === bootId && sandbox.config.metadata?.uid === podUid;
  });
}

/** Which container of which pod the runtime made a bundle for; empty for what has no record of its own. */
export function nameOf({ tree }: Machine, bundle: string): { name: string; podUid: string } {
  const node = tree.at(`${bundle}/record.json`);
  if (!(node instanceof File)) return { name: '', podUid: '' };
  const { config } = decodeContainer(node.content().toString());
  return { name: config.metadata?.name ?? '', podUid: config.labels['io.kubernetes.pod.uid'] ?? '' };
}
