import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubRegistry } from '../../../e2e/guarded-registry.ts';

/** A registry in the place of Docker Hub, which has the test image under each of its names. `await using` ends it. */
export interface Hub extends AsyncDisposable {
  /** Flags of a node that pulls from it. */
  readonly flags: readonly string[];
}

/** Starts one on the machine's loopback. */
export async function startHub(): Promise<Hub> {
  const registry = await hubRegistry();
  const folder = mkdtempSync(join(tmpdir(), 'wherry-hub-'));
  mkdirSync(join(folder, 'docker.io'));
  writeFileSync(join(folder, 'docker.io/hosts.toml'), `server = "http://${registry.address}"\n`);
  return {
    flags: ['--registry-config', folder],
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
