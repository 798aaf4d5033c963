import type { ContainerStatus } from '@wherry/cri';
import type { Container } from '@wherry/kubeapi';
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
  return { containerId: status.id, target, cause: 'unknown', message: killMessage(target, 'unknown', true) };
}

/** Text of the `Killing` event, as upstream words it. */
export function killMessage(target: PodContainer, cause: KillCause, restart: boolean): string {
  const { name } = target.container;
  const kind = target.kind === 'init' ? 'Init container' : 'Container';
  if (cause === 'resize') return `Container ${name} resize requires restart`;
  if (cause === 'unknown') return `${kind} is in "unknown" state, try killing it before restart`;
  const why = cause === 'changed' ? 'definition changed' : `failed ${cause} probe`;
  // Of sidecars it goes without saying.
  return `${kind} ${name} ${why}${restart && target.kind !== 'init' ? ', will be restarted' : ''}`;
}
