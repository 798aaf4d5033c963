import { iterate } from '@wherry/bytes';
import { type ApiClient, openExec, type RemoteCommandConnection } from '@wherry/client';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { limits } from '../limits.ts';
import { type Outcome, outcomeOf } from '../models/outcome.ts';

/** What runs where. */
export interface TerminalChoice {
  namespace: string;
  pod: string;
  container: string;
  command: readonly string[];
  /** Its text is there for screen readers, too, which costs some speed. */
  isReadAloud: boolean;
}

/** A command in a container and the terminal that shows it. */
export class TerminalSession {
  /** Stands in the page; xterm.js is at home in it. */
  readonly element: HTMLElement;
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #abort = new AbortController();
  readonly #sizes: ResizeObserver;
  readonly #changed: () => void;
  #outcome: Outcome = { kind: 'opening' };
  #connection: RemoteCommandConnection | undefined;

  /** Begins at once. `changed`: the outcome is another one. */
  constructor(client: ApiClient, choice: TerminalChoice, changed: () => void) {
    this.#changed = changed;
    this.element = document.createElement('div');
    // xterm.js calls its own element "terminal".
    this.element.className = 'terminal-box';
    this.#terminal = new Terminal({
      scrollback: limits.terminalScrollbackLines,
      fontFamily: 'ui-monospace, monospace',
      fontSize: 14,
      theme: { background: '#101418', foreground: '#e6e6e6' },
      cursorBlink: true,
      // What WCAG 2 asks of text (AA), whatever colours the command chooses.
      minimumContrastRatio: 4.5,
      screenReaderMode: choice.isReadAloud,
    });
    this.#terminal.loadAddon(this.#fit);
    // Tab belongs to the command, so there is another way out.
    this.#terminal.attachCustomKeyEventHandler(({ key, ctrlKey }) => !(key === 'F6' && ctrlKey));
    this.#sizes = new ResizeObserver(() => this.#fit.fit());
    this.#run(client, choice);
  }

  get outcome(): Outcome {
    return this.#outcome;
  }

  /** Once its element stands in the page. */
  show(): void {
    if (this.#terminal.element) return;
    this.#terminal.open(this.element);
    this.#sizes.observe(this.element);
    this.#fit.fit();
    this.#terminal.focus();
  }

  /** Ends the session; what was shown stays to be read. */
  end(): void {
    this.#abort.abort(new Error('the page has ended it'));
  }

  /** Ends the session and removes the terminal. */
  dispose(): void {
    this.end();
    this.#sizes.disconnect();
    this.#terminal.dispose();
  }

  async #run(client: ApiClient, choice: TerminalChoice): Promise<void> {
    const { signal } = this.#abort;
    try {
      const streams = { stdin: true, stdout: true, stderr: false, tty: true };
      const connection = await openExec(client, { ...choice, ...streams, signal });
      this.#connection = connection;
      this.#settle({ kind: 'open' });
      this.#terminal.onResize(({ cols, rows }) => connection.resize({ width: cols, height: rows }));
      connection.resize({ width: this.#terminal.cols, height: this.#terminal.rows });
      const keys = this.#pressed(connection);
      await this.#print(connection);
      const exitCode = await connection.exitCode;
      keys.dispose();
      this.#settle({ kind: 'exited', exitCode });
    } catch (error) {
      this.#settle(outcomeOf(signal.aborted ? { code: 'aborted' } : error, this.#connection !== undefined));
    }
    this.#terminal.options.disableStdin = true;
    this.#terminal.options.cursorBlink = false;
  }

  /** What is typed, or pasted, goes to the command in its order. */
  #pressed({ stdin }: RemoteCommandConnection): { dispose(): void } {
    const utf8 = new TextEncoder();
    const write = (bytes: Uint8Array) => {
      if (this.#outcome.kind === 'open') stdin?.write(bytes);
    };
    const keys = this.#terminal.onData((text) => write(utf8.encode(text)));
    const reports = this.#terminal.onBinary((text) =>
      write(Uint8Array.from(text, (character) => character.charCodeAt(0))),
    );
    return {
      dispose() {
        keys.dispose();
        reports.dispose();
      },
    };
  }

  /** At the pace at which it can be shown. */
  async #print({ stdout, exitCode }: RemoteCommandConnection): Promise<void> {
    if (!stdout) return;
    try {
      for await (const chunk of iterate(stdout))
        await new Promise<void>((resolve) => this.#terminal.write(chunk, resolve));
    } catch {
      // Why it broke is what the exit code's promise says.
      await exitCode;
    }
  }

  #settle(outcome: Outcome): void {
    this.#outcome = outcome;
    this.#changed();
  }
}
