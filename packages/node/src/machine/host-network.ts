import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { ownValue } from '@wherry/kubeapi/objects';
import { NodeError } from '../errors.ts';
import { lastingAddressV6 } from './address-v6.ts';

/** Where ranges for pods are taken from, the first that has a free one: podman's own network is all of the first. */
const podNetworks = [
  [10, 88],
  [10, 67],
] as const;
const rangesPerNetwork = 256;

/** The IPv4 address that other machines know this one by; loopback when it has no other. */
export function primaryAddress(): string {
  const interfaces = networkInterfaces();
  const withDefaultRoute = ownValue(interfaces, defaultRouteInterface() ?? '')?.find(isOutward);
  const any = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .find(isOutward);
  return (withDefaultRoute ?? any)?.address ?? '127.0.0.1';
}

/** The IPv6 address beside it; undefined where the machine has none that lasts. */
export const primaryAddressV6 = (): string | undefined => lastingAddressV6(defaultRouteInterface() ?? '');

/** Whether an interface of this machine has the address now. */
export const isOwnAddress = (wanted: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === wanted));

function isOutward(address: NetworkInterfaceInfo): boolean {
  return address.family === 'IPv4' && !address.internal;
}

/** A line of the machine's routes of IPv4, addresses as numbers. */
export interface Route {
  device: string;
  destination: number;
  mask: number;
}

function readRoutes(): Route[] {
  const lines = readFileSync('/proc/net/route', 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [device = '', destination = '0', , , , , , mask = '0'] = line.split('\t');
    return { device, destination: hostOrder(destination), mask: hostOrder(mask) };
  });
}

/** /proc/net/route prints addresses as the little-endian machine holds them. */
function hostOrder(hex: string): number {
  return Buffer.from(hex.padStart(8, '0'), 'hex').readUInt32LE();
}

function defaultRouteInterface(): string | undefined {
  return readRoutes().find((route) => route.mask === 0)?.device;
}

/**
 * A /24 for pods that overlaps no route of this machine and is not taken. The search starts at a place that
 * `seed` decides, so that nodes started at the same moment meet rarely. Throws `NodeError` `no-pod-range`.
 */
export function choosePodCidr(
  seed: number,
  isTaken: (range: string) => boolean,
  routes: readonly Route[] = readRoutes(),
): string {
  const taken = routes.filter((route) => route.mask !== 0);
  for (const [first, second] of podNetworks) {
    for (let offset = 0; offset < rangesPerNetwork; offset += 1) {
      const third = (seed + offset) % rangesPerNetwork;
      const base = ((first << 24) | (second << 16) | (third << 8)) >>> 0;
      const cidr = `${first}.${second}.${third}.0/24`;
      if (!isTaken(cidr) && !taken.some((route) => overlaps(route, base))) return cidr;
    }
  }
  throw new NodeError(
    'no-pod-range',
    'no free /24 is left in 10.88.0.0/16 and 10.67.0.0/16 for pods; end other nodes, remove their routes, or choose a range with --pod-cidr',
  );
}

function overlaps(route: Route, base: number): boolean {
  const podMask = 0xffffff00;
  const common = (route.mask & podMask) >>> 0;
  return (route.destination & common) >>> 0 === (base & common) >>> 0;
}

/** Where any port is taken from: below those of services, and those that the kernel gives to who connects somewhere while a node is down. */
const anyPorts = { first: 20_000, last: 29_999 } as const;
const anyPortTriesMax = 100;

/**
 * `wanted` when it is free, else any free port unless the user asked for that very one. 0 asks for any.
 * Throws `NodeError` when `isExplicit` and the port is taken.
 */
export async function choosePort(wanted: number, isExplicit: boolean, flag: string): Promise<number> {
  if (wanted !== 0 && (await isFree(wanted))) return wanted;
  if (wanted !== 0 && isExplicit)
    throw new NodeError('port-taken', `port ${wanted} is taken; choose another with ${flag}, or 0 for any`);
  const { first, last } = anyPorts;
  for (let tries = 0; tries < anyPortTriesMax; tries++) {
    const port = randomInt(first, last + 1);
    if (await isFree(port)) return port;
  }
  throw new NodeError(
    'port-taken',
    `no free port was found from ${first} to ${last}; choose one with ${flag}`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
