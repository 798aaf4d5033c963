import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isCriError } from '@wherry/cri';
import { exposition } from '@wherry/telemetry';
import { encodeAnswer, finishWith, type HttpAnswer, plainTextAnswer } from '@wherry/upgrade';
import { describe } from '../ground/describe-error.ts';

/** An answer that ends a request: its HTTP status, and the text that kubectl shows. */
export class HttpError extends Error {
  readonly statusCode: number;
  readonly headers: HttpAnswer['headers'];

  constructor(statusCode: number, message: string, headers: HttpAnswer['headers'] = []) {
    super(message);
    this.name = 'HttpError';
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** Any failure as an answer, by upstream's table: a full token cache is 429, an unknown container 404, the rest 500. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (isCriError(error, 'NOT_FOUND')) return new HttpError(404, describe(error));
  if (isCriError(error, 'RESOURCE_EXHAUSTED')) {
    return new HttpError(429, describe(error), [['Retry-After', '60']]);
  }
  return new HttpError(500, describe(error));
}

/** Ends a plain request with an error. After the first byte only the connection can be broken off. */
export function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { statusCode, message, headers } = toHttpError(error);
  const answer = plainTextAnswer(statusCode, message, headers);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.statusCode = statusCode;
  response.end(answer.body);
}

/** Ends an upgrade request with an error. */
export function refuseUpgrade(socket: Duplex, error: unknown): void {
  const { statusCode, message, headers } = toHttpError(error);
  finishWith(socket, encodeAnswer(plainTextAnswer(statusCode, message, headers)));
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', body.length);
  response.end(body);
}

/** Answers with a page of metrics, as text or in protobuf, whichever is asked for. */
export function answerMetrics(response: ServerResponse, page: string): void {
  const { type, body } = exposition(page, response.req.headers.accept);
  response.setHeader('content-type', type);
  response.end(body);
}

/** Answers with text of the given type. */
export function answerText(response: ServerResponse, text: string, type = 'text/plain; charset=utf-8'): void {
  response.setHeader('content-type', type);
  response.end(text);
}

/** Answers with a page of HTML that holds no script. */
export function answerHtml(response: ServerResponse, html: string): void {
  response.setHeader('content-security-policy', "default-src 'none'");
  answerText(response, `<!doctype html>\n${html}`, 'text/html; charset=utf-8');
}

/** Aborts when the client leaves, or has left by now: who it is and what it may takes time to find out. */
export function leavingOf(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort(new Error('the client left'));
  response.once('close', leave);
  if (response.destroyed) leave();
  return left.signal;
}
