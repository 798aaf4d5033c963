/** How a row looks, beside its words. */
export type Tone = 'good' | 'waiting' | 'bad' | 'over' | 'plain';

/** The tones that are counted above a list, in this order, and their words. */
export const toneWords: ReadonlyMap<Tone, string> = new Map([
  ['bad', 'failing'],
  ['waiting', 'waiting'],
  ['good', 'well'],
  ['over', 'over'],
]);

/** The word of a filter that only rows of a tone have: `is:failing`. */
export const toneFilter = (tone: Tone, words = toneWords): string => `is:${words.get(tone) ?? 'plain'}`;

/** A filter without the words for tones, and with `asked`, one of them, unless it was there. */
export function toggledTone(filter: string, asked: string): string {
  const words = filter.split(/\s+/).filter((word) => word !== '');
  const others = words.filter((word) => !word.toLowerCase().startsWith('is:'));
  return (hasTone(filter, asked) ? others : [asked, ...others]).join(' ');
}

/** Whether a filter has that word. */
export const hasTone = (filter: string, asked: string): boolean =>
  filter.toLowerCase().split(/\s+/).includes(asked);

/** How many rows look how. */
export function countTones(rows: readonly { tone: Tone }[]): ReadonlyMap<Tone, number> {
  const counts = new Map<Tone, number>();
  for (const { tone } of rows) counts.set(tone, (counts.get(tone) ?? 0) + 1);
  return counts;
}
