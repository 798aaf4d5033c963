import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses of the node, at most one of each family, as statuses of pods have them: those given, else what its name resolves to, else that of the default route. */
export async function nodeIps(given: string, nodeName: string): Promise<string[]> {
  if (given) {
    const ips = given.split(',').map((ip) => ip.trim());
    const bad = ips.find((ip) => isIP(ip) === 0);
    if (bad !== undefined) throw new Error(`node IP "${bad}" is no IP address`);
    if (new Set(ips.map(isIP)).size < ips.length)
      throw new Error(
        `node IP "${given}" has two addresses of a family: give one of IPv4, one of IPv6, or both`,
      );
    return ips;
  }
  const named = await lookup(nodeName).then(
    ({ address }) => address,
    () => '',
  );
  if (named && !isLoopback(named)) return [named];
  return [(await defaultRouteIp()) ?? firstInterfaceIp() ?? '127.0.0.1'];
}

function isLoopback(ip: string): boolean {
  return ip.startsWith('127.') || ip === '::1';
}

/** The source address the kernel picks for the world outside; no packet is sent. */
function defaultRouteIp(): Promise<string | undefined> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    const end = (ip: string | undefined) => {
      socket.close();
      resolve(ip);
    };
    socket.once('error', () => end(undefined));
    socket.connect(9, '192.0.2.1', () => {
      const { address } = socket.address();
      end(isLoopback(address) || address === '0.0.0.0' ? undefined : address);
    });
  });
}

function firstInterfaceIp(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry && !entry.internal && entry.family === 'IPv4')?.address;
}
