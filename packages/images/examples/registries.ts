import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RegistryConfig } from '@wherry/images';

// containerd's layout: a folder for each registry.
const folder = await mkdtemp(join(tmpdir(), 'certs.d-'));
await mkdir(join(folder, 'registry.example_5000_'));
await writeFile(
  join(folder, 'registry.example_5000_', 'hosts.toml'),
  `server = "https://registry.example:5000"

[host."http://mirror.example:8080"]
capabilities = ["pull", "resolve"]
dial_timeout = "2s"
`,
);

// Where an image may come from, in the order to ask: what a Puller does with `hosts: new RegistryConfig(folder)`.
const hosts = await new RegistryConfig(folder).hostsFor({
  repository: 'registry.example:5000/team/app',
  domain: 'registry.example:5000',
  path: 'team/app',
  tag: 'v1',
});
for (const { root, dialTimeoutMs, isMirror } of hosts) console.log(root, dialTimeoutMs, isMirror);
await rm(folder, { recursive: true });

// Prints:
// http://mirror.example:8080/v2 2000 true
// https://registry.example:5000/v2 30000 false
