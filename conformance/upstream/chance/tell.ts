/** Tells stories to two servers, and what their answers differ in. */
import { eventually } from '../../../e2e/node.ts';
import type { Asked, TwoServers } from '../two-servers.ts';
import { differencesBetween } from './differences.ts';
import { definitions } from './kinds.ts';
import { Memory } from './memory.ts';
import { story } from './stories.ts';

/** A request that was answered in two ways. */
export interface Difference {
  seed: number;
  step: number;
  asked: Asked;
  /** Ours first. */
  codes: readonly number[];
  /** A line for each place. */
  lines: readonly string[];
}

/** Defines what stories need. */
export async function prepare(two: TwoServers): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const url of two.urls) {
    for (const body of definitions) await two.ask(url, { method: 'POST', path, body });
    for (const plural of ['gears', 'racks'])
      await eventually(plural, async () => {
        const asked = { method: 'GET', path: `/apis/story.example.com/v1/${plural}` };
        return (await two.ask(url, asked)).code === 200;
      });
  }
}

/** What the two answer differently to the story of a seed. */
export async function tell(two: TwoServers, seed: number, length: number): Promise<Difference[]> {
  const memories = two.urls.map(() => new Memory());
  const found: Difference[] = [];
  for (const [step, asked] of story(seed, length).entries()) {
    const answers = await Promise.all(
      two.urls.map(async (url, at) => {
        const memory = memories[at]!;
        const text = typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body);
        const filled = { ...asked, path: memory.filled(asked.path), body: text && memory.filled(text) };
        const answer = await two.ask(url, filled);
        return { code: answer.code, shown: memory.shown(asked.path, answer) };
      }),
    );
    const [ours, theirs] = answers;
    const lines = differencesBetween(ours!.shown, theirs!.shown);
    const codes = answers.map(({ code }) => code);
    if (lines.length > 0) found.push({ seed, step, asked, codes, lines });
  }
  return found;
}

/** A request as one line. */
export function requestText({ method, path, type = '', headers = {}, body }: Asked): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return [method, path, type, ...Object.values(headers), text].filter((part) => part !== '').join(' ');
}
