import type { ContainerConfig, Device, Input, Mount, UserNamespace } from '@wherry/cri';
import type { NodePaths } from '../../ground/node-paths.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { annotationsOf, labelsOf } from '../../pod/labels.ts';
import { containerResources, type ResourceContext } from '../cgroups/resources.ts';
import type { DeviceSettings } from '../devices/device-settings.ts';
import type { EnvironmentEntry } from '../environment/environment.ts';
import { expandAll } from '../environment/expand.ts';
import type { PresentImage } from '../images/image-manager.ts';
import type { Placement } from '../managers/resource-managers.ts';
import { containerSecurityContext } from './security-context.ts';

/** What a container is made from. */
export interface ContainerFacts {
  pod: AssignedPod;
  target: PodContainer;
  image: PresentImage;
  restartCount: number;
  environment: readonly EnvironmentEntry[];
  mounts: readonly Input<Mount>[];
  devices: readonly Input<Device>[];
  /** Groups that may use the pod's volumes. */
  volumeGroups: readonly number[];
  /** What the node's device plug-ins want it to have. */
  plugInSettings: DeviceSettings;
  /** Names of the CDI devices of its claims. */
  claimDevices: readonly string[];
  /** Where it is to run. */
  placement: Placement;
  paths: NodePaths;
  resources: ResourceContext;
  seccompDefault: boolean;
  maskedPaths: readonly string[];
  targetId: string;
  /** The pod's users, as its sandbox has them. */
  users: Input<UserNamespace>;
}

/** The CRI configuration of a container. */
export function containerConfig(facts: ContainerFacts): Input<ContainerConfig> {
  const { pod, target, image, restartCount, paths, plugInSettings: plugIns } = facts;
  const { container } = target;
  const values = new Map(facts.environment.map(({ name, value }) => [name, value]));
  // What the pod says goes before what plug-ins say.
  const environment = [...plugIns.environment.filter(({ name }) => !values.has(name)), ...facts.environment];
  const mounts = [...plugIns.mounts, ...facts.mounts];
  const expand = (words: readonly string[] = []) => expandAll(words, (name) => values.get(name));
  return {
    metadata: { name: container.name, attempt: restartCount },
    image: { image: image.ref, userSpecifiedImage: container.image ?? '' },
    command: expand(container.command),
    args: expand(container.args),
    workingDir: container.workingDir ?? '',
    envs: environment.map(({ name, value }) => ({ key: name, value: Buffer.from(value, 'utf8') })),
    mounts: mounts.map((mount) => ofUsers(mount, facts.users)),
    devices: [...plugIns.devices, ...facts.devices],
    cdiDevices: [...plugIns.cdiDevices, ...facts.claimDevices.map((name) => ({ name }))],
    labels: labelsOf(pod, container),
    annotations: { ...plugIns.annotations, ...annotationsOf(pod, container, restartCount) },
    logPath: paths.logPath(container.name, restartCount),
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    linux: {
      resources: { ...containerResources(pod, container, facts.resources), ...facts.placement },
      securityContext: containerSecurityContext({
        pod,
        container,
        imageUser: image.user,
        volumeGroups: facts.volumeGroups,
        paths,
        seccompDefault: facts.seccompDefault,
        maskedPaths: facts.maskedPaths,
        targetId: facts.targetId,
        users: facts.users,
      }),
    },
  };
}

/** A mount whose files belong inside to whom they belong on the disk: upstream has every mount so. */
function ofUsers(mount: Input<Mount>, { uids = [], gids = [] }: Input<UserNamespace>): Input<Mount> {
  return uids.length === 0 ? mount : { ...mount, uidMappings: uids, gidMappings: gids };
}
