import type { ContainerFilter, PodSandboxFilter } from '@wherry/cri';
import type { Container } from '../container/container-record.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import { criSandboxState, criState } from './messages.ts';

const hasLabels = (labels: Record<string, string>, wanted: Record<string, string>): boolean =>
  Object.entries(wanted).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);

/** The sandboxes that fit every part of a filter; ids may be cut short. */
export function filterSandboxes(
  sandboxes: readonly Sandbox[],
  filter: Partial<PodSandboxFilter> | undefined,
): Sandbox[] {
  const { id = '', state, labelSelector = {} } = filter ?? {};
  return sandboxes.filter(
    (sandbox) =>
      sandbox.id.startsWith(id) &&
      (state === undefined || criSandboxState(sandbox) === state.state) &&
      hasLabels(sandbox.config.labels, labelSelector),
  );
}

/** The containers that fit every part of a filter; ids may be cut short. */
export function filterContainers(
  containers: readonly Container[],
  filter: Partial<ContainerFilter> | undefined,
): Container[] {
  const { id = '', state, podSandboxId = '', labelSelector = {} } = filter ?? {};
  return containers.filter(
    (container) =>
      container.id.startsWith(id) &&
      container.sandboxId.startsWith(podSandboxId) &&
      (state === undefined || criState(container) === state.state) &&
      hasLabels(container.config.labels, labelSelector),
  );
}
