import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinNamespaces, RouteNetlink, unpinNamespace, withNetworkNamespace } from '@wherry/linux';

// A network namespace that lives without a process in it, with its loopback up.
const directory = mkdtempSync(join(tmpdir(), 'pinned-'));
const { net } = pinNamespaces({
  types: ['net'],
  directory,
  inside: () => {
    using routes = new RouteNetlink();
    routes.setLink('lo', { up: true });
  },
});

const links = withNetworkNamespace(net!, () => {
  using routes = new RouteNetlink();
  return routes
    .links()
    .filter(({ up }) => up)
    .map(({ name, mtu }) => `${name} ${mtu}`);
});
console.log(links);

unpinNamespace(net!);
rmSync(directory, { recursive: true });

// Prints:
// [ 'lo 65536' ]
