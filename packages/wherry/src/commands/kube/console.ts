import { aborted } from '@wherry/bytes';
import type { KubeClient } from '@wherry/client';
import { type RunningConsole, type StreamingServers, startConsole } from '@wherry/console';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { findLocalStreamingServers } from '../../sessions/local-nodes.ts';
import { listWithin } from '../../sessions/look.ts';
import { monitorSource } from '../../sessions/monitor-source.ts';
import { reasonOf } from '../../sessions/reason.ts';
import { OpenedBrowser } from '../../system/open-browser.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';

/** Flags of `wherry console`. */
export interface ConsoleFlags extends KubeFlags {
  port: number;
  /** Starts the browser of the desktop. */
  open?: boolean;
}

/** Serves the console until Ctrl-C; each link that it prints lets one browser in. */
export async function serveConsole(flags: ConsoleFlags): Promise<void> {
  const ended = new AbortController();
  onInterrupt(() => ended.abort());
  const client = clientFor(flags);
  await using browser = new OpenedBrowser();
  await using running = await startConsole({
    client,
    ...{ port: flags.port, namespace: flags.namespace, signal: ended.signal },
    streamingServers: await streamingServersFor(client, flags),
    onLogin(nextUrl) {
      browser.forget();
      console.log(`a browser has logged in; the link for another: ${nextUrl.href}`);
    },
  });
  say(running);
  if (flags.open) browser.open(running.loginUrl, (problem) => console.error(problem));
  await aborted(ended.signal);
}

/** Those of this machine that are of the cluster; the page says of others why they are not seen. */
async function streamingServersFor(client: KubeClient, flags: ConsoleFlags): Promise<StreamingServers> {
  const { servers, reason } = await findLocalStreamingServers(client.access, flags);
  const sources = new Map(servers.map((server) => [server.node, monitorSource(server)]));
  return {
    ...{ nodes: [...sources.keys()], reason },
    async list(node, signal) {
      const source = sources.get(node);
      if (!source) throw new CommandError(reason);
      return listWithin(source, { clock: client.clock, signal }).catch((error) => {
        throw new CommandError(reasonOf(error), { cause: error });
      });
    },
  };
}

function say({ loginUrl }: RunningConsole): void {
  console.log(`open ${loginUrl.href}`);
  console.log('The link lets one browser in, as the user of the kubeconfig. Ctrl-C ends the console.');
}
