import { existsSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
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
    const range = choosePodCidr(Number.parseInt(layout.id, 16), new Set(taken.map(({ range }) => range)));
    const earlier = claims.find((claim) => claim.range === range);
    if (earlier?.owner === layout.dataDir) return range;
    if (earlier) rmSync(linkOf(range), { force: true });
    if (tryClaim(range, layout.dataDir)) return range;
  }
}

/** Gives the node's range back. */
export function releasePodRange(layout: NodeLayout): void {
  for (const { range, owner } of readClaims())
    if (owner === layout.dataDir) rmSync(linkOf(range), { force: true });
  try {
    rmdirSync(claimsFolder);
  } catch {
    // Other nodes have ranges, or nobody had one.
  }
}

/** `10.88.7.0/24` is the link `10.88.7.0`. */
const linkOf = (range: string) => join(claimsFolder, range.replace(/\/.*$/, ''));

function readClaims(): { range: string; owner: string }[] {
  const names = orIfGone(() => readdirSync(claimsFolder), []);
  return names.flatMap((name) => {
    const owner = orIfGone(() => readlinkSync(join(claimsFolder, name)), undefined);
    return owner === undefined ? [] : [{ range: `${name}/24`, owner }];
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
