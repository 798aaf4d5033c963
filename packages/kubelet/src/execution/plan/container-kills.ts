import type { ContainerStatus } from '@wherry/cri';
import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import { containerHash } from '../../pod/container-hash.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { containerAnnotations } from '../../pod/labels.ts';
import type { ProbeVerdicts } from './probe-verdicts.ts';

/** Why a container is killed while its pod lives on. */
export type KillCause = 'liveness' | 'startup' | 'changed' | 'unknown' | 'resize';

/** One container to kill. */
export interface ContainerKill {
  containerId: string;
  target: PodContainer;
  cause: KillCause;
  /** Text of the `Killing` event. */
  message: string;
}

/** Why a running container can't stay, if so. */
export function causeToKill(
  container: Container,
  status: ContainerStatus,
  verdicts: ProbeVerdicts,
): KillCause | undefined {
  const stamped = status.annotations[containerAnnotations.hash];
  if (stamped !== undefined && stamped !== containerHash(container)) return 'changed';
  if (container.livenessProbe && verdicts.liveness(status.id) === 'failure') return 'liveness';
  if (container.startupProbe && verdicts.startup(status.id) === 'failure') return 'startup';
  return undefined;
}

/** The kill of a container whose state the runtime does not know. */
export function unknownKill(target: PodContainer, status: ContainerStatus): ContainerKill {
  const { name } = target.container;
  const message = `Container ${name} is in unknown state, try killing it before restart`;
  return { containerId: status.id, target, cause: 'unknown', message };
}

/** Text of the `Killing` event, as upstream words it. */
export function killMessage(target: PodContainer, cause: KillCause, restart: boolean): string {
  const subject = `${target.kind === 'init' ? 'Init container' : 'Container'} ${target.container.name}`;
  if (cause === 'resize') return `Container ${target.container.name} resize requires restart`;
  if (cause === 'changed') return `${subject} definition changed, will be restarted`;
  if (cause === 'unknown') return `${subject} is in unknown state, try killing it before restart`;
  return `${subject} failed ${cause} probe${restart || isSidecar(target.container) ? ', will be restarted' : ''}`;
}
