import { aborted } from '@wherry/bytes';
import { type RunningConsole, startConsole } from '@wherry/console';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
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
    onLogin(nextUrl) {
      browser.forget();
      console.log(`a browser has logged in; the link for another: ${nextUrl.href}`);
    },
  });
  say(running);
  if (flags.open) browser.open(running.loginUrl, (problem) => console.error(problem));
  await aborted(ended.signal);
}

function say({ loginUrl }: RunningConsole): void {
  console.log(`open ${loginUrl.href}`);
  console.log('The link lets one browser in, as the user of the kubeconfig. Ctrl-C ends the console.');
}
