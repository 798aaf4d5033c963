import { isIP } from 'node:net';
import { dnsSubdomain } from '@wherry/kubeapi';

/** A server that may be dialed: an address, so that what was checked is what is dialed; a name only where a proxy dials. */
export interface Backend {
  scheme: 'http' | 'https';
  /** IPv4 or IPv6, without brackets, or a name as {@link isDialledName} has it. */
  address: string;
  port: number;
  /** A proxy dials it, which a name may be left to. Default false. */
  isRemote?: boolean | undefined;
}

const portMax = 65_535;
/** What Go leaves as it is in a path besides letters, digits and `-_.~`. */
const plainInPaths = /%(24|26|2B|2C|3A|3B|3D|40)/g;

/** A host name in lower case, none that URLs take for a number of an address. */
export const isDialledName = (name: string): boolean =>
  dnsSubdomain(name).length === 0 && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(name);

/** A port number, or undefined for any other text: `80@host`, `0x50`, `+80` and `0` are none. */
export function parsePort(text: string): number | undefined {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= portMax ? port : undefined;
}

/**
 * The one way in which this server makes a URL that it sends requests to: from parts, each checked or escaped, so that
 * no part can become another. `path` is decoded, `search` is a query as it came, without its question mark. Throws
 * `TypeError` on parts that are none, which callers have checked before.
 */
export function backendUrl(
  { scheme, address, port, isRemote = false }: Backend,
  path: string,
  search = '',
): URL {
  const family = isIP(address);
  if ((family === 0 && !(isRemote && isDialledName(address))) || address.includes('%'))
    throw new TypeError(`"${address}" is no address to dial`);
  if (!Number.isInteger(port) || port < 1 || port > portMax) throw new TypeError(`${port} is no port`);
  const url = new URL(scheme === 'https' ? 'https://0.0.0.0/' : 'http://0.0.0.0/');
  url.hostname = family === 6 ? `[${address}]` : address;
  url.port = String(port);
  url.pathname = escapePath(path);
  url.search = search;
  return url;
}

function escapePath(path: string): string {
  const escaped = path.split('/').map((segment) => encodeURIComponent(segment));
  return escaped.join('/').replace(plainInPaths, (match) => decodeURIComponent(match));
}
