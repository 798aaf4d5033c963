import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { SessionPoll } from '../cluster/session-poll.ts';
import type { Route } from '../models/route.ts';
import {
  type FlowWords,
  type HopRow,
  type SessionRow,
  sessionRows,
  type UnseenRow,
} from '../models/sessions.ts';
import { emptyNotice, troubleNotice } from './notices.ts';
import type { View, ViewContext } from './view.ts';

/** Where they are. */
export type SessionsRoute = Extract<Route, { page: 'sessions' }>;

const columns = ['Session', 'State', 'Hop', 'From', 'To', 'To the process', 'To the client'];

/** Every session that goes through the cluster, hop by hop. */
export class SessionsView implements View {
  readonly title = 'Sessions';
  readonly #poll: SessionPoll;

  constructor({ client, changed }: ViewContext, _route: SessionsRoute) {
    this.#poll = new SessionPoll(client, changed);
  }

  follow(): void {
    this.#poll.follow();
  }

  rest(): void {
    this.#poll.rest();
  }

  close(): void {
    this.rest();
  }

  render() {
    const { sight, troubles, isComplete } = this.#poll;
    const rows = sessionRows(sight);
    return html`
      <div class="bar"><h1>Sessions</h1></div>
      ${troubles.map(troubleNotice)}
      ${rows.length === 0 ? emptyNotice(isComplete, 'sessions') : tableOf(rows)}
    `;
  }
}

function tableOf(rows: readonly SessionRow[]) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Sessions">
      <table>
        <caption class="unseen">Sessions and the hops on their way</caption>
        <thead>
          <tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
        </thead>
        ${repeat(
          rows,
          ({ id }) => id,
          (row) =>
            html`<tbody>${row.hops.map((hop, index) => hopView(row, hop, index === 0))}${row.unseen.map(unseenView)}</tbody>`,
        )}
      </table>
    </div>
  `;
}

function hopView(row: SessionRow, hop: HopRow, isFirst: boolean) {
  const { kind, target, what, user, state, tone, hops, unseen } = row;
  const { from, to, up, down } = hop;
  const rows = hops.length + unseen.length;
  return html`
    <tr class=${tone}>
      ${
        isFirst
          ? html`
            <th scope="rowgroup" rowspan=${rows}>
              ${kind} ${target}
              ${what ? html`<span class="hop">${what}</span>` : nothing}
              ${user ? html`<span class="hop">${user}</span>` : nothing}
            </th>
            <td class="state" rowspan=${rows}>${state}</td>
          `
          : nothing
      }
      <td>${hop.hop}</td>
      <td>${from}</td>
      <td>${to}</td>
      <td>${flowView(up)}</td>
      <td>${flowView(down)}</td>
    </tr>
  `;
}

const unseenView = ({ hop, reason }: UnseenRow) => html`
  <tr>
    <td>${hop}</td>
    <td colspan="4">not seen: ${reason}</td>
  </tr>
`;

function flowView({ bytes, rate, wait }: FlowWords) {
  return html`${bytes}${rate ? html` <span class="hop">${rate}</span>` : nothing}
  ${wait ? html`<span class="note">${wait}</span>` : nothing}`;
}
