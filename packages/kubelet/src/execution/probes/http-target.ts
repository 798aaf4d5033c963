import { type Container, type HTTPGetAction, setOwn } from '@wherry/kubeapi';

/** The number of a port that may be named among the container's ports. Throws when it names none. */
export function portNumber(port: number | string, container: Container): number {
  const number = typeof port === 'number' ? port : Number(port);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  const named = container.ports?.find(({ name }) => name === port)?.containerPort;
  if (named === undefined)
    throw new Error(`couldn't find port: ${JSON.stringify(port)} in container ${container.name}`);
  return named;
}

/** Where and with which headers an httpGet handler asks. */
export function httpTarget(
  get: HTTPGetAction,
  context: { podIp: string; container: Container; userAgent: string },
): { url: URL; headers: Record<string, string | string[]> } {
  const host = get.host || context.podIp;
  const scheme = (get.scheme ?? 'HTTP').toLowerCase();
  const address = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const path = get.path?.startsWith('/') ? get.path : `/${get.path ?? ''}`;
  const url = new URL(`${scheme}://${address}:${portNumber(get.port, context.container)}${path}`);
  const headers: Record<string, string | string[]> = { 'user-agent': context.userAgent, accept: '*/*' };
  for (const { name, value = '' } of get.httpHeaders ?? []) setOwn(headers, name.toLowerCase(), value);
  return { url, headers };
}
