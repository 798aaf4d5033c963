import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fromDuplex, fromReadable, fromWritable } from '@wherry/bytes';
import { type MeasuredNode, transports } from '../node.ts';
import type { CommandTransport, ForwardRoad, forwardTransports, Road, Session, Streams } from './road.ts';

/** The container that the real kubectl is sent to. */
export interface KubectlTarget {
  node: MeasuredNode;
  pod: string;
  attachContainer: string;
  /** Ports that can be dialled. */
  ports: readonly number[];
}

/** The way through the real kubectl, a process for each session: what is measured has its start in it. */
export function kubectlRoad(target: KubectlTarget, how: CommandTransport): Road {
  const { node, pod, attachContainer } = target;
  const env = node.environment(transports[how.transport]);
  const run = (verb: string, container: string, { stdin }: Streams, command: readonly string[]) =>
    sessionOf(
      spawn('kubectl', [verb, pod, '-c', container, ...(stdin ? ['-i'] : []), ...command], {
        env,
        stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'ignore'],
      }),
    );
  return {
    entry: 'kubectl, wherry API server',
    transport: how.label,
    exec: async (command, streams) => run('exec', 'main', streams, ['--', ...command]),
    attach: async (streams) => run('attach', attachContainer, streams, []),
  };
}

function sessionOf(child: ChildProcess): Session {
  const exitCode = once(child, 'exit').then(([code]) => Number(code ?? 1));
  exitCode.catch(() => {});
  return {
    stdin: child.stdin && fromWritable(child.stdin),
    stdout: child.stdout && fromReadable(child.stdout),
    exitCode,
    close: () => void child.kill('SIGKILL'),
  };
}

/** The way to a pod's ports through one `kubectl port-forward`. */
export function kubectlForwardRoad(
  target: KubectlTarget,
  how: (typeof forwardTransports)[number],
): ForwardRoad {
  const env = target.node.environment(transports[how.transport]);
  return {
    entry: 'kubectl, wherry API server',
    transport: how.label,
    async open() {
      const args = [
        'port-forward',
        target.pod,
        '--address',
        '127.0.0.1',
        ...target.ports.map((port) => `:${port}`),
      ];
      const child = spawn('kubectl', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
      const locals = await forwardedPorts(child, target.ports.length);
      return {
        async dial(port) {
          const socket = connect({ host: '127.0.0.1', port: locals.get(port) ?? 0, noDelay: true });
          await once(socket, 'connect');
          return fromDuplex(socket);
        },
        close: () => void child.kill('SIGKILL'),
      };
    },
  };
}

/** Reads the local ports from what kubectl prints: remote to local. */
async function forwardedPorts(child: ChildProcess, count: number): Promise<Map<number, number>> {
  const locals = new Map<number, number>();
  let text = '';
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += chunk;
    for (const [, local, remote] of text.matchAll(/127\.0\.0\.1:(\d+) -> (\d+)\n/g)) {
      locals.set(Number(remote), Number(local));
    }
    if (locals.size === count) {
      child.stdout!.resume();
      return locals;
    }
  }
  throw new Error(`kubectl port-forward ended: ${text}`);
}
