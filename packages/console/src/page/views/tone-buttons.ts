import { html, nothing } from 'lit-html';
import type { Table } from '../models/table.ts';
import { hasTone, toggledTone, toneWords } from '../models/tones.ts';

/** How many rows look how; each number is a button that shows those alone. Nothing for kinds whose rows all look the same. */
export function toneButtons({ tones }: Table, filter: string, changed: (filter: string) => void) {
  const told = [...toneWords];
  if (!told.some(([tone]) => tones.has(tone) || hasTone(filter, tone))) return nothing;
  return html`
    <div class="tones" role="group" aria-label="Rows by how they are">
      ${told.map(
        ([tone, word]) => html`
          <button
            type="button"
            class=${tone}
            aria-pressed=${hasTone(filter, tone)}
            @click=${() => changed(toggledTone(filter, tone))}
          >
            ${tones.get(tone) ?? 0} ${word}
          </button>
        `,
      )}
    </div>
  `;
}
