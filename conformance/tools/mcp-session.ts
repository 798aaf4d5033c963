import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { start } from '../../e2e/command.ts';

/** What a tool of a server answered. */
export interface ToolAnswer {
  isError?: boolean;
  content: { type: string; text?: string }[];
}

interface Reply {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** How long a tool may take; what is called waits for no pod. */
const callTimeoutMs = 60_000;

/** A server of the Model Context Protocol on its stdin and stdout, with one session open. `await using` ends it. */
export class McpSession implements AsyncDisposable {
  readonly #server: ReturnType<typeof start>;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #complaints = '';
  #count = 0;

  private constructor(program: string, words: readonly string[], env: Record<string, string>) {
    this.#server = start(program, words, { env });
    this.#server.stderr.on('data', (chunk: Buffer) => (this.#complaints += chunk));
    createInterface(this.#server.stdout).on('line', (line) => {
      const reply = JSON.parse(line) as Reply;
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
    });
  }

  /** Starts a server and agrees with it on a version. */
  static async open(program: string, words: readonly string[], env: Record<string, string>) {
    const session = new McpSession(program, words, env);
    const clientInfo = { name: 'judge', version: '1' };
    await session.ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
    session.#say({ method: 'notifications/initialized' });
    return session;
  }

  /** Asks the server; rejects with its words, or with what it complained of when it says nothing. */
  async ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(
      () => resolve({ error: { message: `no answer: ${this.#complaints}` } }),
      callTimeoutMs,
    );
    this.#say({ id, method, params });
    const { error, result } = await promise.finally(() => clearTimeout(timer));
    this.#waiting.delete(id);
    if (error) throw new Error(`${method} ${JSON.stringify(params)}: ${error.message}`);
    return result;
  }

  /** Calls a tool, which must do what it is for, and answers its text. */
  async call(name: string, words: object = {}): Promise<string> {
    const { isError, content } = (await this.ask('tools/call', { name, arguments: words })) as ToolAnswer;
    const text = content.map((part) => part.text ?? '').join('\n');
    if (isError) throw new Error(`${name} ${JSON.stringify(words)}: ${text}`);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.exitCode !== null) return;
    const ended = once(this.#server, 'close');
    this.#server.kill('SIGKILL');
    await ended;
  }

  #say(message: object): void {
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
