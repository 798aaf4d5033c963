import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EditedForm } from './edited-form.ts';

/** A file that an editor opens, in a folder of its own that nobody else may enter. */
export class EditedFile {
  readonly #folder: string;
  readonly path: string;
  #first: string | undefined;

  /** `extension` tells editors what it holds. */
  constructor(extension: EditedForm) {
    this.#folder = mkdtempSync(join(tmpdir(), 'wherry-edit-'));
    this.path = join(this.#folder, `edit.${extension}`);
  }

  write(text: string): void {
    this.#first ??= text;
    writeFileSync(this.path, text, { mode: 0o600 });
  }

  /** Throws what `readFileSync` throws when the editor has removed it. */
  read(): string {
    return readFileSync(this.path, 'utf8');
  }

  /** It holds something else than what was written first. */
  get isChanged(): boolean {
    try {
      return this.read() !== this.#first;
    } catch {
      return false;
    }
  }

  /** Repeats are harmless. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
