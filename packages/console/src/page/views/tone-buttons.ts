import { html, nothing } from 'lit-html';
import { hasTone, type Tone, toggledTone, toneFilter, toneWords } from '../models/tones.ts';

/** What stands above the rows. */
export interface ToneCounts {
  tones: ReadonlyMap<Tone, number>;
  /** The words of the tones, in their order. Default: those of objects. */
  words?: ReadonlyMap<Tone, string> | undefined;
  filter: string;
  changed: (filter: string) => void;
}

/** How many rows look how; each number is a button that shows those alone. Nothing for kinds whose rows all look the same. */
export function toneButtons({ tones, words = toneWords, filter, changed }: ToneCounts) {
  const told = [...words].map(([tone, word]) => ({ tone, word, asked: toneFilter(tone, words) }));
  if (!told.some(({ tone, asked }) => tones.has(tone) || hasTone(filter, asked))) return nothing;
  return html`
    <div class="tones" role="group" aria-label="Rows by how they are">
      ${told.map(
        ({ tone, word, asked }) => html`
          <button
            type="button"
            class=${tone}
            aria-pressed=${hasTone(filter, asked)}
            @click=${() => changed(toggledTone(filter, asked))}
          >
            ${tones.get(tone) ?? 0} ${word.replace('-', ' ')}
          </button>
        `,
      )}
    </div>
  `;
}
