import type { ServerResponse } from 'node:http';
import type { HealthPages } from '@wherry/telemetry';
import { sendPageNotFound } from '../http/page-not-found.ts';
import type { Query } from '../http/query.ts';

/** Answers `/livez`, `/readyz` and `/healthz`, and the paths of single checks below them: 404 where there is no such check. */
export function serveHealth(pages: HealthPages, path: string, query: Query, response: ServerResponse): void {
  const answer = pages.answer(path, { isVerbose: query.has('verbose'), excluded: query.list('exclude') });
  if (!answer) {
    sendPageNotFound(response);
    return;
  }
  const body = Buffer.from(answer.text);
  response.writeHead(answer.status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
