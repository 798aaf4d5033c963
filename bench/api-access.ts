import { readFileSync } from 'node:fs';
import https from 'node:https';
import { parse } from 'yaml';

interface WatchEvent {
  type: string;
  object: { metadata: { name: string }; status?: { phase?: string } };
}

async function* countLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<number> {
  for await (const piece of pieces) {
    let lines = 0;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
    yield lines;
  }
}

/** An API server, asked over kept connections as the user of a kubeconfig with a certificate inside. */
export class ApiAccess {
  readonly server: URL;
  readonly #agent: https.Agent;

  constructor(kubeconfig: string) {
    const config = parse(readFileSync(kubeconfig, 'utf8'));
    const decode = (text: string) => Buffer.from(text, 'base64');
    this.server = new URL(config.clusters[0].cluster.server);
    this.#agent = new https.Agent({
      keepAlive: true,
      ca: decode(config.clusters[0].cluster['certificate-authority-data']),
      cert: decode(config.users[0].user['client-certificate-data']),
      key: decode(config.users[0].user['client-key-data']),
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends one request and reads the whole answer. Rejects on a status of 400 or more. */
  request(method: string, path: string, body?: object, type = 'application/json'): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': type, accept: 'application/json' };
      const request = https.request(
        new URL(path, this.server),
        { method, headers, agent: this.#agent },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk) => {
            text += chunk;
          });
          answer.on('end', () => {
            if ((answer.statusCode ?? 500) >= 400) reject(new Error(`${method} ${path}: ${text}`));
            else resolve(text);
          });
          answer.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(body && JSON.stringify(body));
    });
  }

  /** GET of an answer that goes on, once it has begun: how many lines ended in each piece of it. */
  lines(path: string): Promise<AsyncGenerator<number>> {
    return new Promise((resolve, reject) => {
      const headers = { accept: 'application/json' };
      const url = new URL(path, this.server);
      const request = https.get(url, { headers, agent: this.#agent }, (answer) => {
        if (answer.statusCode === 200) resolve(countLines(answer));
        else reject(new Error(`GET ${path}: ${answer.statusCode}`));
      });
      request.on('error', reject);
    });
  }

  /**
   * Calls `seen` for every pod event until the returned function is called; events may come again. A watch that ends, as
   * upstream's does whose cache is behind its store, begins anew.
   */
  async watchPods(seen: (event: WatchEvent) => void): Promise<() => void> {
    let watch = await this.#watchPodsOnce(seen);
    let stopped = false;
    const stop = () => {
      stopped = true;
      watch.end();
    };
    void (async () => {
      while (!stopped) {
        await watch.ended;
        if (!stopped) watch = await this.#watchPodsOnce(seen);
      }
      watch.end();
    })();
    return stop;
  }

  #watchPodsOnce(seen: (event: WatchEvent) => void): Promise<{ end(): void; ended: Promise<void> }> {
    const ended = Promise.withResolvers<void>();
    return new Promise((resolve, reject) => {
      const url = new URL('/api/v1/namespaces/default/pods?watch=true', this.server);
      const request = https.get(url, { agent: this.#agent }, (answer) => {
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          const events: WatchEvent[] = lines.map((line) => JSON.parse(line));
          for (const event of events) if (event.type !== 'ERROR') seen(event);
        });
        answer.on('error', () => {});
        answer.on('close', ended.resolve);
        resolve({ end: () => request.destroy(), ended: ended.promise });
      });
      request.on('error', reject);
      request.on('socket', (socket) => socket.setNoDelay(true));
    });
  }
}
