import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes that a registry, by default the suite's, is mirrored at a URL, as containerd has it, and answers the folder that says so. */
export function writeRegistryConfig(folder: string, url: string, host = 'registry.k8s.io'): string {
  const config = join(folder, 'certs.d');
  mkdirSync(join(config, host), { recursive: true });
  writeFileSync(join(config, host, 'hosts.toml'), `server = "${url}"\n[host."${url}"]\n`);
  return config;
}
