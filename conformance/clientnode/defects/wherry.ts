import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { copyFromPod, createKubeClient, exec, kinds, portForward } from '@wherry/client';
import { type Attempt, heldBy, settled, within } from './side.ts';

/** What an informer has seen after a while. */
const informed: Attempt = async ({ kubeconfig, namespace }) => {
  const client = createKubeClient({ kubeconfig });
  const seen: string[] = [];
  await using informer = client.informer(kinds.configMaps, {
    namespace,
    handlers: {
      added: ({ metadata }) => seen.push(`add ${metadata.name}`),
      updated: ({ metadata }) => seen.push(`update ${metadata.name}`),
      deleted: ({ metadata }) => seen.push(`delete ${metadata.name}`),
      failed: () => seen.push('error'),
    },
  });
  informer.start();
  await settled(() => seen.length);
  return seen.join(', ');
};

const forward = async (port: number, { kubeconfig, namespace }: Parameters<Attempt>[0]): Promise<string> => {
  const failed = Promise.withResolvers<string>();
  await using forwarded = await portForward(createKubeClient({ kubeconfig }), {
    ...{ namespace, target: { kind: 'pod', name: 'servers' }, ports: [{ local: 0, remote: port }] },
    failure: (_listener, error) => failed.resolve(`error: ${error.message}`),
  });
  const socket = connect({ port: forwarded.listeners[0]?.localPort ?? 0, allowHalfOpen: true });
  socket.end('a request');
  // A connection that fails ends here, too, and the reason is told beside it.
  const answer = text(socket).then(
    (said) => said.trim() || failed.promise,
    () => failed.promise,
  );
  return await within(Promise.race([answer, failed.promise]), 'nothing, and no error');
};

/** What @wherry/client makes of each. */
export const attempts: Record<string, Attempt> = {
  'torn watch': informed,
  'list refused once': informed,
  'too many requests': informed,
  'replaced object': informed,
  'error event': informed,
  async bookmarks(surroundings) {
    await informed(surroundings);
    return 'see the requests';
  },
  async 'handler that throws'({ kubeconfig, namespace }) {
    const client = createKubeClient({ kubeconfig });
    try {
      for await (const _event of client.watch('ConfigMap', { namespace })) throw new Error('a mistake');
      return 'nobody is told';
    } catch (error) {
      return `told: ${error}`;
    }
  },
  async 'exec that is cut'({ kubeconfig, namespace }) {
    const outcome = createKubeClient({ kubeconfig })
      .captureExec({ namespace, pod: 'any', command: ['true'] })
      .then(
        ({ exitCode }) => `exit code ${exitCode}`,
        ({ name, code }) => `rejects: ${name} ${code}`,
      );
    return within(outcome, 'nobody is told');
  },
  async 'exec that is refused'({ kubeconfig, namespace }) {
    return createKubeClient({ kubeconfig })
      .captureExec({ namespace, pod: 'missing', command: ['true'] })
      .then(
        () => 'resolves',
        ({ name, code, reason }) => `${name} ${code} ${reason}`,
      );
  },
  async 'exec with a slow reader'({ kubeconfig, namespace }) {
    const stuck = new Writable({ write: () => {} });
    const command = ['head', '-c', '200000000', '/dev/zero'];
    exec(createKubeClient({ kubeconfig }), { namespace, pod: 'servers', command, stdout: stuck }).catch(
      () => {},
    );
    return heldBy(stuck);
  },
  async 'copy of a missing file'({ kubeconfig, namespace }) {
    const client = createKubeClient({ kubeconfig });
    return copyFromPod(client, {
      namespace,
      pod: 'servers',
      remotePath: '/missing',
      localPath: '/tmp/copied',
    }).then(
      () => 'resolves',
      ({ message }: Error) => `rejects: ${message}`,
    );
  },
  'forward half-closed': (surroundings) => forward(9000, surroundings),
  'forward to a closed port': (surroundings) => forward(9, surroundings),
};
