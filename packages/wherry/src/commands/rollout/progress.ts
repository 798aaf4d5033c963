import type { KubeObject } from '@wherry/client';
import type { DaemonSet, Deployment, StatefulSet } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import type { RolledKind } from './kinds.ts';

/** How far a rollout is. */
export interface Progress {
  says: string;
  isDone: boolean;
}

const revisionAnnotation = 'deployment.kubernetes.io/revision';
const going = (says: string): Progress => ({ says, isDone: false });
const done = (says: string): Progress => ({ says, isDone: true });

/** How far the rollout of an object is, in kubectl's words. Throws `CommandError` for one that can't come to its end. */
export function progressOf(kind: RolledKind, object: KubeObject, revision: number): Progress {
  if (kind === 'Deployment') return ofDeployment(object as Deployment, revision);
  if (kind === 'DaemonSet') return ofDaemonSet(object as DaemonSet);
  return ofStatefulSet(object as StatefulSet);
}

function ofDeployment({ metadata, spec, status = {} }: Deployment, revision: number): Progress {
  const { name, generation = 0, annotations } = metadata;
  if (revision > 0) {
    const running = Number(annotations?.[revisionAnnotation] ?? 0);
    if (running !== revision)
      throw new CommandError(
        `desired revision (${revision}) is different from the running revision (${running})`,
      );
  }
  if (generation > (status.observedGeneration ?? 0))
    return going('Waiting for deployment spec update to be observed...');
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    throw new CommandError(`deployment "${name}" exceeded its progress deadline`);
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const waiting = (what: string) => going(`Waiting for deployment "${name}" rollout to finish: ${what}...`);
  if (spec?.replicas !== undefined && updatedReplicas < spec.replicas)
    return waiting(`${updatedReplicas} out of ${spec.replicas} new replicas have been updated`);
  if (replicas > updatedReplicas)
    return waiting(`${replicas - updatedReplicas} old replicas are pending termination`);
  if (availableReplicas < updatedReplicas)
    return waiting(`${availableReplicas} of ${updatedReplicas} updated replicas are available`);
  return done(`deployment "${name}" successfully rolled out`);
}

/** Sets that are changed by deleting their pods have no rollout. */
function requireRolling(strategy: string | undefined): void {
  if (strategy !== 'RollingUpdate')
    throw new CommandError('rollout status is only available for RollingUpdate strategy type');
}

function ofDaemonSet({ metadata, spec, status }: DaemonSet): Progress {
  requireRolling(spec?.updateStrategy?.type);
  const { name, generation = 0 } = metadata;
  if (generation > (status?.observedGeneration ?? 0))
    return going('Waiting for daemon set spec update to be observed...');
  const { updatedNumberScheduled = 0, desiredNumberScheduled = 0, numberAvailable = 0 } = status ?? {};
  const waiting = (what: string) => going(`Waiting for daemon set "${name}" rollout to finish: ${what}...`);
  if (updatedNumberScheduled < desiredNumberScheduled)
    return waiting(`${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated`);
  if (numberAvailable < desiredNumberScheduled)
    return waiting(`${numberAvailable} of ${desiredNumberScheduled} updated pods are available`);
  return done(`daemon set "${name}" successfully rolled out`);
}

function ofStatefulSet({ metadata, spec, status }: StatefulSet): Progress {
  requireRolling(spec?.updateStrategy?.type);
  const {
    observedGeneration = 0,
    readyReplicas = 0,
    updatedReplicas = 0,
    currentReplicas = 0,
  } = status ?? {};
  if (observedGeneration === 0 || (metadata.generation ?? 0) > observedGeneration)
    return going('Waiting for statefulset spec update to be observed...');
  const replicas = spec?.replicas;
  if (replicas !== undefined && readyReplicas < replicas)
    return going(`Waiting for ${replicas - readyReplicas} pods to be ready...`);
  const rolling = spec?.updateStrategy?.rollingUpdate;
  if (rolling) {
    const { partition } = rolling;
    if (replicas !== undefined && partition !== undefined && updatedReplicas < replicas - partition) {
      return going(
        `Waiting for partitioned roll out to finish: ${updatedReplicas} out of ${replicas - partition} new pods have been updated...`,
      );
    }
    return done(`partitioned roll out complete: ${updatedReplicas} new pods have been updated...`);
  }
  const { updateRevision = '', currentRevision = '' } = status ?? {};
  if (updateRevision !== currentRevision) {
    return going(
      `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision}...`,
    );
  }
  return done(
    `statefulset rolling update complete ${currentReplicas} pods at revision ${currentRevision}...`,
  );
}
