import type { KnownDifference } from './differences.ts';

/** Of these the moment at which they are looked at decides how far they are. */
const crashing =
  /^(restart-(always|on-failure)|program-absent-again|deleted-while-crashing|init-fails-again|hook-after-start-absent|exec-in-what-crashes|sidecar-crashes|static-crashes|crashing-out-of-memory|not-started$|dead-by)/;

/** What differs and is meant to. Each line is of one side. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    line: /status\.resources\b/,
    reason:
      'upstream reads the pod’s control group: on version 1 no bound is 9007199254740988Ki, memory that was asked for stays as it was before a resize, and what was read last stays when the pod is over',
  },
  {
    story: crashing,
    line: /GET log\?previous|restartCount|\.(state|lastState)\.|BackOff|conditions\[|\.(ready|started) =|did not settle/,
    reason:
      'a container that is held back is told to be so at once; upstream tells how it ended until the next look at the pod, 10 s later',
  },
  {
    line: /pull image|pulling image|ErrImagePull|RegistryUnavailable/,
    reason: 'what a runtime says of a registry is its own; one that is not reached has CRI’s name for it',
  },
  {
    story:
      /^(seccomp-file-absent|no-command|variables-of-an-absent-file|mounts-propagation|user-unknown|volume-image-sub-path-absent|rights-of-a-group-alone)$/,
    line: /\.state\.waiting\.message|event Warning (Failed|FailedCreatePodSandBox) /,
    reason: 'what a runtime refuses is told in its own words',
  },
  {
    line: /Cannot enforce AppArmor/,
    reason: 'the field is named',
  },
  {
    line: /log \w+: .*unable to retrieve container logs|^after: log /,
    reason:
      'the log of a container that is gone is answered 404, where upstream says it in a log’s place, and logs stay as long as the pod’s object',
  },
  {
    story: /^stop-signal$/,
    line: /./,
    reason: 'alpha upstream, where the API server takes the field away; here it is refused by name',
  },
  {
    story: /^(deleted-(before|while)-.*|init-image-absent-for-good)$/,
    line: /^after: status\.conditions\[(Ready|ContainersReady)\]/,
    reason: 'a Failed pod says so in its conditions; upstream leaves those from before it was',
  },
  {
    story: /^deadline-while-crashing$/,
    line: /\.state\.terminated\./,
    reason: 'upstream forgets how a container ended that waited for its restart when its pod’s time was over',
  },
  {
    story: /^not-ready-by-/,
    line: /lookup no-such-host\.invalid|parsing "nowhere"|find port: "nowhere"|combined from similar events/,
    reason:
      'no resolver is named, the port is called what it is, and messages of a probe have no IDs that would make each another event',
  },
  {
    story: /^rights-dropped-and-added$/,
    line: /Cap(Prm|Eff|Bnd)/,
    reason: 'a capability may be named with CAP_ too, which containerd passes over',
  },
  {
    story: /^rights-added-unknown$/,
    line: /./,
    reason: 'a capability that does not exist is refused by name, which containerd passes over',
  },
  {
    story: /^more-disk-than-allowed$/,
    line: /containerStatuses|log main/,
    reason: 'upstream does not know how a container ended that it evicted',
  },
  {
    story: /^deleted-while-it-lacks-a-volume$/,
    line: /object "default"\/"absent" not registered/,
    reason: 'a volume of a pod that is on its way out is not looked for any more',
  },
  {
    story: /^all-containers-restarted$/,
    line: /AllContainersRestarting\]\.observedGeneration/,
    reason: 'each condition says its generation; upstream leaves it out of this one',
  },
  {
    story: /^image-without-tag$/,
    line: /\.image = /,
    reason: 'of an image with several names that one is told which the pod has; containerd tells any',
  },
  {
    story: /^hook-after-start-runs$/,
    line: /status\.podIP/,
    reason: 'the address is told as soon as the sandbox stands',
  },
  {
    story: /^ipc-of-the-host$/,
    line: /\/dev\/shm/,
    reason: 'the machine’s shared memory is mounted like a pod’s own',
  },
  {
    story: /^network$/,
    line: /eth0 scope link/,
    reason: 'pods are routed by the machine among each other too (docs/LIMITS.md)',
  },
  {
    story: /^(user-of-its-own|masked-not)$/,
    line: /./,
    reason: 'containerd has no pods with users of their own on this kernel',
  },
  {
    story: /^volume-image-absent$/,
    line: /\.state\.waiting\.|event Normal Pulled|is waiting to start/,
    reason:
      'a container’s image is looked for before those of its volumes, and whichever failed last is told',
  },
  {
    story: /^static-over$/,
    line: /PodReadyToStartContainers/,
    reason: 'upstream tells no more of a static pod that is over',
  },
  {
    story: /^the-node$/,
    line: /containerRuntimeVersion|kubeletVersion|kubeletEndpoint|status\.images|runtimeHandlers/,
    reason:
      'names and versions of the parts, their ports, and pods with users of their own, which containerd has not here',
  },
  {
    story: /^exec-in-what-waits$/,
    line: /is waiting to start/,
    reason: 'an image that is not there is pulled again in between',
  },
];
