/**
 * What programs on an older @kubernetes/client-node do, tried with one of its majors: `client-node.ts MAJOR POD FOLDER`,
 * with KUBECONFIG in the environment. Prints a line of JSON for each attempt: its name, and what came of it.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as older from 'client-node-0';
import * as newer from 'client-node-1';

const [major = '', pod = '', folder = ''] = process.argv.slice(2);
const namespace = 'default';
/** How long nothing more comes of what tells nobody that it is over. */
const settledMs = 1500;
const pause = () => new Promise((resolve) => setTimeout(resolve, settledMs));

// Both majors have the same classes for sessions; they call the API by other arguments.
const library = major === '0' ? (older as unknown as typeof newer) : newer;
const config = new library.KubeConfig();
config.loadFromDefault();

/** Runs a command without input; `size` makes it a terminal of so many columns and rows. */
async function exec(command: string[], size?: { columns: number; rows: number }) {
  const [stdout, stderr] = [Object.assign(new PassThrough(), size), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const input = size ? new PassThrough() : null;
  const status = await new Promise<newer.V1Status>((resolve, reject) => {
    new library.Exec(config)
      .exec(namespace, pod, 'main', command, stdout, size ? null : stderr, input, size !== undefined, resolve)
      .catch(reject);
  });
  stdout.end();
  stderr.end();
  const exitCode = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  return [status.status, exitCode ?? null, ...(await said)];
}

/** Changes one config map, and answers what an informer saw. */
async function informed() {
  const api = config.makeApiClient(library.CoreV1Api);
  const seen: string[] = [];
  const list = () =>
    major === '0'
      ? (api as unknown as older.CoreV1Api).listNamespacedConfigMap(namespace)
      : api.listNamespacedConfigMap({ namespace });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = library.makeInformer(config, path, list as () => Promise<newer.V1ConfigMapList>);
  for (const event of ['add', 'update', 'delete'] as const)
    informer.on(event, ({ metadata }) => void seen.push(`${event} ${metadata?.name}`));
  informer.on('error', (error) => void seen.push(`error ${error}`));
  await informer.start();
  const objects = library.KubernetesObjectApi.makeApiClient(config);
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `by-${major}`, namespace } };
  await objects.create(object);
  await objects.patch({ ...object, data: { a: 'b' } } as newer.KubernetesObject);
  await objects.delete(object);
  await pause();
  const told = [...seen];
  // Where it is stopped, that of 1.4 tells of an error.
  await informer.stop();
  return told.filter((line) => line.endsWith(object.metadata.name) || line.startsWith('error'));
}

/**
 * Copies a file into the pod. What goes wrong by itself is left out: 0.22 reads what it fetches before it has written
 * it, and 1.4 unpacks what it has compressed without decompressing it.
 */
async function copied() {
  writeFileSync(join(folder, 'up.txt'), 'content\n');
  const cp = new older.Cp(config as unknown as older.KubeConfig);
  // It closes the connection behind the file, and so never learns that it arrived.
  void cp.cpToPod(namespace, pod, 'main', 'up.txt', '/tmp', folder);
  await pause();
}

const attempts: Record<string, () => Promise<unknown>> = {
  exec: () => exec(['sh', '-c', 'echo out; echo oops >&2; exit 3']),
  output: () => exec(['sh', '-c', 'seq 300000']).then(([status, , out]) => [status, String(out).length]),
  terminal: () => exec(['sh', '-c', 'sleep 1; stty size'], { columns: 101, rows: 31 }),
  async input() {
    const command = ['sh', '-c', `cat > /tmp/by-${major}; sleep 1; echo all >> /tmp/by-${major}`];
    const input = Readable.from([Buffer.from('hello\n')]);
    await new library.Exec(config).exec(namespace, pod, 'main', command, null, null, input, false);
    await pause();
  },
  async attach() {
    const stdout = new PassThrough();
    const socket = await new library.Attach(config).attach(namespace, pod, 'main', stdout, null, null, false);
    const [line] = await once(stdout, 'data');
    socket.close();
    return String(line);
  },
  async log() {
    const lines = new PassThrough();
    const options = { follow: true, tailLines: 2, pretty: false, timestamps: false };
    const following = await new library.Log(config).log(namespace, pod, 'main', lines, options);
    let got = '';
    for await (const chunk of lines) {
      got += chunk;
      if (got.split('\n').length > 4) break;
    }
    following.abort();
    return got.trim().split('\n');
  },
  async forward() {
    const forwarding = new library.PortForward(config);
    const server = createServer(
      (socket) => void forwarding.portForward(namespace, pod, [8080], socket, null, socket),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /passwd HTTP/1.0\r\n\r\n');
    let got = '';
    for await (const chunk of socket) {
      got += chunk;
      if (got.includes('root:')) break;
    }
    return got.split('\r\n')[0];
  },
  informer: informed,
  async figures() {
    const api = config.makeApiClient(library.CoreV1Api);
    const nodes = await library.topNodes(api);
    const pods = await library.topPods(api, new library.Metrics(config), namespace);
    return [nodes.length, pods.map(({ Pod }) => Pod.metadata?.name)];
  },
};

if (major === '0') attempts['copy'] = copied;
for (const [name, attempt] of Object.entries(attempts))
  console.log(JSON.stringify([name, (await attempt().catch(String)) ?? null]));
process.exit();
