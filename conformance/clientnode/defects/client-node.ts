import { PassThrough, Writable } from 'node:stream';
import { CoreV1Api, Cp, Exec, KubeConfig, makeInformer, PortForward, Watch } from '@kubernetes/client-node';
import { type Attempt, comesWithinMs, heldBy, patienceMs, pause, settled, within } from './side.ts';

function load(kubeconfig: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  return config;
}

/** What an informer has seen after a while. */
const informed: Attempt = async ({ kubeconfig, namespace }) => {
  const config = load(kubeconfig);
  const seen: string[] = [];
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const list = () => config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace });
  const informer = makeInformer(config, path, list);
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, ({ metadata }) => void seen.push(`${event} ${metadata?.name}`));
  }
  informer.on('error', () => void seen.push('error'));
  await informer.start();
  await settled(() => seen.length);
  return seen.join(', ');
};

const forward = async (port: number, { kubeconfig, namespace }: Parameters<Attempt>[0]): Promise<string> => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  await new PortForward(load(kubeconfig)).portForward(namespace, 'servers', [port], output, null, input);
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => void chunks.push(chunk));
  input.end('a request');
  await pause(patienceMs);
  return Buffer.concat(chunks).toString().trim() || 'nothing, and no error';
};

/** What @kubernetes/client-node makes of each. */
export const attempts: Record<string, Attempt> = {
  'torn watch': informed,
  'list refused once': informed,
  'too many requests': informed,
  'replaced object': informed,
  'error event': informed,
  async bookmarks({ kubeconfig, namespace }) {
    await informed({ kubeconfig, namespace });
    return 'see the requests';
  },
  async 'handler that throws'({ kubeconfig, namespace }) {
    const told = Promise.withResolvers<string>();
    const mistake = () => {
      throw new Error('a mistake');
    };
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await new Watch(load(kubeconfig)).watch(path, {}, mistake, (error) => told.resolve(`told: ${error}`));
    return within(told.promise, 'nobody is told', patienceMs);
  },
  async 'exec that is cut'({ kubeconfig, namespace }) {
    const status = Promise.withResolvers<string>();
    const output = new PassThrough().resume();
    const told = (error: unknown) => status.resolve(`rejects: ${error}`);
    const settled = ({ status: outcome }: { status?: string }) => status.resolve(`status: ${outcome}`);
    const exec = new Exec(load(kubeconfig));
    await exec.exec(namespace, 'any', '', ['true'], output, output, null, false, settled).catch(told);
    return within(status.promise, 'nobody is told', patienceMs);
  },
  async 'exec that is refused'({ kubeconfig, namespace }) {
    const output = new PassThrough();
    const exec = new Exec(load(kubeconfig));
    const error: unknown = await exec
      .exec(namespace, 'missing', '', ['true'], output, output, null, false)
      .catch((reason: unknown) => reason);
    const { name, code, reason } = error as { name?: string; code?: number; reason?: string };
    return error instanceof Error ? `${name} ${code} ${reason}` : `no Error: ${error?.constructor.name}`;
  },
  async 'exec with a slow reader'({ kubeconfig, namespace }) {
    const stuck = new Writable({ write: () => {} });
    const exec = new Exec(load(kubeconfig));
    await exec.exec(
      namespace,
      'servers',
      '',
      ['head', '-c', '200000000', '/dev/zero'],
      stuck,
      null,
      null,
      false,
    );
    return heldBy(stuck);
  },
  async 'copy of a missing file'({ kubeconfig, namespace }) {
    await new Cp(load(kubeconfig)).cpFromPod(
      namespace,
      'servers',
      '',
      '/missing',
      '/tmp/copied-by-client-node',
    );
    // It does not wait for the command itself.
    await pause(comesWithinMs);
    return 'resolves';
  },
  'forward half-closed': (surroundings) => forward(9000, surroundings),
  'forward to a closed port': (surroundings) => forward(9, surroundings),
};
