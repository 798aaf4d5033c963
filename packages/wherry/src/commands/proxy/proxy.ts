import { lstatSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { aborted, listen } from '@wherry/bytes';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { warnLine } from '../../kube/warnings.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import type { ProxyFlags } from './flags.ts';
import { ProxyServer } from './proxy-server.ts';
import { requestFilter } from './request-filter.ts';
import { StaticFiles } from './static-files.ts';

/** kubectl's. */
const defaultPort = 8001;

/** Serves the API of a cluster to programs of this machine, as the kubeconfig's user, until Ctrl-C. */
export async function proxy(flags: ProxyFlags): Promise<void> {
  const { www, unixSocket, appendServerPath } = flags;
  if (flags.port !== defaultPort && unixSocket)
    throw new CommandError('cannot set --unix-socket and --port at the same time');
  const prefixes = {
    api: prefixOf('--api-prefix', flags.apiPrefix),
    files: www ? prefixOf('--www-prefix', flags.wwwPrefix) : undefined,
  };
  if (prefixes.api === prefixes.files)
    throw new CommandError(`--www-prefix and --api-prefix are both ${prefixes.api}`);
  const client = clientFor(flags);
  const serverPath = client.access.server.pathname.replace(/\/$/, '');
  warn(flags, serverPath);
  const ended = new AbortController();
  onInterrupt(() => ended.abort());
  const running = new ProxyServer({
    ...{ client, prefixes, filter: await requestFilter(flags) },
    files: www ? new StaticFiles(www) : undefined,
    serverPath: appendServerPath ? serverPath : '',
    keepAliveDelayMs: flags.keepalive || undefined,
  });
  console.log(`Starting to serve on ${await start(running.server, flags)}`);
  await aborted(ended.signal);
  await running.close();
  client.close();
}

function prefixOf(flag: string, text: string): string {
  if (!text.startsWith('/')) throw new CommandError(`${flag} must begin with "/": ${JSON.stringify(text)}`);
  return text.endsWith('/') ? text : `${text}/`;
}

function warn({ www, disableFilter, unixSocket, appendServerPath }: ProxyFlags, serverPath: string): void {
  if (serverPath !== '' && !appendServerPath)
    warnLine(
      `Your kube context contains a server path ${serverPath}, use --append-server-path to automatically append the path to each request`,
    );
  if (disableFilter && !unixSocket)
    warnLine('Request filter disabled, your proxy is vulnerable to XSRF attacks, please be cautious');
  if (!www) return;
  const stats = statSync(www, { throwIfNoEntry: false });
  if (!stats) warnLine(`Failed to stat static file directory ${www}`);
  else if (!stats.isDirectory()) warnLine(`Static file directory ${www} is not a directory`);
}

/** Listens, and resolves to where. */
async function start(server: Server, { unixSocket, address, port }: ProxyFlags): Promise<string> {
  try {
    if (unixSocket) {
      if (lstatSync(unixSocket, { throwIfNoEntry: false })?.isSocket()) rmSync(unixSocket);
      // Nobody else may connect; who wants to, can open it up later.
      const before = process.umask(0o077);
      await listen(server, { path: unixSocket }).finally(() => process.umask(before));
      return unixSocket;
    }
    await listen(server, { host: address, port });
  } catch (error) {
    throw new CommandError(`listen ${unixSocket ?? `${address}:${port}`}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const bound = server.address() as AddressInfo;
  return `${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}
