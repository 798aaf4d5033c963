import { basename } from 'node:path';
import {
  type CopyOptions,
  type CopyResult,
  copyFromPod,
  copyToPod,
  type KubeClient,
  parseCopySpec,
} from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { chooseContainer } from '../../kube/container-choice.ts';
import { clientFor, type StreamFlags } from '../../kube/flags.ts';
import { findPod, parseTarget } from '../../kube/pod-target.ts';
import { ProgressBar } from '../../output/progress-bar.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { harmless } from '../../words/harmless.ts';

/** Flags of `wherry cp`. */
export interface CpFlags extends StreamFlags {
  container?: string;
  /** False for `--no-preserve`. */
  preserve: boolean;
  /** Below 0 for ever. */
  retries: number;
}

/** Copies between this machine and a container; exactly one side is `[[namespace/]pod:]path`. */
export async function cp(source: string, destination: string, flags: CpFlags): Promise<void> {
  const from = parseCopySpec(source);
  const to = parseCopySpec(destination);
  const remote = from.pod === undefined ? to : from;
  const local = from.pod === undefined ? from : to;
  if (remote.pod === undefined || (from.pod !== undefined && to.pod !== undefined)) {
    throw new CommandError(
      `one of src or dest must be a ${remote.pod === undefined ? 'remote' : 'local'} file specification`,
    );
  }
  if (from.path === '' || to.path === '') throw new CommandError('filepath can not be empty');
  const client = clientFor(flags);
  const target = parseTarget(remote.pod, remote.namespace ?? flags.namespace);
  const pod = await findPod(client, target, 0);
  const container = chooseContainer(pod, { wanted: flags.container, quiet: false, warn: console.error });
  const options: CopyOptions = {
    namespace: pod.metadata.namespace,
    pod: pod.metadata.name ?? '',
    container: container.name,
    localPath: local.path,
    remotePath: remote.path,
    noPreserve: !flags.preserve,
    retries: flags.retries < 0 ? Number.POSITIVE_INFINITY : flags.retries,
    transport: flags.transport,
  };
  report(
    await interruptible((signal) =>
      copy(client, remote === to ? copyToPod : copyFromPod, { ...options, signal }),
    ),
  );
}

async function copy(
  client: KubeClient,
  run: (client: KubeClient, options: CopyOptions) => Promise<CopyResult>,
  options: CopyOptions,
): Promise<CopyResult> {
  using bar = new ProgressBar('copying');
  return await run(client, {
    ...options,
    onProgress: ({ name, bytes, totalBytes }) =>
      bar.show(bytes, totalBytes, name || basename(options.localPath)),
  });
}

function report({ warnings }: CopyResult): void {
  for (const warning of warnings) console.error(harmless(warning));
}
