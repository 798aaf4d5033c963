import { BlockList, isIP } from 'node:net';
import { isLoopbackHost } from '@wherry/bytes';

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const;

/** What of the environment says which proxy to take, in upper case; lower-case variables count where those are empty. */
export type ProxyEnvironment = Partial<Record<(typeof names)[number], string>>;

/**
 * The variables for requests to one host; undefined when no proxy is for it: on loopback, and for addresses in a range
 * of `NO_PROXY`, as Go has it. Names in `NO_PROXY` are Node's matter (`proxyEnv` of its agents).
 */
export function proxyFor(host: string, environment: NodeJS.ProcessEnv): ProxyEnvironment | undefined {
  if (isLoopbackHost(withoutPort(host))) return undefined;
  const found: ProxyEnvironment = {};
  for (const name of names) {
    const value = variable(environment, name) || variable(environment, name.toLowerCase());
    if (value) found[name] = value;
  }
  if (!found.HTTP_PROXY && !found.HTTPS_PROXY) return undefined;
  return isInRanges(host, found.NO_PROXY ?? '') ? undefined : found;
}

const variable = (environment: NodeJS.ProcessEnv, name: string) =>
  Object.hasOwn(environment, name) ? environment[name] : undefined;

const withoutPort = (host: string) => host.replace(/:\d+$/, '');

/** Whether a host is an address within a range such as `10.0.0.0/8`. */
function isInRanges(host: string, list: string): boolean {
  const address = withoutPort(host).replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  if (family === 0) return false;
  const ranges = new BlockList();
  for (const [base = '', length = ''] of list.split(',').map((entry) => entry.trim().split('/'))) {
    const bits = Number(length);
    if (length === '' || isIP(base) !== family || !Number.isInteger(bits) || bits > (family === 4 ? 32 : 128))
      continue;
    ranges.addSubnet(base, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return ranges.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
