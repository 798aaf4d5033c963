/** Answers of two API servers, compared but for what no two have in common. */
import assert from 'node:assert/strict';
import type { Asked, TwoServers } from './two-servers.ts';

/** What no two servers, or moments, have in common. */
const volatile: ReadonlySet<string> = new Set([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'time', 'continue'],
  ...['startTime', 'credential-id', 'authentication.kubernetes.io/credential-id'],
]);

/**
 * Ours says of details that there are none, and its tables do not describe their columns; upstream says of a list of custom
 * resources that nothing follows.
 */
const isOwn = (name: string, part: unknown) =>
  name === 'description' ||
  (name === 'continue' && part === '') ||
  (name === 'details' && Object.keys(part as object).length === 0);

/** A document with what is of the moment replaced, so that its absence is seen. */
export function settled(value: unknown, isKept: (name: string) => boolean = () => true): unknown {
  if (typeof value === 'string') return value.replaceAll(/\b\d{3,4}\b(?=,|$)/g, '…');
  if (Array.isArray(value)) return value.map((item) => settled(item, isKept));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, part]) => isKept(name) && !isOwn(name, part));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, volatile.has(name) ? '…' : settled(part, isKept)]),
  );
}

/** The same of a text; one that is no JSON stays as it is. */
export function parsed(text: string): unknown {
  try {
    return settled(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The same code and the same document of both, for each request in its turn. */
export async function compareAnswers(two: TwoServers, all: readonly Asked[]): Promise<void> {
  const differences: string[] = [];
  for (const asked of all) {
    const answers: unknown[] = [];
    for (const url of two.urls) {
      const { code, text } = await two.ask(url, asked);
      answers.push({ code, body: parsed(text) });
    }
    try {
      assert.deepEqual(answers[0], answers[1]);
    } catch (error) {
      differences.push(`${asked.method} ${asked.path}: ${(error as Error).message}`);
    }
  }
  assert.equal(differences.length, 0, differences.join('\n\n'));
}
