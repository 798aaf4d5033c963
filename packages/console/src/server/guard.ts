import type { IncomingMessage } from 'node:http';
import { headerLines, isUpgradeRequest } from '@wherry/upgrade';
import { refusal } from '../answers/refusal.ts';

/** Who asks, as far as a browser says it truly: Host, Origin and Sec-Fetch-Site are not a page's to choose. */
type Asking = Pick<IncomingMessage, 'method' | 'rawHeaders'>;

/**
 * Refuses what no page of this console asks for, and that before anything else is looked at: a name that somebody else's
 * DNS leads here (rebinding), a page of another origin, also on another port of this machine, a WebSocket that does not say
 * whose it is, other methods than GET, bodies. `isEntry`: the login link, which may stand anywhere. Throws `StatusError`.
 */
export function checkAsking(request: Asking, { port, isEntry }: { port: number; isEntry: boolean }): void {
  const hosts = headerLines(request, 'host');
  const [host = ''] = hosts;
  const known = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (hosts.length !== 1 || !known.includes(host))
    throw refusal(
      403,
      `Host ${JSON.stringify(host)} is not this console; it answers to ${known.join(' and ')}`,
    );
  for (const origin of headerLines(request, 'origin'))
    if (origin !== originOf(host)) throw refusal(403, `Origin ${JSON.stringify(origin)} is another page's`);
  const isUpgrade = isUpgradeRequest(request);
  if (isUpgrade && headerLines(request, 'origin').length !== 1)
    throw refusal(403, 'a WebSocket has to say one Origin');
  const own = isEntry ? ['same-origin', 'none', 'same-site', 'cross-site'] : ['same-origin', 'none'];
  for (const site of headerLines(request, 'sec-fetch-site'))
    if (!own.includes(site)) throw refusal(403, `Sec-Fetch-Site ${JSON.stringify(site)}: another page asks`);
  if (request.method !== 'GET')
    throw refusal(
      405,
      `method ${JSON.stringify(request.method)} is not passed on; the console reads with GET`,
    );
  const hasBody = ['content-length', 'transfer-encoding'].some((name) =>
    headerLines(request, name).some((value) => value !== '0'),
  );
  if (hasBody) throw refusal(400, 'a request with a body is not passed on');
}

const originOf = (host: string): string => ['http', host].join('://');
