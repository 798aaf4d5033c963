import {
  type Input,
  type LinuxContainerSecurityContext,
  ProfileType,
  type SecurityProfile,
  type UserNamespace,
} from '@wherry/cri';
import type { AppArmorProfile, Container, SeccompProfile } from '@wherry/kubeapi';
import type { NodePaths } from '../../ground/node-paths.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { ContainerStartError } from '../container-start-error.ts';
import type { ImageUser } from '../images/image-manager.ts';
import { namespaceOptions } from '../sandbox/namespaces.ts';
import { groupsPolicyOf } from '../sandbox/sandbox-config.ts';
import { appArmorProfileOf } from './app-armor.ts';

/** What a container's security context is made from. */
export interface SecurityContextFacts {
  pod: AssignedPod;
  container: Container;
  imageUser: ImageUser;
  /** Groups that may use the pod's volumes. */
  volumeGroups: readonly number[];
  paths: NodePaths;
  /** Containers that name no seccomp profile get the runtime's. */
  seccompDefault: boolean;
  /** What it does not see, unless it wants `/proc` as it is. */
  maskedPaths: readonly string[];
  /** Container whose process namespace is joined; '' for none. */
  targetId: string;
  users: Input<UserNamespace>;
}

const readonlyPaths = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/** The CRI security context: the container's own settings over the pod's. Throws {@link ContainerStartError} on a root user where the pod forbids it, and on a profile without its name. */
export function containerSecurityContext(facts: SecurityContextFacts): Input<LinuxContainerSecurityContext> {
  const { pod, container, imageUser, targetId, users } = facts;
  const own = container.securityContext ?? {};
  const shared = pod.spec.securityContext ?? {};
  const runAsUser = own.runAsUser ?? shared.runAsUser;
  const runAsGroup = own.runAsGroup ?? shared.runAsGroup;
  refuseRoot(facts, runAsUser);
  const user = runAsUser ?? imageUser.uid;
  const isUnmasked = own.procMount === 'Unmasked';
  const named = shared.supplementalGroups ?? [];
  const groups = [
    ...named,
    ...(shared.fsGroup === undefined ? [] : [shared.fsGroup]),
    ...new Set(facts.volumeGroups.filter((group) => !named.includes(group))),
  ];
  return {
    privileged: own.privileged ?? false,
    namespaceOptions: namespaceOptions(pod, users, targetId),
    ...(user === undefined ? { runAsUsername: imageUser.username } : { runAsUser: { value: user } }),
    ...(runAsGroup === undefined ? {} : { runAsGroup: { value: runAsGroup } }),
    supplementalGroups: groups,
    supplementalGroupsPolicy: groupsPolicyOf(pod),
    readonlyRootfs: own.readOnlyRootFilesystem ?? false,
    noNewPrivs: own.allowPrivilegeEscalation === false,
    capabilities: {
      addCapabilities: own.capabilities?.add ?? [],
      dropCapabilities: own.capabilities?.drop ?? [],
    },
    selinuxOptions: own.seLinuxOptions ?? shared.seLinuxOptions,
    maskedPaths: isUnmasked ? [] : [...facts.maskedPaths],
    readonlyPaths: isUnmasked ? [] : readonlyPaths,
    seccomp: seccompProfile(facts, own.seccompProfile ?? shared.seccompProfile),
    apparmor: appArmorProfile(appArmorProfileOf(pod, container)),
  };
}

const userIdMax = 2 ** 31 - 1;

function refuseRoot(
  { pod, container, imageUser }: SecurityContextFacts,
  runAsUser: number | undefined,
): void {
  const runAsNonRoot = container.securityContext?.runAsNonRoot ?? pod.spec.securityContext?.runAsNonRoot;
  if (!runAsNonRoot) return;
  const where = `(pod: "${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})", container: ${container.name})`;
  const refuse = (message: string) =>
    new ContainerStartError('CreateContainerConfigError', `${message} ${where}`);
  if (runAsUser === 0) throw refuse("container's runAsUser breaks non-root policy");
  if (runAsUser !== undefined) return;
  if (imageUser.uid === 0 || (imageUser.uid === undefined && imageUser.username === '')) {
    throw refuse('container has runAsNonRoot and image will run as root');
  }
  if (imageUser.uid === undefined) {
    throw refuse(
      `container has runAsNonRoot and image has non-numeric user (${imageUser.username}), cannot verify user is non-root`,
    );
  }
  if (imageUser.uid < 0 || imageUser.uid > userIdMax) {
    throw refuse(
      `container has runAsNonRoot and image has an invalid user id (${imageUser.uid}). (Must be 1-(${userIdMax})): must be between 0 and ${userIdMax}, inclusive`,
    );
  }
}

function seccompProfile(
  { paths, seccompDefault, container }: SecurityContextFacts,
  profile: SeccompProfile | undefined,
): Input<SecurityProfile> {
  const fallback = seccompDefault && !container.securityContext?.privileged;
  switch (profile?.type ?? (fallback ? 'RuntimeDefault' : 'Unconfined')) {
    case 'RuntimeDefault':
      return { profileType: ProfileType.RuntimeDefault };
    case 'Localhost': {
      const { localhostProfile = '' } = profile ?? {};
      if (localhostProfile === '') {
        const message = 'localhostProfile must be set if seccompProfile type is Localhost.';
        throw new ContainerStartError('CreateContainerConfigError', message);
      }
      return { profileType: ProfileType.Localhost, localhostRef: paths.seccompProfile(localhostProfile) };
    }
    default:
      return { profileType: ProfileType.Unconfined };
  }
}

function appArmorProfile(profile: AppArmorProfile | undefined): Input<SecurityProfile> | undefined {
  if (!profile) return undefined;
  if (profile.type === 'Unconfined') return { profileType: ProfileType.Unconfined };
  if (profile.type === 'RuntimeDefault') return { profileType: ProfileType.RuntimeDefault };
  return { profileType: ProfileType.Localhost, localhostRef: profile.localhostProfile ?? '' };
}
