import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { countText, type Row, type Table } from '../models/table.ts';
import { pagesView } from './pages-view.ts';

/** A table of objects. `caption` names it for those who don't see it; `turned`: another page of it is wanted. */
export function tableView(table: Table, caption: string, turned: (pageNumber: number) => void) {
  const { columns, rows, pageCount } = table;
  return html`
    ${pageCount > 1 ? pagesView(table, caption, turned) : nothing}
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table class="stacks" role="table">
        <caption class="unseen">${caption}</caption>
        <thead role="rowgroup">
          <tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}</tr>
        </thead>
        <tbody role="rowgroup">
          ${repeat(
            rows,
            ({ key }) => key,
            (row) => rowView(row, table),
          )}
        </tbody>
      </table>
    </div>
    ${pageCount > 1 ? nothing : html`<p class="count" role="status">${countText(table)}</p>`}
  `;
}

function rowView({ cells, href, link, tone, note }: Row, { columns, nameColumn }: Table) {
  return html`
    <tr class=${tone} role="row">
      ${cells.map((text, index) => {
        if (index !== nameColumn)
          return html`<td role="cell" data-column=${columns[index] ?? ''}>${columns[index] === link?.column ? linked(text, link?.href) : text}</td>`;
        const why = note ? html`<span class="note">${note}</span>` : nothing;
        return html`<th scope="row" role="rowheader">${linked(text, href)}${why}</th>`;
      })}
      ${nameColumn < 0 && note ? html`<td role="cell" colspan=${columns.length}>${note}</td>` : nothing}
    </tr>
  `;
}

const linked = (text: string, href: string | undefined) =>
  href === undefined ? text : html`<a href=${href}>${text}</a>`;
