import type { OutgoingHttpHeaders } from 'node:http';

/** Sent with every answer: nothing is kept by anybody, embedded, guessed at or told elsewhere. */
const always: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * The page loads and asks only its own server. Scripts are files of it; styles may stand in the page, since xterm.js writes
 * the colours and sizes of a terminal so. Text becomes markup nowhere but in the templates of lit-html.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of the page and its files. */
export const pageHeaders = (contentType: string): OutgoingHttpHeaders => ({
  ...always,
  'content-security-policy': pagePolicy,
  'content-type': contentType,
});

/** Headers of what the cluster says: opened by itself it is text without rights, whatever a container wrote. */
export const dataHeaders = (contentType: string): OutgoingHttpHeaders => ({
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-type': contentType,
});
