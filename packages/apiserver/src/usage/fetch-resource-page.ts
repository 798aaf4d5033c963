import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Kubelets } from '../connect/kubelets.ts';
import { backendUrl } from '../dialing/backend-url.ts';
import { limits } from '../limits.ts';

/** Reads `/metrics/resource` of a node's kubelet. Throws when the node is not reached, refuses, or says too much. */
export async function fetchResourcePage(
  kubelets: Kubelets,
  nodeName: string,
  signal: AbortSignal,
): Promise<string> {
  const kubelet = await kubelets.locate(nodeName, signal);
  const url = backendUrl(kubelet.backend, '/metrics/resource', '');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpsRequest(url, { ...kubelets.requestOptions(kubelet), signal }, resolve)
      .on('error', reject)
      .end();
  });
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new Error(`GET ${url.href}: the kubelet answered ${answer.statusCode}`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limits.usagePageBytesMax)
      throw new Error(`GET ${url.href}: the answer is longer than ${limits.usagePageBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
