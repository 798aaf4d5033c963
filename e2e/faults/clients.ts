import { type RunOptions, run, start } from '../command.ts';
import { transports } from '../node.ts';

const wherryEntry = new URL('../../packages/wherry/bin/wherry.cjs', import.meta.url).pathname;

/** A command line that runs sessions. */
export interface SessionClient {
  name: string;
  /**
   * Over SPDY client-go ends its streams alike whether they were finished or torn, and takes an error stream without
   * a Status for success: no server can make kubectl tell a torn connection from a command that ended with 0.
   */
  takesTearForSuccess: boolean;
  run(kubeconfig: string, words: readonly string[], options?: RunOptions): ReturnType<typeof run>;
  start(kubeconfig: string, words: readonly string[]): ReturnType<typeof start>;
}

/**
 * kubectl before 1.34 reads its WebSocket while it still makes the streams into which it sorts messages (client-go,
 * tools/remotecommand/websocket.go: `go creator.readDemuxLoop` stands before `streamer.stream`; mended by
 * kubernetes/kubernetes#131203). It throws away what comes for a stream that is not there yet, and says so. Output that was
 * held up until it comes together with the handshake's answer is so lost whole, under the command's own exit code, whoever
 * the server is.
 */
const kubectlThrewAway = /Unknown stream id \d+, discarding message/;
const runsMax = 4;

/** Runs a session; one of which kubectl says that it threw messages away counts for nothing, and is run again. */
async function runHeard(session: () => ReturnType<typeof run>): ReturnType<typeof run> {
  for (let runs = 1; ; runs++) {
    const finished = await session();
    if (runs === runsMax || !kubectlThrewAway.test(finished.stderr)) return finished;
  }
}

function client(
  name: string,
  command: string,
  prefix: readonly string[],
  suffix: readonly string[],
  env: Record<string, string>,
): SessionClient {
  const words = ([verb = '', ...rest]: readonly string[]) => [...prefix, verb, ...suffix, ...rest];
  return {
    name,
    takesTearForSuccess: name === 'kubectl over SPDY',
    run: (kubeconfig, own, options = {}) =>
      runHeard(() => run(command, words(own), { ...options, env: { ...env, KUBECONFIG: kubeconfig } })),
    start: (kubeconfig, own) => start(command, words(own), { env: { ...env, KUBECONFIG: kubeconfig } }),
  };
}

/** kubectl and wherry, each over the transports that it has. */
export const sessionClients: SessionClient[] = [
  ...transports
    .filter(({ skip }) => !skip)
    .map(({ name, env }) => client(`kubectl over ${name}`, 'kubectl', [], [], env)),
  ...['websocket', 'spdy'].map((transport) =>
    client(`wherry over ${transport}`, process.execPath, [wherryEntry], ['--transport', transport], {}),
  ),
];
