import { ClientError, type KubeClient, logs } from '@wherry/client';
import { StatusError } from '@wherry/kubeapi';
import type { LogSource } from '../../kube/log-sources.ts';
import type { LogFile } from './dump-target.ts';

/** Writes down the log of one container between two lines that say whose it is; and why there is none. */
export async function dumpLog(
  client: KubeClient,
  { pod, container }: LogSource,
  log: LogFile,
): Promise<void> {
  const { name = '', namespace } = pod.metadata;
  const whose = `logs for container ${container} of pod ${namespace}/${name} ====\n`;
  await log.write(`==== START ${whose}`);
  try {
    for await (const part of logs(client, { pod: name, namespace, container })) await log.write(part);
  } catch (error) {
    if (!(error instanceof StatusError || error instanceof ClientError)) throw error;
    await log.write(`Request log error: ${error.message}\n`);
  }
  await log.write(`==== END ${whose}`);
}
