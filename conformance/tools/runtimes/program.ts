/**
 * What users of @wherry/client do, in any runtime: `program.ts auto|websocket|spdy`, beside the pod `talks`. Prints a line of JSON for each
 * part, its name and what came of it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ConfigMap,
  captureExec,
  copyFromPod,
  copyToPod,
  createKubeClient,
  exec,
  kinds,
  logLines,
  portForward,
  StatusError,
} from '@wherry/client';

const [, , transport = 'auto'] = process.argv as [string, string, ('auto' | 'websocket' | 'spdy')?];
const pod = 'talks';
const megabytes = 8;
const client = createKubeClient();

async function part(name: string, work: () => Promise<unknown>): Promise<void> {
  const result = await work().catch((error: unknown) => String(error));
  console.log(JSON.stringify([name, result]));
}

const digest = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

await part('objects', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'colours' }, data: { sky: 'blue' } };
  await client.apply(JSON.stringify(map));
  await client.patch('ConfigMap/colours', { data: { grass: 'green' } });
  const { data } = await client.waitFor('ConfigMap/colours', 'jsonpath={.data.grass}=green');
  const { items } = await client.resource(kinds.pods).listAll({ namespace: 'default' });
  return [data, items.map(({ metadata }) => metadata.name)];
});
await part('watch', async () => {
  for await (const event of client.watch<ConfigMap>('ConfigMap', { namespace: 'default' }))
    if ('object' in event && event.object.metadata.name === 'colours') return event.object.data;
  return 'ended';
});
await part('many at once', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => client.get('ConfigMap/colours')));
  return all.length;
});
await part('refused', async () => {
  await client.delete('cm/colours');
  return client.get('ConfigMap/colours').catch((error: unknown) => {
    if (error instanceof StatusError) return [error.code, error.reason];
    throw error;
  });
});
await part('exec', async () => {
  const command = ['sh', '-c', 'echo out; echo oops >&2; exit 3'];
  const { stdout, stderr, exitCode } = await captureExec(client, { pod, command, transport });
  return [stdout, stderr, exitCode];
});
await part('input', async () => {
  const data = randomBytes(megabytes << 20);
  const hash = createHash('sha256');
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      hash.update(chunk);
      done();
    },
  });
  const code = await exec(client, { pod, command: ['cat'], transport, stdin: Readable.from([data]), stdout });
  return [code, hash.digest('hex') === digest(data)];
});
await part('forward', async () => {
  const target = { kind: 'pod', name: pod } as const;
  const ports = [{ local: 0, remote: 8080 }];
  await using forward = await portForward(client, { target, ports, addresses: ['127.0.0.1'], transport });
  const answer = await fetch(`http://127.0.0.1:${forward.listeners[0]?.localPort}/hostname`);
  return [answer.status, (await answer.text()).trim()];
});
await part('log', async () => {
  for await (const line of logLines(client, { pod, follow: true })) return line;
  return 'ended';
});
await part('copy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-runtimes-'));
  try {
    const [there, back] = [join(folder, 'there'), join(folder, 'back')];
    const data = randomBytes(1 << 20);
    writeFileSync(there, data);
    await copyToPod(client, { pod, localPath: there, remotePath: '/copied', transport });
    await copyFromPod(client, { pod, remotePath: '/copied', localPath: back, transport });
    return digest(readFileSync(back)) === digest(data);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
client.close();
