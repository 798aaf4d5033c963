import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { limits } from '../limits.ts';

/** Where a node lives unless told otherwise. */
export const defaultDataDir = '/var/lib/wherry';

/** The processes of a node, in the order in which they depend on one another. */
export const roles = ['monitor', 'runtime', 'apiserver', 'controllers', 'network', 'kubelet'] as const;

/** One process of a node. */
export type Role = (typeof roles)[number];

/** Where things of the node in one data folder are, and what they are called outside of it. */
export interface NodeLayout {
  dataDir: string;
  /** Eight hex digits that tell the nodes of one machine apart. */
  id: string;
  /** The kubeconfig of the administrator. */
  kubeconfig: string;
  recordFile: string;
  lockFile: string;
  pkiDir: string;
  logsDir: string;
  /** Folders that claims of the class `standard` are given. */
  volumesDir: string;
  /** Folders of the nodes that joined this one's cluster, by their names. */
  nodesDir: string;
  /** The folder of one process's own state. */
  roleDir(role: Role): string;
  logFile(role: Role): string;
  /** Short link to the data folder that sockets are reached by when their own path is too long. */
  shortLink: string;
  /** True when sockets go through {@link shortLink}. */
  needsShortLink: boolean;
  criSocket: string;
  monitorSocket: string;
  /** Where the runtime takes images from the command line. */
  imageSocket: string;
  bridgeName: string;
  /** The cgroup that everything of the node is below, where the node makes its cgroups itself. */
  cgroupRoot: string;
  /** The one where systemd makes them: a slice. */
  sliceRoot: string;
}

/** The bridges of all nodes of a machine, as nftables matches names. */
export const everyBridge = 'wh-*';

const longestSocket = 'monitor/monitor.sock';

/** The layout of the node in `dataDir`; touches nothing. */
export function layoutOf(dataDir: string): NodeLayout {
  const root = resolve(dataDir);
  const id = createHash('sha256').update(root).digest('hex').slice(0, 8);
  const shortLink = `/run/wherry-${id}`;
  const needsShortLink = Buffer.byteLength(join(root, longestSocket)) > limits.socketPathBytesMax;
  const socketRoot = needsShortLink ? shortLink : root;
  return {
    dataDir: root,
    id,
    kubeconfig: join(root, 'kubeconfig'),
    recordFile: join(root, 'node.json'),
    lockFile: `/run/wherry-${id}.lock`,
    pkiDir: join(root, 'pki'),
    logsDir: join(root, 'logs'),
    volumesDir: join(root, 'volumes'),
    nodesDir: join(root, 'nodes'),
    roleDir: (role) => join(root, role),
    logFile: (role) => join(root, 'logs', `${role}.log`),
    shortLink,
    needsShortLink,
    criSocket: join(socketRoot, 'runtime/cri.sock'),
    monitorSocket: join(socketRoot, 'monitor/monitor.sock'),
    imageSocket: join(socketRoot, 'runtime/images.sock'),
    bridgeName: `wh-${id}`,
    cgroupRoot: `/wherry-${id}`,
    // A dash would make it one below another slice (systemd.slice(5)).
    sliceRoot: `/wherry_${id}.slice`,
  };
}
