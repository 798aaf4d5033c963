import { html, nothing } from 'lit-html';
import type { ConditionRow } from '../models/conditions.ts';

const columns = ['Type', 'Status', 'For', 'Reason', 'Message'];

/** Conditions, each with why it holds or does not; nothing where there are none. */
export function conditionsView(conditions: readonly ConditionRow[]) {
  if (conditions.length === 0) return nothing;
  return html`
    <h2>Conditions</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Conditions">
      <table>
        <caption class="unseen">Conditions</caption>
        <thead>
          <tr>${columns.map((title) => html`<th scope="col">${title}</th>`)}</tr>
        </thead>
        <tbody>
          ${conditions.map(
            ({ type, status, since, reason, message, tone }) => html`
              <tr class=${tone}>
                <th scope="row">${type}</th>
                <td>${status}</td>
                <td>${since}</td>
                <td>${reason}</td>
                <td>${message}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
