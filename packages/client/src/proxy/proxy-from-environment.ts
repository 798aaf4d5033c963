import { isLoopbackHost } from '@wherry/bytes';
import { ownValue } from '@wherry/kubeapi/objects';
import { noProxyMatcher } from './no-proxy.ts';
import { bareHost } from './proxy-url.ts';

const httpsPort = 443;
const httpPort = 80;

/**
 * The proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (or their lower-case forms) name for a server, as Go reads
 * them. Loopback servers are never proxied. A proxy without a scheme is an http one.
 */
export function proxyFromEnvironment(
  server: URL,
  environment: NodeJS.ProcessEnv = process.env,
): URL | undefined {
  const isSecure = server.protocol === 'https:';
  // In a CGI program HTTP_PROXY is what a request's "Proxy:" header says: it is left alone.
  if (!isSecure && environment['REQUEST_METHOD']) return undefined;
  const proxy = parseProxy(variable(environment, isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY'));
  if (!proxy) return undefined;
  const host = bareHost(server).toLowerCase();
  if (isLoopbackHost(host)) return undefined;
  const port = Number(server.port) || (isSecure ? httpsPort : httpPort);
  const wantsNone = noProxyMatcher(variable(environment, 'NO_PROXY'));
  return wantsNone({ host, port }) ? undefined : proxy;
}

function variable(environment: NodeJS.ProcessEnv, name: string): string {
  return ownValue(environment, name) || ownValue(environment, name.toLowerCase()) || '';
}

function parseProxy(text: string): URL | undefined {
  if (text === '') return undefined;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return URL.parse(withScheme) ?? undefined;
}
