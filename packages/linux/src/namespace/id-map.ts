import { writeFileSync } from 'node:fs';

/** A range of ids inside a user namespace and where it lies outside. */
export interface IdMapping {
  containerId: number;
  hostId: number;
  size: number;
}

const render = (mappings: IdMapping[]) =>
  mappings.map(({ containerId, hostId, size }) => `${containerId} ${hostId} ${size}\n`).join('');

/** Writes the id maps of a process that has just entered a new user namespace; each can be written once (user_namespaces(7)). */
export function writeIdMaps(pid: number, maps: { uids: IdMapping[]; gids: IdMapping[] }): void {
  writeFileSync(`/proc/${pid}/uid_map`, render(maps.uids));
  writeFileSync(`/proc/${pid}/gid_map`, render(maps.gids));
}
