import { html, nothing } from 'lit-html';
import type { ContainerRow, PodDetails } from '../../models/pod.ts';
import { factsView } from '../facts-view.ts';

/** Facts, containers and conditions of a pod. */
export function detailsView({ facts, wait, tone, containers, conditions }: PodDetails) {
  return html`
    ${wait ? html`<p class="notice ${tone === 'bad' ? 'bad' : 'waiting'}" role="status">It ${wait}</p>` : nothing}
    ${factsView(facts)}
    <h2>Containers</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Containers">
      <table>
        <caption class="unseen">Containers</caption>
        <thead>
          <tr>
            ${['Name', 'Kind', 'State', 'Ready', 'Restarts', 'Image'].map(
              (title) => html`<th scope="col">${title}</th>`,
            )}
          </tr>
        </thead>
        <tbody>${containers.map(containerRow)}</tbody>
      </table>
    </div>
    <h2>Conditions</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Conditions">
      <table>
        <caption class="unseen">Conditions</caption>
        <thead>
          <tr>
            ${['Type', 'Status', 'For', 'Reason', 'Message'].map((title) => html`<th scope="col">${title}</th>`)}
          </tr>
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

function containerRow({ name, role, state, message, last, ready, restarts, image, tone }: ContainerRow) {
  const more = [message, last && `before: ${last}`].filter(Boolean).join('; ');
  return html`
    <tr class=${tone}>
      <th scope="row">${name}</th>
      <td>${role}</td>
      <td>${state}${more ? html`<span class="note">${more}</span>` : nothing}</td>
      <td>${ready ? 'yes' : 'no'}</td>
      <td>${restarts}</td>
      <td>${image}</td>
    </tr>
  `;
}
