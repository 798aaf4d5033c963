import { Writable } from 'node:stream';
import { limits } from '../limits.ts';

/** Keeps the beginning of what a command says, for a message. */
export class TextSink extends Writable {
  #text = '';

  get text(): string {
    return this.#text.trim();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#text.length < limits.messageCharactersMax) this.#text += chunk.toString('utf8');
    done();
  }
}
