/** Tells stories to two servers, and what their answers differ in. */
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@wherry/kubeapi';
import { eventually } from '../../../e2e/node.ts';
import type { Answered, Asked, TwoServers } from '../two-servers.ts';
import { differencesBetween } from './differences.ts';
import { Memory } from './memory.ts';
import { parseAnswer } from './settled-answers.ts';

/** A body that is sent in another form than JSON. */
export interface FormedBody {
  json: JsonValue;
  /** A word for it. */
  form: string;
  /** What is sent of the JSON, once it is filled in. */
  bytesOf(text: string): Buffer;
}

/** What an answer holds: its objects, and what else of its form both servers should have. */
export type OpenAnswer = (answer: Answered) => Promise<unknown[]>;

const openJson: OpenAnswer = async ({ text }) => parseAnswer(text);

/** A request that was answered in two ways. */
export interface Difference {
  step: number;
  asked: Asked;
  /** Ours first. */
  codes: readonly number[];
  /** A line for each place. */
  lines: readonly string[];
}

/** Defines what stories need, and waits until it is served. */
export async function prepare(two: TwoServers, definitions: readonly JsonObject[]): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const url of two.urls) {
    for (const body of definitions) {
      const { code, text } = await two.ask(url, { method: 'POST', path, body });
      assert.equal(code, 201, text);
    }
    for (const { metadata } of definitions) {
      const [plural, ...group] = (metadata as { name: string }).name.split('.');
      await eventually(`${plural}`, async () => {
        const asked = { method: 'GET', path: `/apis/${group.join('.')}/v1/${plural}` };
        return (await two.ask(url, asked)).code === 200;
      });
    }
  }
}

/** What the two answer differently to the requests of a story. */
export async function tell(
  two: TwoServers,
  story: readonly Asked[],
  open: OpenAnswer = openJson,
): Promise<Difference[]> {
  const memories = two.urls.map(() => new Memory());
  const found: Difference[] = [];
  for (const [step, asked] of story.entries()) {
    const answers = await Promise.all(
      two.urls.map(async (url, at) => {
        const memory = memories[at]!;
        const filled = { ...asked, path: memory.filled(asked.path), body: written(asked.body, memory) };
        const answer = await two
          .ask(url, filled)
          .catch((error: Error) => ({ code: 0, headers: {}, text: error.message, bytes: Buffer.alloc(0) }));
        const shown = memory.shown(asked.path, answer, await open(answer));
        return { code: answer.code, shown };
      }),
    );
    const [ours, theirs] = answers;
    const lines = differencesBetween(ours!.shown, theirs!.shown);
    const codes = answers.map(({ code }) => code);
    if (lines.length > 0) found.push({ step, asked, codes, lines });
  }
  return found;
}

function written(body: unknown, memory: Memory): string | Buffer | undefined {
  const formed = isFormed(body) ? body : undefined;
  const said = formed ? formed.json : body;
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  const filled = text && memory.filled(text);
  return formed && filled !== undefined ? formed.bytesOf(filled) : filled;
}

const isFormed = (body: unknown): body is FormedBody =>
  typeof body === 'object' && body !== null && 'bytesOf' in body;

/** A request as one line. */
export function requestText({ method, path, type = '', headers = {}, body }: Asked): string {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  const said = text.replaceAll(/(\w{1,9} )\1{99,}/g, '$1… ');
  return [method, path, type, ...Object.values(headers), said].filter((part) => part !== '').join(' ');
}
