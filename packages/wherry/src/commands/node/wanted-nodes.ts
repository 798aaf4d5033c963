import { basename } from 'node:path';
import {
  type CniFolders,
  defaultDataDir,
  layoutOf,
  memberLayout,
  memberLayouts,
  type NodeChoices,
  type NodeSettings,
} from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { cniFolders } from '../../node-file/cni.ts';
import type { MemberFile } from '../../node-file/members.ts';
import { writeMirrors } from '../../node-file/mirrors.ts';
import { type NodeFile, readNodeFile } from '../../node-file/node-file.ts';
import { nriSocketOf, type SharedFields } from '../../node-file/shared-fields.ts';

/** Options of `wherry up`. */
export interface UpOptions {
  /** A file of nodes; the flags below go before what it says. */
  config?: string;
  dataDir?: string;
  name?: string;
  apiPort?: number;
  kubeletPort?: number;
  registryConfig?: string;
  podCidr?: string;
  cniConfDir?: string;
  cniBinDir?: string[];
  runtimeConfig?: Record<string, boolean>;
  runtimeHandler?: Record<string, string>;
  nriSocket?: string;
  image?: string[];
  manifests?: string[];
  detach?: boolean;
  /** The end of this command ends the processes alone. */
  keepPods?: boolean;
  demo?: boolean;
  /** Seconds. */
  readyTimeout: number;
}

/** A node that is to be up. */
export interface WantedNode {
  dataDir: string;
  images: string[];
  manifests: string[];
  /** What is chosen about it; writes its mirrors, where it has any. */
  choices(): NodeChoices;
}

/** A node that is to be up with those that are to join its cluster. */
export interface WantedCluster extends WantedNode {
  members: WantedMember[];
}

/** A node that joins another's cluster. */
export interface WantedMember extends Omit<WantedNode, 'manifests'> {
  name: string;
}

/** Flags about one node. */
const ofOneNode = ['dataDir', 'name', 'apiPort', 'kubeletPort', 'podCidr', 'nriSocket'] as const;

/** The nodes that flags and file mean together. Throws `CommandError` for a flag about one node beside a file of several. */
export function wantedNodes(options: UpOptions): WantedCluster[] {
  const files = options.config === undefined ? [{}] : readNodeFile(options.config);
  const flag = ofOneNode.find((name) => options[name] !== undefined);
  if (files.length > 1 && flag !== undefined) {
    const written = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new CommandError(`--${written} is about one node, and "${options.config}" has ${files.length}`);
  }
  return files.map((file) => together(file, options));
}

function together(file: Partial<NodeFile>, options: UpOptions): WantedCluster {
  const dataDir = options.dataDir ?? file.dataDir ?? defaultDataDir;
  const { image = [], manifests = [] } = options;
  const members = membersOf(dataDir, file.nodes ?? [], options);
  return {
    dataDir,
    members,
    images: [...(file.images ?? []), ...image],
    manifests: [...(file.manifests ?? []), ...manifests],
    choices() {
      const mirrors = file.mirrors === undefined ? undefined : writeMirrors(dataDir, file.mirrors);
      const runtimeConfig =
        options.runtimeConfig || file.runtimeConfig
          ? { ...file.runtimeConfig, ...options.runtimeConfig }
          : undefined;
      return {
        name: options.name ?? file.name,
        apiPort: options.apiPort ?? file.apiPort,
        kubeletPort: options.kubeletPort ?? file.kubeletPort,
        registryConfig: options.registryConfig ?? file.registryConfig ?? mirrors,
        podCidr: options.podCidr,
        cni: cniOf(options) ?? file.cni,
        members: members.map(({ name }) => name),
        settings: {
          runtimeConfig,
          oidc: file.oidc,
          apiserverFlags: file.apiserverFlags,
          controllersFlags: file.controllersFlags,
          loadBalancer: file.loadBalancer,
          ...settingsOf(file, options),
          nriSocket:
            options.nriSocket === undefined ? file.nriSocket : nriSocketOf(options.nriSocket, process.cwd()),
        },
      };
    },
  };
}

/** The nodes that a file tells of, and those that are in the cluster already, which stay until they are ended by name. */
function membersOf(dataDir: string, files: readonly MemberFile[], options: UpOptions): WantedMember[] {
  const { image = [], registryConfig } = options;
  const layout = layoutOf(dataDir);
  const told = new Set(files.map(({ name }) => name));
  const others = memberLayouts(layout)
    .map((member) => basename(member.dataDir))
    .filter((name) => !told.has(name));
  return [...files, ...others.map((name): MemberFile => ({ name, images: [] }))].map((file) => {
    const folder = memberLayout(layout, file.name).dataDir;
    return {
      name: file.name,
      dataDir: folder,
      images: [...file.images, ...image],
      choices: () => ({
        name: file.name,
        joins: layout,
        kubeletPort: file.kubeletPort,
        registryConfig:
          registryConfig ?? file.registryConfig ?? (file.mirrors && writeMirrors(folder, file.mirrors)),
        settings: settingsOf(file, options),
      }),
    };
  });
}

/** What every node of a cluster may be told; flags of handlers are added to the file's. */
function settingsOf(
  { runtimeHandlers: told, ...file }: Partial<SharedFields>,
  { runtimeHandler: given }: UpOptions,
): NodeSettings {
  const runtimeHandlers = told || given ? { ...told, ...given } : undefined;
  const { kubelet, proxy, tracing, nriSocket, restoreCheckpointImages } = file;
  return { kubelet, proxy, tracing, nriSocket, restoreCheckpointImages, runtimeHandlers };
}

/** Throws `CommandError` for plug-ins without a configuration. */
function cniOf({ cniConfDir, cniBinDir }: UpOptions): CniFolders | undefined {
  if (cniConfDir !== undefined) return cniFolders(cniConfDir, cniBinDir);
  if (cniBinDir === undefined) return undefined;
  throw new CommandError('--cni-bin-dir is for --cni-conf-dir, which is not given');
}
