import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '@wherry/linux';
import { keepFile } from '@wherry/node';
import { CommandError } from '../errors.ts';

/** Where Docker's images come from, whose name is not its host's. */
const servers = new Map([['docker.io', 'https://registry-1.docker.io']]);

/**
 * Writes mirrors in containerd's layout (`HOST/hosts.toml`) below the node's folder, in place of those that it had, and gives back
 * that folder. Throws `CommandError` for a registry that is no host name.
 */
export function writeMirrors(dataDir: string, mirrors: Record<string, readonly string[]>): string {
  for (const host of Object.keys(mirrors)) {
    if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$/i.test(host)) {
      throw new CommandError(
        `mirrors: "${host}" is no registry such as docker.io or registry.example.com:5000`,
      );
    }
  }
  makePrivateFolder(dataDir);
  const folder = join(dataDir, 'registries');
  makePrivateFolder(folder);
  // A colon may not stand in the name of a folder everywhere: containerd reads HOST_PORT_ as well.
  const wanted = Object.entries(mirrors).map(([host, urls]) => ({
    name: host.replace(/:(\d+)$/, '_$1_'),
    content: hostsFile(servers.get(host) ?? serverOf(host), urls),
  }));
  for (const name of readdirSync(folder))
    if (!wanted.some((host) => host.name === name)) rmSync(join(folder, name), { recursive: true });
  for (const { name, content } of wanted) {
    const own = join(folder, name);
    makePrivateFolder(own);
    keepFile(join(own, 'hosts.toml'), content);
  }
  return folder;
}

function serverOf(host: string): string {
  const url = new URL('https://registry');
  url.host = host;
  return url.origin;
}

/** JSON's texts are TOML's. */
function hostsFile(server: string, urls: readonly string[]): string {
  const hosts = urls.map((url) => `[host.${JSON.stringify(url)}]\n  capabilities = ["pull", "resolve"]\n`);
  return [`server = ${JSON.stringify(server)}\n`, ...hosts].join('\n');
}
