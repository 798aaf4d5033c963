import { html } from 'lit-html';
import { limits } from '../limits.ts';
import { countText, type Table } from '../models/table.ts';

/** Which rows are shown, and the ways to the others. It stays in sight, in front of the rows. */
export function pagesView(table: Table, caption: string, turned: (pageNumber: number) => void) {
  const { rows, pageNumber, pageCount } = table;
  const first = (pageNumber - 1) * limits.pageRows + 1;
  const isThere = (to: number) => to >= 1 && to <= pageCount && to !== pageNumber;
  const turn = (event: Event, to: number) => {
    if (!isThere(to)) return;
    turned(to);
    (event.currentTarget as HTMLElement).closest('nav')?.nextElementSibling?.scrollIntoView();
  };
  // A button that is disabled while it has the focus would lose it.
  const button = (title: string, to: number) => html`
    <button type="button" aria-disabled=${!isThere(to)} @click=${(event: Event) => turn(event, to)}>${title}</button>
  `;
  return html`
    <nav class="pages" aria-label=${`Pages of ${caption}`}>
      ${button('First', 1)} ${button('Previous', pageNumber - 1)} ${button('Next', pageNumber + 1)} ${button('Last', pageCount)}
      <span role="status">
        Page ${pageNumber} of ${pageCount}: rows ${first} to ${first + rows.length - 1}; ${countText(table)}
      </span>
    </nav>
  `;
}
