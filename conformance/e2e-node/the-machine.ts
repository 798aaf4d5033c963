/** What the suite takes for granted of the machine that it runs on. */
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where the suite looks for what the kubelet keeps. */
export const kubeletFolder = '/var/lib/kubelet';
const podLogsFolder = '/var/log/pods';

/** What a kubelet makes in the places where kubelets have it. */
export const folders: readonly string[] = [kubeletFolder, podLogsFolder, '/var/log/containers'];

/** Throws where there is a kubelet already: the suite would take one for the other. */
export function refuseOtherKubelet(): void {
  for (const folder of folders)
    if (existsSync(folder))
      throw new Error(
        `${folder} is there: run this suite on a machine without a kubelet, or remove the folder`,
      );
}

/** Where specs put static pods: in the folder of a run. */
export const staticPodFolder = (folder: string) => join(folder, 'manifests');

/** Where specs put parts of the kubelet's configuration. */
export const configFolder = (folder: string) => join(folder, 'kubelet.d');

/** Where specs write the configuration that the kubelet is to start anew with: in the folder that the suite runs in. */
export const configurationFile = (folder: string) => join(folder, 'kubelet-config');

/** Fields of a KubeletConfiguration that the suite takes for granted. */
export const configuration = (folder: string) => ({
  ...{
    port: 10_250,
    readOnlyPort: 10_255,
    healthzPort: 10_248,
    address: '0.0.0.0',
    podLogsDir: podLogsFolder,
  },
  staticPodPath: staticPodFolder(folder),
  // As the suite has it where it starts the kubelet itself.
  ...{ fileCheckFrequency: '10s', volumeStatsAggPeriod: '10s', serializeImagePulls: false },
  ...(hasOwnGroups() ? { systemCgroups: '/system' } : {}),
});

/** Where the runtime is, whose figures the kubelet tells. */
export const runtimeGroup = '/runtime-of-suite';

/** Of the kubelet: its lock, which a spec takes from it, and where its runtime is. */
export const kubeletFlags = [
  ...['--lock-file', '/var/run/kubelet.lock', '--exit-on-lock-contention'],
  ...['--runtime-cgroups', runtimeGroup],
];

/** The suite's own services have no controller that taints a node under pressure, where specs look for schedulable ones. */
export const controllers = '*,-node-lifecycle-controller';

/** Of the API server: who the suite is, and that pods get no tokens and nodes no taints, as where the suite starts the server itself. */
export const serverFlags = (tokens: string): readonly string[] => [
  `--token-auth-file=${tokens}`,
  '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
];

/** The namespace of control groups that the kernel begins with (PROC_CGROUP_INIT_INO). */
const firstGroups = `cgroup:[${0xef_ff_ff_fb}]`;

/** Whether the root of control groups is not the machine's: then its processes may be moved from there (`unshare --cgroup`). */
const hasOwnGroups = (): boolean => readlinkSync('/proc/self/ns/cgroup') !== firstGroups;

/** Whether what is mounted here shows elsewhere. */
export const hasSharedMounts = (): boolean =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[4] === '/' && / shared:\d+ /.test(line));
