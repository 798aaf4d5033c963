import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { JsonObject } from '@wherry/kubeapi';

/** What the judge says. */
export interface Answer {
  error?: string;
  text?: string;
  texts?: string[];
  object?: JsonObject;
  other?: JsonObject;
  protobuf?: string;
  matches: boolean;
  /** What each step of an apply session left behind. */
  states?: { error?: string; object: JsonObject; managed?: JsonObject[] }[];
}

/** A Go process that takes a question per line: answers come in the order of the questions. */
export class Judge<A = Answer> {
  readonly #process: ChildProcess;
  readonly #waiting: ((answer: A) => void)[] = [];
  readonly #lines: Interface;

  constructor(binary: string) {
    this.#process = spawn(binary, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#process.stdout! });
    this.#lines.on('line', (line) => this.#waiting.shift()?.(JSON.parse(line)));
  }

  /** Puts one question; see the process's main.go. */
  ask(question: object): Promise<A> {
    const { promise, resolve } = Promise.withResolvers<A>();
    this.#waiting.push(resolve);
    this.#process.stdin!.write(`${JSON.stringify(question)}\n`);
    return promise;
  }

  /** Ends the process. */
  close(): void {
    this.#process.stdin!.end();
    this.#lines.close();
  }
}
