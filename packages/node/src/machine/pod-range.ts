import { existsSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { blockListOf, familyOf, RouteNetlink, splitPrefix } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import type { NodeLayout } from '../layout/layout.ts';
import { choosePodCidr } from './host-network.ts';

/** A link for each range that a node of this machine has, to that node's folder. */
const claimsFolder = '/run/wherry-pod-ranges';

/**
 * Takes a range for pods that no route of the machine and no other node has, also one that is down or is starting at the
 * same moment. The range is the node's until its purge; what a folder that is gone had is free again. Throws `NodeError`
 * `no-pod-range`.
 */
export function claimPodRange(layout: NodeLayout): string {
  for (;;) {
    const claims = readClaims();
    const taken = claims.filter(({ owner }) => owner !== layout.dataDir && existsSync(owner));
    const isTaken = (range: string) => taken.some((claim) => overlap(claim.range, range));
    const range = choosePodCidr(Number.parseInt(layout.id, 16), isTaken);
    const earlier = claims.find((claim) => claim.range === range);
    if (earlier?.owner === layout.dataDir) return range;
    if (earlier) rmSync(linkOf(range), { force: true });
    if (tryClaim(range, layout.dataDir)) return range;
  }
}

/** Takes these ranges. Throws `NodeError` `no-pod-range` where a route of the machine or another node has some of one. */
export function claimPodRanges(layout: NodeLayout, ranges: readonly string[]): void {
  using netlink = new RouteNetlink();
  const routes = netlink.routes().filter(({ to }) => to !== 'default' && !/\/0$/.test(to));
  for (const range of ranges) {
    const route = routes.find(({ to }) => overlap(to, range));
    const owner = readClaims().find((claim) => claim.owner !== layout.dataDir && overlap(claim.range, range));
    const holder = route
      ? `a route to ${route.to}`
      : owner && existsSync(owner.owner) && `the node in "${owner.owner}"`;
    if (holder) throw new NodeError('no-pod-range', `pods cannot have ${range}: ${holder} has some of it`);
    if (owner) rmSync(linkOf(owner.range), { force: true });
    if (!tryClaim(range, layout.dataDir) && readlinkSync(linkOf(range)) !== layout.dataDir)
      throw new NodeError('no-pod-range', `pods cannot have ${range}: another node has just taken it`);
  }
}

/** Whether two ranges have addresses in common. */
function overlap(one: string, other: string): boolean {
  const family = familyOf(one);
  if (familyOf(other) !== family) return false;
  const type = family === 'ip6' ? 'ipv6' : 'ipv4';
  const holds = (range: string, inner: string) =>
    blockListOf([range]).check(splitPrefix(inner).address, type);
  return holds(one, other) || holds(other, one);
}

/** Gives the node's ranges back. */
export function releasePodRange(layout: NodeLayout): void {
  for (const { range, owner } of readClaims())
    if (owner === layout.dataDir) rmSync(linkOf(range), { force: true });
  try {
    rmdirSync(claimsFolder);
  } catch {
    // Other nodes have ranges, or nobody had one.
  }
}

/** `10.88.7.0/24` is the link `10.88.7.0`, of any other length its length is in the name: `fd00:7::-64`. */
const linkOf = (range: string) => join(claimsFolder, range.replace(/\/24$/, '').replace('/', '-'));
const rangeOf = (name: string) => (name.includes('-') ? name.replace('-', '/') : `${name}/24`);

function readClaims(): { range: string; owner: string }[] {
  const names = orIfGone(() => readdirSync(claimsFolder), []);
  return names.flatMap((name) => {
    const owner = orIfGone(() => readlinkSync(join(claimsFolder, name)), undefined);
    return owner === undefined ? [] : [{ range: rangeOf(name), owner }];
  });
}

/** Claims come and go while they are read. */
function orIfGone<Found, Else>(look: () => Found, otherwise: Else): Found | Else {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}

/** A link is there with its content or not at all, so that nobody reads half a claim. */
function tryClaim(range: string, dataDir: string): boolean {
  try {
    mkdirSync(claimsFolder, { recursive: true, mode: 0o700 });
    symlinkSync(dataDir, linkOf(range));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}
