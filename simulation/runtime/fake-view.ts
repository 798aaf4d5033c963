import { ContainerState } from '@wherry/cri';
import type { ContainerView, SeenContainer } from '../world/container-view.ts';
import type { FakeContainer, FakeRuntime } from './fake-runtime.ts';

/** The fake runtime's containers, seen from outside. */
export function fakeView(runtime: FakeRuntime): ContainerView {
  const view: ContainerView = {
    list: () => [...runtime.containers.values()].map(seen),
    end: (id, exitCode) => runtime.exit(id, exitCode),
    endAll: () => runtime.loseSandboxes(),
    hasSandbox: (uid) =>
      [...runtime.sandboxes.values()].some(({ config, isReady }) => isReady && config.metadata?.uid === uid),
    onStarted: () => {},
    exitCodeOf: (id) => {
      const container = runtime.containers.get(id);
      return container?.state === ContainerState.CONTAINER_EXITED ? container.exitCode : undefined;
    },
    problems: () => [],
    strays: () => [],
    leftovers: () => [
      ...view.list().map(({ name }) => `the record of container ${name} is left`),
      ...[...runtime.sandboxes.values()].map(
        ({ config }) => `the sandbox of pod ${config.metadata?.name} is left`,
      ),
    ],
  };
  runtime.onStarted = (container) => view.onStarted(seen(container));
  return view;
}

function seen({ id, config, state, exitCode }: FakeContainer): SeenContainer {
  return {
    id,
    name: config.metadata?.name ?? '',
    podUid: config.labels['io.kubernetes.pod.uid'] ?? '',
    isRunning: state === ContainerState.CONTAINER_RUNNING,
    exitCode,
  };
}
