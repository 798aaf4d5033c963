import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@wherry/linux';
import { type HostTls, plainTls } from './registry-host.ts';

/**
 * TLS by docker's file names in a host's folder: `*.crt` are authorities, `NAME.cert` with `NAME.key` client certificates
 * (a `.cert` without its `.key` holds the key too). No folder is no files.
 */
export async function certificateFiles(folder: string): Promise<HostTls> {
  const names = await readdir(folder).catch((error) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  const present = new Set(names);
  const certificates = names
    .filter((name) => name.endsWith('.cert'))
    .sort()
    .map((name) => {
      const key = name.replace(/\.cert$/, '.key');
      return { certificate: join(folder, name), key: join(folder, present.has(key) ? key : name) };
    });
  const authorities = names.filter((name) => name.endsWith('.crt')).sort();
  if (certificates.length === 0 && authorities.length === 0) return plainTls;
  return { authorities: authorities.map((name) => join(folder, name)), certificates };
}
