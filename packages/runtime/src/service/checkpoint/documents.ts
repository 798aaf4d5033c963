import type { ContainerStatus, Input } from '@wherry/cri';
import { protoJson } from '../../answers/proto-json.ts';
import { checkpointFiles } from '../../checkpoint/checkpoint-files.ts';
import type { Container } from '../../container/container-record.ts';
import type { Sandbox } from '../../sandbox/sandbox-record.ts';
import type { OciSpec } from '../../spec/oci-spec.ts';

/** What a checkpoint's documents are made from. */
export interface DocumentedContainer {
  container: Container;
  sandbox: Sandbox;
  status: Input<ContainerStatus>;
  spec: OciSpec;
  /** Name of the OCI runtime. */
  ociRuntime: string;
  checkpointedAtMs: number;
}

const nsPerMs = 1_000_000n;
const dateOf = (ns: bigint) => new Date(Number(ns / nsPerMs)).toISOString();

/** The documents of a checkpoint as JSON texts, by the names of their files. */
export function checkpointDocuments(of: DocumentedContainer): Map<string, string> {
  const { container, status, ociRuntime, checkpointedAtMs } = of;
  const { id, imageRef, createdAtNs, startedAtNs, pid } = container;
  const imageName = status.image?.image ?? '';
  const config = {
    ...{ id, name: container.config.metadata?.name },
    ...{ rootfsImage: imageName, rootfsImageRef: imageRef, rootfsImageName: imageName, runtime: ociRuntime },
    createdTime: dateOf(createdAtNs),
    checkpointedTime: new Date(checkpointedAtMs).toISOString(),
    restoredTime: '0001-01-01T00:00:00Z',
    restored: false,
  };
  const state = {
    ...{ CreatedAt: Number(createdAtNs), StartedAt: Number(startedAtNs), FinishedAt: 0 },
    ...{ ExitCode: 0, Pid: pid, Reason: '', Message: '' },
  };
  const documents: [string, unknown][] = [
    [checkpointFiles.config, config],
    [checkpointFiles.spec, describedSpec(of)],
    [checkpointFiles.status, protoJson('ContainerStatus', status)],
    [checkpointFiles.state, state],
  ];
  return new Map(documents.map(([name, value]) => [name, JSON.stringify(value)]));
}

/** The OCI configuration, with what tools look for to tell whose container it was. */
function describedSpec({ container, sandbox, spec }: DocumentedContainer): object {
  const { name, namespace, uid } = sandbox.config.metadata ?? {};
  return {
    ...spec,
    annotations: {
      ...spec.annotations,
      'io.kubernetes.cri.container-type': 'container',
      'io.kubernetes.cri.container-name': container.config.metadata?.name ?? '',
      'io.kubernetes.cri.image-name': container.config.image?.image ?? '',
      'io.kubernetes.cri.sandbox-id': sandbox.id,
      'io.kubernetes.cri.sandbox-name': name ?? '',
      'io.kubernetes.cri.sandbox-namespace': namespace ?? '',
      'io.kubernetes.cri.sandbox-uid': uid ?? '',
    },
  };
}
