import { readFileSync, writeFileSync } from 'node:fs';
import { NamespaceMode, type PodSandboxConfig } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { namespaceModes } from './sandbox-files.ts';

/** What containerd sets in every pod network: images bind port 80 and send pings without extra rights. */
const networkDefaults: Record<string, string> = {
  'net.ipv4.ip_unprivileged_port_start': '0',
  'net.ipv4.ping_group_range': '0 2147483647',
};

/** The sysctls of a sandbox: the request's, over the defaults of a network of its own. */
export function sandboxSysctls(config: PodSandboxConfig): Record<string, string> {
  const own = config.linux?.sysctls ?? {};
  return namespaceModes(config).network === NamespaceMode.NODE ? own : { ...networkDefaults, ...own };
}

const namespaced = /^(net|fs\.mqueue|kernel\.(shm|msg|sem|domainname|hostname))/;

/** Sets sysctls in the namespaces of this thread. Throws `RuntimeError` INVALID_ARGUMENT for one that is not per namespace. */
export function applySysctls(sysctls: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(sysctls)) {
    const dotted = name.replaceAll('/', '.');
    if (!namespaced.test(dotted) || dotted.includes('..')) {
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `sysctl "${name}" belongs to the whole machine and cannot be set for a pod`,
      );
    }
    const path = `/proc/sys/${name.includes('/') ? name : name.replaceAll('.', '/')}`;
    try {
      if (readFileSync(path, 'utf8').trim() !== value) writeFileSync(path, value);
    } catch (error) {
      throw new RuntimeError('INVALID_ARGUMENT', `sysctl ${name}=${value} cannot be set: ${String(error)}`, {
        cause: error,
      });
    }
  }
}
