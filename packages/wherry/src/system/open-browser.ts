import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The desktop's browser, led to a link that is a secret: by a file of this user, since other users of the machine see the
 * words that a program is started with.
 */
export class OpenedBrowser implements AsyncDisposable {
  #folder: string | undefined;

  /** Returns at once; `failed` hears when no browser could be started. */
  open(url: URL, failed: (problem: string) => void): void {
    this.#folder = mkdtempSync(join(tmpdir(), 'wherry-console-'));
    const file = join(this.#folder, 'open.html');
    const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${url.href}">`;
    writeFileSync(file, page, { mode: 0o600 });
    const child = spawn('xdg-open', [file], { stdio: 'ignore', detached: true });
    const hint = 'open the link above by hand';
    child.once('error', ({ message }) => failed(`no browser was opened: ${message}; ${hint}`));
    child.once(
      'exit',
      (code) => code && failed(`no browser was opened: xdg-open ended with ${code}; ${hint}`),
    );
    child.unref();
  }

  /** Removes the file, whose link was used. Repeats are harmless. */
  forget(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.forget();
  }
}
