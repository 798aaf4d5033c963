import { html, nothing, type TemplateResult } from 'lit-html';
import type { ContainerGiven } from '../../models/pod/container-given.ts';
import type { ContainerRow, PodDetails } from '../../models/pod/pod.ts';
import { conditionsView } from '../conditions-view.ts';
import { factsView } from '../facts-view.ts';

/** What beside the pod's own words its page shows. */
export interface PodShowing {
  /** Of the containers by their names, `CPU 0.003, memory 12.4 MiB`. */
  usage: ReadonlyMap<string, string>;
  given: readonly ContainerGiven[];
  /** The last lines of a container that has ended. */
  lastWordsOf(row: ContainerRow): readonly string[];
  /** Where the log of a container is, or of its instance before. */
  logHref(container: string, previous: boolean): string;
  terminalHref(container: string): string;
  events: TemplateResult;
}

/** What is wrong with a pod, its facts, containers and conditions. */
export function detailsView(
  { facts, troubles, tone, containers, conditions }: PodDetails,
  showing: PodShowing,
) {
  const toneOfNotice = tone === 'bad' || tone === 'over' ? tone : 'waiting';
  return html`
    ${troubles.map((text) => html`<p class="notice ${toneOfNotice}" role="status">${text}</p>`)}
    ${containers.map((row) => lastWordsView(row, showing))}
    ${factsView(facts)}
    <h2>Containers</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Containers">
      <table class="stacks" role="table">
        <caption class="unseen">Containers</caption>
        <thead role="rowgroup">
          <tr role="row">
            ${['Name', 'Kind', 'State', 'Ready', 'Restarts', 'Uses', 'Image', 'See'].map(
              (title) => html`<th scope="col" role="columnheader">${title}</th>`,
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">${containers.map((row) => containerRow(row, showing))}</tbody>
      </table>
    </div>
    ${showing.events} ${conditionsView(conditions)}
    <h2>What the containers were given</h2>
    ${showing.given.map((one) => givenView(one, showing.given.length === 1))}
  `;
}

function containerRow(row: ContainerRow, { usage, logHref, terminalHref }: PodShowing) {
  const { name, role, state, message, last, ready, restarts, image, tone } = row;
  const more = [message, last && `before: ${last}`].filter(Boolean).join('; ');
  return html`
    <tr class=${tone} role="row">
      <th scope="row" role="rowheader">${name}</th>
      <td role="cell" data-column="Kind">${role}</td>
      <td role="cell" data-column="State">${state}${more ? html`<span class="note">${more}</span>` : nothing}</td>
      <td role="cell" data-column="Ready">${ready ? 'yes' : 'no'}</td>
      <td role="cell" data-column="Restarts">${restarts}</td>
      <td role="cell" data-column="Uses">${usage.get(name) ?? ''}</td>
      <td role="cell" data-column="Image">${image}</td>
      <td class="links" role="cell" data-column="See">
        <a href=${logHref(name, false)} aria-label="Log of ${name}">log</a>
        ${restarts > 0 ? html`<a href=${logHref(name, true)} aria-label="Log before the restart of ${name}">log before</a>` : nothing}
        <a href=${terminalHref(name)} aria-label="Terminal in ${name}">terminal</a>
      </td>
    </tr>
  `;
}

function lastWordsView(row: ContainerRow, { lastWordsOf, logHref }: PodShowing) {
  const lines = row.ended ? lastWordsOf(row) : [];
  if (!row.ended || lines.length === 0) return nothing;
  return html`
    <figure class="last-words">
      <figcaption>
        What container ${row.name} wrote last before it ended (<a href=${logHref(row.name, row.ended.previous)}>the log</a>)
      </figcaption>
      <pre>${lines.join('\n')}</pre>
    </figure>
  `;
}

function givenView({ name, given }: ContainerGiven, isOpen: boolean) {
  return html`
    <details class="given" ?open=${isOpen}>
      <summary>${name}</summary>
      <dl>
        ${given.map(
          ([title, lines]) =>
            html`<dt>${title}</dt><dd>${lines.map((line) => html`<div>${line}</div>`)}</dd>`,
        )}
      </dl>
    </details>
  `;
}
