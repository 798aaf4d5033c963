import type { ImageStore, StoredImage } from '@wherry/images';
import type { Container } from '../container/container-record.ts';
import { hasEnded } from '../container/container-store.ts';
import type { Sandbox, SandboxNamespace } from '../sandbox/sandbox-record.ts';
import type { OciSpec } from '../spec/oci-spec.ts';
import { protoJson } from './proto-json.ts';

/** What verbose answers add: one JSON text, with what containerd has in it where containerd has it. */
type Info = Record<string, string>;

const infoOf = (facts: object): Info => ({ info: JSON.stringify(facts) });

/** Of a container; the id of a process that has ended may be another's by now. */
export function containerInfo(container: Container, runtimeSpec: OciSpec): Info {
  const { startTicks, sandboxId: sandboxID, cgroupsPath } = container;
  const pid = hasEnded(container) ? 0 : container.pid;
  const config = protoJson('ContainerConfig', container.config);
  return infoOf({ pid, startTicks, sandboxID, cgroupsPath, config, runtimeSpec });
}

const ociTypes: Record<SandboxNamespace, string> = { net: 'network', ipc: 'ipc', uts: 'uts', user: 'user' };

/** Of a sandbox, which is no process: of its specification there are its namespaces. */
export function sandboxInfo(sandbox: Sandbox, networkCheck: string | undefined): Info {
  const { holderPid: pid, namespaces, runtimeHandler } = sandbox;
  const config = protoJson('PodSandboxConfig', sandbox.config);
  const pinned = Object.entries(namespaces) as [SandboxNamespace, string][];
  const runtimeSpec = {
    linux: { namespaces: pinned.map(([type, path]) => ({ type: ociTypes[type], path })) },
  };
  return infoOf({ pid, namespaces, networkCheck, runtimeHandler, config, runtimeSpec });
}

/** Of an image: its configuration as its publisher wrote it; of an artifact, whose configuration says nothing, its manifest. */
export async function imageInfo(images: ImageStore, { id, artifactType }: StoredImage): Promise<Info> {
  const document: unknown = JSON.parse((await images.blobs.get(id)).toString());
  return infoOf(artifactType === undefined ? { imageSpec: document } : { artifactType, manifest: document });
}
