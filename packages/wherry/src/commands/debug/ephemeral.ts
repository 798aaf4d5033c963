import { type KubeClient, kinds } from '@wherry/client';
import { type EphemeralContainer, forbiddenField, hasReason, invalid, type Pod } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { containerName } from './container-name.ts';
import { customized } from './custom-profile.ts';
import { grantRights } from './profiles.ts';
import { type Debugged, type DebugRequest, fillIn, newContainer } from './request.ts';
import { warnOfUser } from './user-warning.ts';

/** Starts an ephemeral container in a pod that runs. */
export async function debugBeside(client: KubeClient, pod: Pod, request: DebugRequest): Promise<Debugged> {
  const container = ephemeralContainer(pod, request);
  warnOfUser(container, pod);
  const { name = '', namespace } = pod.metadata;
  const order = [...(pod.spec.ephemeralContainers ?? []), container].map((one) => ({ name: one.name }));
  const patch = {
    spec: { ephemeralContainers: [container], '$setElementOrder/ephemeralContainers': order },
  };
  try {
    const changed = await client
      .resource(kinds.pods)
      .patch({ type: 'strategic', name, namespace, subresource: 'ephemeralcontainers', patch });
    return { pod: changed, container: container.name };
  } catch (error) {
    throw isUnserved(error) ? noneHere(error) : error;
  }
}

function ephemeralContainer(pod: Pod, request: DebugRequest): EphemeralContainer {
  const { profile, custom, flags } = request;
  const container: EphemeralContainer = newContainer(containerName(pod, flags));
  refuseSecond(pod, container.name);
  fillIn(container, request);
  if (flags.target) container.targetContainerName = flags.target;
  grantRights(container, profile);
  return custom ? customized(container, custom) : container;
}

/** A patch would find the one that is there, which may have ended long ago: it is refused as the API server refuses others. */
function refuseSecond({ metadata, spec }: Pod, name: string): void {
  if (!spec.ephemeralContainers?.some((one) => one.name === name)) return;
  const detail = `existing ephemeral containers ${JSON.stringify(name)} may not be changed`;
  const error = forbiddenField('spec.ephemeralContainers', detail);
  throw invalid({ group: '', kind: 'Pod' }, metadata.name ?? '', [error]);
}

/** A pod that is not there has its name in the answer. */
const isUnserved = (error: unknown): error is Error =>
  hasReason(error, 'NotFound') && !error.status.details?.name;

const noneHere = (cause: Error): CommandError =>
  new CommandError(
    `ephemeral containers are disabled for this cluster (error from server: ${JSON.stringify(cause.message)})`,
    { cause },
  );
