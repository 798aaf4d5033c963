import type { TwoServers } from '../two-servers.ts';
import { type KnownDifference, unknownLines } from './known-differences.ts';
import type { Suite } from './suites.ts';
import { requestText, tell } from './tell.ts';

/** What a suite's stories have shown. */
export interface Judgement {
  /** A text for each request that was answered in two ways that are not known. */
  unknown: string[];
  /** Of the known differences those that did not occur. */
  gone: string[];
}

/** Tells stories of these seeds, each to its end, or to where the two servers' objects have become different in a known way. */
export async function judgeStories(
  two: TwoServers,
  { story, known, open }: Suite,
  { seeds, requestsOfStory }: { seeds: readonly number[]; requestsOfStory: number },
): Promise<Judgement> {
  const seen = new Set<KnownDifference>();
  const unknown: string[] = [];
  for (const seed of seeds) {
    for (const difference of await tell(two, story(seed, requestsOfStory), open)) {
      const here: KnownDifference[] = [];
      const lines = unknownLines(difference, known, (each) => here.push(each));
      for (const each of here) seen.add(each);
      const request = requestText(difference.asked);
      if (lines.length > 0)
        unknown.push([`seed ${seed}, step ${difference.step}: ${request}`, ...lines].join('\n  '));
      if (here.some(([, , parts]) => parts === 'parts')) break;
    }
  }
  const gone = known.filter((each) => !seen.has(each)).map(([pattern]) => String(pattern));
  return { unknown, gone };
}
