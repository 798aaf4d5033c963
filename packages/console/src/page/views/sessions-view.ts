import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { SessionPoll } from '../cluster/session-poll.ts';
import type { Route } from '../models/route.ts';
import {
  type FlowWords,
  filteredSessions,
  type HopRow,
  type SessionRow,
  sessionRows,
  sessionWords,
  type UnseenRow,
} from '../models/sessions.ts';
import { countTones, type Tone } from '../models/tones.ts';
import { filterField } from './filter-field.ts';
import { emptyNotice, plainNotice, troubleNotice } from './notices.ts';
import { sessionLegend } from './session-legend.ts';
import { toneButtons } from './tone-buttons.ts';
import type { View, ViewContext } from './view.ts';

/** Where they are. */
export type SessionsRoute = Extract<Route, { page: 'sessions' }>;

const columns = ['Session', 'State', 'Hop', 'From', 'To', 'To the process', 'To the client'];

/** Every session that goes through the cluster, hop by hop. */
export class SessionsView implements View {
  readonly title = 'Sessions';
  readonly #context: ViewContext;
  readonly #poll: SessionPoll;
  #filter: string;

  constructor(context: ViewContext, { filter = '' }: SessionsRoute) {
    this.#context = context;
    this.#filter = filter;
    this.#poll = new SessionPoll(context.client, context.changed);
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
    const shown = filteredSessions(rows, this.#filter);
    const filter = { filter: this.#filter, changed: this.#refilter };
    const count =
      shown.length === rows.length ? `${rows.length} in all` : `${shown.length} of ${rows.length}`;
    return html`
      <div class="bar">
        <h1>Sessions</h1>
        ${filterField(this.#filter, this.#refilter)}
        ${toneButtons({ tones: countTones(rows), words: sessionWords, ...filter })}
      </div>
      ${sessionLegend} ${troubles.map(sight.hops.length > 0 ? plainNotice : troubleNotice)}
      ${
        rows.length === 0
          ? emptyNotice({ isComplete: isComplete && sight.hops.length > 0, trouble: troubles[0] }, 'sessions')
          : html`${tableOf(shown)}<p class="count" role="status">${count}</p>`
      }
    `;
  }

  readonly #refilter = (filter: string) => {
    this.#filter = filter;
    this.#context.moved({ page: 'sessions', filter });
  };
}

function tableOf(rows: readonly SessionRow[]) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Sessions">
      <table class="sessions stacks" role="table">
        <caption class="unseen">Sessions and the hops on their way</caption>
        <thead role="rowgroup">
          <tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}</tr>
        </thead>
        ${repeat(
          rows,
          ({ id }) => id,
          (row) =>
            html`<tbody role="rowgroup">${row.hops.map((hop, index) => hopView(row, hop, index === 0))}${row.unseen.map((hop) => unseenView(hop, row.tone))}</tbody>`,
        )}
      </table>
    </div>
  `;
}

function hopView(row: SessionRow, hop: HopRow, isFirst: boolean) {
  const { kind, target, href, what, user, state, wait, tone, hops, unseen } = row;
  const { from, to, up, down, ports, isWhole } = hop;
  const rows = hops.length + unseen.length;
  return html`
    <tr class=${tone} role="row">
      ${
        isFirst
          ? html`
            <th scope="rowgroup" role="rowheader" rowspan=${rows}>
              ${kind} ${href ? html`<a href=${href}>${target}</a>` : target}
              ${what ? html`<span class="hop">${what}</span>` : nothing}
              ${user ? html`<span class="hop">${user}</span>` : nothing}
            </th>
            <td class="state" role="cell" rowspan=${rows}>
              ${state}${wait ? html`<span class="note">${wait}</span>` : nothing}
            </td>
          `
          : nothing
      }
      <td class="at" role="cell">${hop.hop}${ports.map((text) => html`<span class="hop">${text}</span>`)}</td>
      <td role="cell" data-column="From">${from}</td>
      <td role="cell" data-column="To">${to}</td>
      <td class="flow" role="cell" data-column="To the process">${flowView(up, isWhole)}</td>
      <td class="flow" role="cell" data-column="To the client">${flowView(down, isWhole)}</td>
    </tr>
  `;
}

const unseenView = ({ hop, reason }: UnseenRow, tone: Tone) => html`
  <tr class=${tone} role="row">
    <td class="at" role="cell">${hop}</td>
    <td colspan="4" role="cell">not seen: ${reason}</td>
  </tr>
`;

function flowView({ bytes, rate, wait }: FlowWords, isWhole: boolean) {
  return html`${bytes}${isWhole ? ' with frames' : nothing}${rate ? html` <span class="hop">${rate}</span>` : nothing}
  ${wait ? html`<span class="note">${wait}</span>` : nothing}`;
}
