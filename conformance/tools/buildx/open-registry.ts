import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../e2e/free-port.ts';
import { eventually } from '../../../e2e/node.ts';
import { needProgram } from '../../../packages/linux/test/needs.ts';

/** Docker's registry without TLS and logins. `await using` ends it. */
export interface OpenRegistry extends AsyncDisposable {
  /** `host:port`, as names of images have it. */
  readonly address: string;
}

/** Starts one at an address of this machine that pods reach, with what it stores in `folder`. */
export async function openRegistry(host: string, folder: string): Promise<OpenRegistry> {
  needProgram('/usr/bin/docker-registry', 'docker-registry');
  mkdirSync(folder);
  const address = `${host}:${await freePort()}`;
  const settings = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: folder } },
    http: { addr: address },
  };
  const file = join(folder, 'registry.yml');
  writeFileSync(file, JSON.stringify(settings));
  const registry = spawn('docker-registry', ['serve', file], { stdio: 'ignore' });
  const ended = once(registry, 'exit');
  await eventually('the registry to answer', async () => {
    if (registry.exitCode !== null) throw new Error(`docker-registry ended with ${registry.exitCode}`);
    return (await fetch(`http://${address}/v2/`).catch(() => undefined))?.ok;
  });
  return {
    address,
    async [Symbol.asyncDispose]() {
      registry.kill();
      await ended;
    },
  };
}
