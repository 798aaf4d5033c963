import { html, nothing } from 'lit-html';
import { type LogChoice, LogFollower } from '../../cluster/log-follower.ts';
import { limits } from '../../limits.ts';
import { troubleNotice } from '../notices.ts';
import type { ViewContext } from '../view.ts';
import { containerChoice } from './container-choice.ts';

/** What of which pod. */
export interface PanelTarget {
  namespace: string;
  pod: string;
  container: string | undefined;
  /** Its instance before the last restart. */
  previous?: boolean | undefined;
}

/** The log of one container, which stays at its end unless somebody reads further up. */
export class LogPanel {
  readonly #context: ViewContext;
  readonly #chosen: (choice: LogChoice) => void;
  readonly #lines = document.createElement('pre');
  #choice: LogChoice;
  #follower: LogFollower | undefined;
  /** How many lines had come when the text was set. */
  #shownCount = 0;

  /** `chosen`: another container or instance was. */
  constructor(
    context: ViewContext,
    { container = '', previous = false, ...target }: PanelTarget,
    chosen: (choice: LogChoice) => void,
  ) {
    this.#context = context;
    this.#chosen = chosen;
    this.#choice = { ...target, container, previous, follow: true, timestamps: false };
    this.#lines.className = 'log';
    this.#lines.tabIndex = 0;
    this.#lines.setAttribute('role', 'log');
    this.#lines.setAttribute('aria-label', 'Log');
  }

  get hasBegun(): boolean {
    return this.#follower !== undefined;
  }

  /** `containers`: undefined until the pod is known. */
  render(containers: readonly string[] | undefined) {
    if (containers && this.#choice.container === '')
      this.#choice = { ...this.#choice, container: containers[0] ?? '' };
    if (!this.#follower && containers && this.#choice.container !== '') this.#begin();
    if (!this.#follower) return nothing;
    const { container, follow, previous, timestamps } = this.#choice;
    const { state, trouble, buffer } = this.#follower;
    return html`
      <div class="bar">
        ${containerChoice(containers ?? [container], container, (name) => this.#choose({ container: name }))}
        ${this.#option('Follow', follow, { follow: !follow })}
        ${this.#option('Previous instance', previous, { previous: !previous })}
        ${this.#option('Times', timestamps, { timestamps: !timestamps })}
        <span role="status">${state}</span>
        ${
          buffer.dropped > 0
            ? html`<span>the last ${limits.logLinesMax} lines at most; ${buffer.dropped} older ones are gone</span>`
            : nothing
        }
      </div>
      ${troubleNotice(trouble)} ${this.#lines}
    `;
  }

  /** The text is set as a whole: a browser lays out a few thousand lines in a few milliseconds. */
  shown(): void {
    const buffer = this.#follower?.buffer;
    if (!buffer || buffer.count === this.#shownCount) return;
    this.#shownCount = buffer.count;
    const { scrollTop, clientHeight, scrollHeight } = this.#lines;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 2;
    this.#lines.textContent = buffer.lines.join('\n');
    if (isAtEnd) this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  close(): void {
    this.#follower?.stop();
  }

  #option(title: string, isOn: boolean, change: Partial<LogChoice>) {
    return html`
      <label><input type="checkbox" .checked=${isOn} @change=${() => this.#choose(change)} /> ${title}</label>
    `;
  }

  #choose(change: Partial<LogChoice>): void {
    this.#choice = { ...this.#choice, ...change };
    this.#begin();
    this.#chosen(this.#choice);
    this.#context.changed();
  }

  #begin(): void {
    const { client, changed } = this.#context;
    this.#follower?.stop();
    this.#lines.textContent = '';
    this.#shownCount = 0;
    this.#follower = new LogFollower(client, this.#choice, changed);
  }
}
