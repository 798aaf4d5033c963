import type { Lexer } from './lexer.ts';
import type { Token } from './token.ts';

/** Gives tokens one after the other, and takes up to three back. */
export class TokenReader {
  readonly #lexer: Lexer;
  /** Tokens that were taken back, the next one last. */
  readonly #back: Token[] = [];
  #last: Token | undefined;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  /** The line of what the lexer gave last, which messages name; 0 at the beginning. */
  get line(): number {
    return this.#last?.line ?? 0;
  }

  next(): Token {
    const token = this.#back.pop() ?? this.#lexer.next();
    if (this.#back.length === 0) this.#last = token;
    return token;
  }

  nextBehindSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.kind !== 'space') return token;
    }
  }

  peek(): Token {
    const token = this.next();
    this.back(token);
    return token;
  }

  /** The next token that is no space; the spaces in front of it are gone. */
  peekBehindSpace(): Token {
    const token = this.nextBehindSpace();
    this.back(token);
    return token;
  }

  /** Takes tokens back, given in the order in which they came. */
  back(...tokens: Token[]): void {
    this.#back.push(...tokens.reverse());
  }
}
