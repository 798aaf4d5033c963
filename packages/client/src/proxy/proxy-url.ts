/** Port of each kind of proxy when its URL names none. */
export const defaultProxyPorts: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
  ['socks5:', 1080],
  ['socks5h:', 1080],
]);

/** What is wrong with a `proxy-url`, in client-go's words; undefined when nothing is. */
export function proxyUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url) return `could not parse: ${text}`;
  if (defaultProxyPorts.has(url.protocol))
    return url.hostname === '' ? `could not parse: ${text}` : undefined;
  return `unsupported scheme "${url.protocol.slice(0, -1)}", must be http, https, or socks5`;
}

/** The proxy as it may stand in a message: without its password. */
export function describeProxy(proxy: URL): string {
  const host = proxy.port ? proxy.host : `${proxy.hostname}:${defaultProxyPorts.get(proxy.protocol)}`;
  return `${proxy.protocol}//${host}`;
}

/** Host name as sockets want it: an IPv6 address without its brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
