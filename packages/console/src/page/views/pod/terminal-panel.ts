import { html, nothing } from 'lit-html';
import { TerminalSession } from '../../cluster/terminal-session.ts';
import { outcomeText } from '../../models/outcome.ts';
import type { ViewContext } from '../view.ts';
import { containerChoice } from './container-choice.ts';
import type { PanelTarget } from './log-panel.ts';

/** A terminal in a container: what to run, the terminal, how it ended. */
export class TerminalPanel {
  readonly #context: ViewContext;
  readonly #target: PanelTarget;
  #container: string;
  #command = 'sh';
  #isReadAloud = false;
  #session: TerminalSession | undefined;

  constructor(context: ViewContext, target: PanelTarget) {
    this.#context = context;
    this.#target = target;
    this.#container = target.container ?? '';
  }

  get hasBegun(): boolean {
    return this.#session !== undefined;
  }

  /** `containers`: undefined until the pod is known. */
  render(containers: readonly string[] | undefined) {
    if (!containers && !this.#session) return nothing;
    const names = containers ?? [this.#container];
    this.#container ||= names[0] ?? '';
    const outcome = this.#session?.outcome;
    const isRunning = outcome?.kind === 'open' || outcome?.kind === 'opening';
    const isBad = outcome?.kind === 'broken' || outcome?.kind === 'refused';
    return html`
      <form class="bar" @submit=${this.#submitted}>
        ${containerChoice(names, this.#container, (name) => (this.#container = name))}
        <label>
          Command
          <input
            .value=${this.#command}
            @input=${({ target }: Event) => (this.#command = (target as HTMLInputElement).value)}
            required
            spellcheck="false"
            autocapitalize="off"
          />
        </label>
        <label>
          <input
            type="checkbox"
            .checked=${this.#isReadAloud}
            @change=${({ target }: Event) => {
              this.#isReadAloud = (target as HTMLInputElement).checked;
            }}
          />
          For a screen reader
        </label>
        <button type="submit">${isRunning ? 'Open another' : 'Open'}</button>
        <button type="button" ?disabled=${!isRunning} @click=${() => this.#session?.end()}>End</button>
        <span>Words are parted by spaces. Ctrl+F6 leaves the terminal.</span>
      </form>
      ${
        outcome
          ? html`<p class="notice ${isBad ? 'bad' : ''}" role="status" data-outcome=${outcome.kind}>
            ${outcomeText(outcome)}
          </p>`
          : nothing
      }
      ${
        this.#session
          ? html`<div @keydown=${this.#pressed} aria-label="Terminal" role="group">${this.#session.element}</div>`
          : nothing
      }
    `;
  }

  shown(): void {
    this.#session?.show();
  }

  close(): void {
    this.#session?.dispose();
  }

  readonly #submitted = (event: Event) => {
    event.preventDefault();
    this.#session?.dispose();
    const { namespace, pod } = this.#target;
    const command = this.#command.trim().split(/\s+/);
    const choice = { namespace, pod, container: this.#container, command, isReadAloud: this.#isReadAloud };
    this.#session = new TerminalSession(this.#context.client, choice, this.#context.changed);
    this.#context.changed();
  };

  readonly #pressed = ({ key, ctrlKey, currentTarget }: KeyboardEvent) => {
    if (key !== 'F6' || !ctrlKey) return;
    const form = (currentTarget as HTMLElement).parentElement?.querySelector('form');
    form?.querySelector<HTMLElement>('button[type=submit]')?.focus();
  };
}
