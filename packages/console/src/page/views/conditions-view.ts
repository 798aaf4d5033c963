import { html, nothing } from 'lit-html';
import type { ConditionRow } from '../models/conditions.ts';

const columns = ['Type', 'Status', 'For', 'Reason', 'Message'];

/** Conditions, each with why it holds or does not; nothing where there are none. */
export function conditionsView(conditions: readonly ConditionRow[]) {
  if (conditions.length === 0) return nothing;
  return html`
    <h2>Conditions</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Conditions">
      <table class="stacks" role="table">
        <caption class="unseen">Conditions</caption>
        <thead role="rowgroup">
          <tr role="row">${columns.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}</tr>
        </thead>
        <tbody role="rowgroup">
          ${conditions.map(
            ({ type, status, since, reason, message, tone }) => html`
              <tr class=${tone} role="row">
                <th scope="row" role="rowheader">${type}</th>
                <td role="cell" data-column="Status">${status}</td>
                <td role="cell" data-column="For">${since}</td>
                <td role="cell" data-column="Reason">${reason}</td>
                <td role="cell" data-column="Message">${message}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
