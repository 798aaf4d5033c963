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
export const toneFilter = (tone: Tone): string => `is:${toneWords.get(tone) ?? 'plain'}`;

/** A filter without the words for tones, and with that of `tone` unless it was there. */
export function toggledTone(filter: string, tone: Tone): string {
  const words = filter.split(/\s+/).filter((word) => word !== '');
  const others = words.filter((word) => !word.toLowerCase().startsWith('is:'));
  return (hasTone(filter, tone) ? others : [toneFilter(tone), ...others]).join(' ');
}

/** Whether a filter asks for that tone. */
export const hasTone = (filter: string, tone: Tone): boolean =>
  filter.toLowerCase().split(/\s+/).includes(toneFilter(tone));
