/** `/statusz` and `/flagz` as text (KEP-4827, KEP-4828). */
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../answers.ts';

/** What `/statusz` tells. */
export interface ProcessFacts {
  startedMs: number;
  nowMs: number;
  version: string;
  paths: readonly string[];
}

/** Refuses who takes no text: the structured forms are not served. */
export function requireText({ headers }: IncomingMessage): void {
  const accept = headers.accept?.trim();
  if (!accept) return;
  const types = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  if (types.some((type) => type === '*/*' || type === 'text/*' || type === 'text/plain')) return;
  throw new HttpError(406, `only text/plain is served here, which "Accept: ${accept}" leaves out`);
}

export function statusz({ startedMs, nowMs, version, paths }: ProcessFacts): string {
  const lines = [
    `Started: ${new Date(startedMs).toUTCString()}`,
    `Up: ${uptime(Math.max(0, nowMs - startedMs))}`,
    `Node version: ${process.version}`,
    `Binary version: ${version.replace(/^v/, '')}`,
    `Paths: ${paths.toSorted().join(' ')}`,
  ];
  return `${head('statusz')}\n${lines.join('\n')}\n`;
}

/** Flags and their values, one a line. */
export function flagz(flags: Readonly<Record<string, string>>): string {
  const lines = Object.entries(flags).map(([name, value]) => `${name}=${value}\n`);
  return `${head('flagz')}${lines.sort().join('')}`;
}

const head = (page: string) =>
  `\nkubelet ${page}\nWarning: this page is for people who look for a fault; its form may change at any time.\n`;

function uptime(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1_000);
  const twoDigits = (count: number) => String(count % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} hr ${twoDigits(minutes)} min ${twoDigits(seconds)} sec`;
}
