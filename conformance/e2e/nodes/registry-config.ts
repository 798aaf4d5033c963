import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes that the suite's registry is mirrored at a URL, as containerd has it, and answers the folder that says so. */
export function writeRegistryConfig(folder: string, url: string): string {
  const config = join(folder, 'certs.d');
  mkdirSync(join(config, 'registry.k8s.io'), { recursive: true });
  writeFileSync(join(config, 'registry.k8s.io', 'hosts.toml'), `[host."${url}"]\n`);
  return config;
}
