import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Row, Table } from '../models/table.ts';

/** A table of objects. `caption` names it for those who don't see it. */
export function tableView(table: Table, caption: string) {
  const { columns, rows, found, total } = table;
  const left = found - rows.length;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption class="unseen">${caption}</caption>
        <thead>
          <tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
        </thead>
        <tbody>
          ${repeat(
            rows,
            ({ key }) => key,
            (row) => rowView(row, table),
          )}
        </tbody>
      </table>
    </div>
    <p class="count" role="status">
      ${found === total ? `${total} in all` : `${found} of ${total}`}${
        left > 0 ? `; ${left} more are not shown: filter them` : nothing
      }
    </p>
  `;
}

function rowView({ cells, href, link, tone, note }: Row, { columns, nameColumn }: Table) {
  return html`
    <tr class=${tone}>
      ${cells.map((text, index) => {
        if (index !== nameColumn)
          return html`<td>${columns[index] === link?.column ? linked(text, link?.href) : text}</td>`;
        const why = note ? html`<span class="note">${note}</span>` : nothing;
        return html`<th scope="row">${linked(text, href)}${why}</th>`;
      })}
      ${nameColumn < 0 && note ? html`<td colspan=${columns.length}>${note}</td>` : nothing}
    </tr>
  `;
}

const linked = (text: string, href: string | undefined) =>
  href === undefined ? text : html`<a href=${href}>${text}</a>`;
