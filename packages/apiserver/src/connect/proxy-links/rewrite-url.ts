/** What links of a backend are led through. */
export interface ProxyPlace {
  /** The path of the proxy, up to where the backend's own begins: `/api/v1/…/proxy`. */
  path: string;
  /** `host:port` of the backend, and what the client calls this server: both mean the backend in its answers. */
  hosts: readonly (string | undefined)[];
}

/**
 * A link of the backend's as it works through the proxy (upstream: apimachinery pkg/util/proxy rewriteURL): absolute
 * paths come behind the proxy's; relative ones, and other machines', stay.
 */
export function rewriteUrl(text: string, { path, hosts }: ProxyPlace): string {
  const [, authority, target = ''] = /^(?:(?:https?:)?\/\/([^/?#]*))?(.*)$/is.exec(text) ?? [];
  if (authority !== undefined && !hosts.includes(authority)) return text;
  if (!target.startsWith('/')) return text;
  const isThere = target === path || target.startsWith(`${path}/`);
  return isThere ? target : `${path}${target}`;
}
