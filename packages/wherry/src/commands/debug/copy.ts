import { type KubeClient, kinds } from '@wherry/client';
import { type Container, copyJson, type Pod } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { containerName } from './container-name.ts';
import { customized } from './custom-profile.ts';
import type { DebugFlags } from './flags.ts';
import { grantRights } from './profiles.ts';
import { type Debugged, type DebugRequest, fillIn, newContainer } from './request.ts';
import { warnOfUser } from './user-warning.ts';

/** Makes a changed copy of a pod; with `--replace` the pod goes. */
export async function debugByCopy(client: KubeClient, pod: Pod, request: DebugRequest): Promise<Debugged> {
  const { pod: copy, container: name } = copyOf(pod, request);
  const container = copy.spec.containers.find((one) => one.name === name);
  if (container) warnOfUser(container, copy);
  const pods = client.resource(kinds.pods);
  const created = await pods.create(copy);
  if (request.flags.replace) {
    const { name: gone = '', namespace } = pod.metadata;
    await pods.delete({ name: gone, namespace }, { gracePeriodSeconds: 0 });
  }
  return { pod: created, container: name };
}

/** The copy, and its container that flags and words changed or added. */
function copyOf(pod: Pod, request: DebugRequest): Debugged {
  const { flags, profile, custom } = request;
  const copy = withOtherImages(plainCopy(pod, flags), flags);
  const { spec } = copy;
  const all = [...spec.containers, ...(spec.initContainers ?? [])];
  const container = all.find(({ name }) => name === flags.container) ?? added(copy, flags);
  // Of a copy that other images alone make, all else stays as it was.
  if (!container) return { pod: copy, container: undefined };
  fillIn(container, request);
  grantRights(container, profile);
  const { name } = container;
  if (profile.isPlain) delete copy.metadata.labels;
  else leaveOut(copy, flags);
  if (!custom) return { pod: copy, container: name };
  if (!spec.containers.includes(container))
    throw new CommandError(`unable to find the ${name} container in the pod ${copy.metadata.name}`);
  spec.containers = spec.containers.map((one) => (one === container ? customized(one, custom) : one));
  return { pod: copy, container: name };
}

function plainCopy({ metadata, spec }: Pod, flags: DebugFlags): Pod {
  const { namespace, labels, annotations } = metadata;
  const copied = copyJson(spec);
  delete copied.ephemeralContainers;
  if (flags.shareProcesses !== undefined) copied.shareProcessNamespace = flags.shareProcesses;
  if (!flags.sameNode) delete copied.nodeName;
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...(flags.copyTo === undefined ? {} : { name: flags.copyTo }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: copied,
  };
}

function withOtherImages(copy: Pod, { setImage }: DebugFlags): Pod {
  for (const container of copy.spec.containers) {
    const image = setImage?.get(container.name) ?? setImage?.get('*');
    if (image) container.image = image;
  }
  return copy;
}

/** A container more; none where nothing but other images is asked for. */
function added(copy: Pod, flags: DebugFlags): Container | undefined {
  if (!flags.image) {
    if (flags.setImage) return undefined;
    throw new CommandError('you must specify image when creating new container');
  }
  const container = newContainer(containerName(copy, flags));
  copy.spec.containers.push(container);
  return container;
}

/** What would make others take the copy for the pod, or end it while somebody looks into it. */
function leaveOut({ metadata, spec }: Pod, flags: DebugFlags): void {
  if (!flags.keepLabels) delete metadata.labels;
  if (!flags.keepAnnotations) delete metadata.annotations;
  for (const container of spec.containers) {
    if (!flags.keepLiveness) delete container.livenessProbe;
    if (!flags.keepReadiness) delete container.readinessProbe;
    if (!flags.keepStartup) delete container.startupProbe;
  }
  if (flags.keepInitContainers === false) delete spec.initContainers;
  spec.shareProcessNamespace ??= true;
}
