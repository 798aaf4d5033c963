import type { ServerResponse } from 'node:http';
import { resources } from '@wherry/kubeapi';

/** Below these a path that leads nowhere is told by a Status, as upstream's routes of go-restful do. */
const ofRoutes = /^\/(apis?|version|openapi\/v3|\.well-known\/openid-configuration|openid\/v1\/jwks)(\/|$)/;

/** Whether upstream tells of a path that leads nowhere in plain text, as Go's own handler does. */
export function isToldInText(path: string): boolean {
  const [, root, group = ''] = path.split('/');
  return !ofRoutes.test(path) || (root === 'apis' && group !== '' && !builtInGroups.has(group));
}

/** Others than these come by definitions, whose handler leads what it does not know to Go's http.NotFound. */
const builtInGroups: ReadonlySet<string> = new Set(resources.map(({ group }) => group));

/** Answers 404 as Go's http.NotFound does. */
export function sendPageNotFound(response: ServerResponse): void {
  const body = Buffer.from('404 page not found\n');
  response.writeHead(404, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache, private',
  });
  response.end(body);
}
