/** GitLab's side of a runner: an API that hands out jobs, takes their logs piece by piece, and what becomes of them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a job of this runner can be looked into while it runs. */
export interface JobSession {
  url: string;
  certificate: string;
  authorization: string;
}

/** What became of a job. */
export interface Ended {
  state: 'success' | 'failed';
  exitCode: number | undefined;
  reason: string | undefined;
}

/** A job as the API hands it out. */
export interface Job {
  name: string;
  script: readonly string[];
  variables?: Readonly<Record<string, string>>;
  services?: readonly object[];
}

/** A job that was handed in. */
export class HandedJob {
  readonly ended = Promise.withResolvers<Ended>();
  readonly session = Promise.withResolvers<JobSession>();
  readonly #pieces: Buffer[] = [];
  readonly description: object;
  isCanceled = false;

  constructor(id: number, { name, script, variables = {}, services = [] }: Job, image: string) {
    const all = { GIT_STRATEGY: 'none', ...variables };
    this.description = {
      ...{ id, token: `job-${id}`, allow_git_fetch: false, services, image: { name: image } },
      job_info: { name, stage: 'test', project_id: 1, project_name: 'shop' },
      git_info: {
        repo_url: 'http://localhost/team/shop.git',
        ref: 'main',
        sha: 'a'.repeat(40),
        ref_type: 'branch',
      },
      runner_info: { timeout: 600 },
      variables: Object.entries(all).map(([key, value]) => ({ key, value, public: true })),
      steps: [{ name: 'script', script, timeout: 600, when: 'on_success' }],
    };
  }

  /** All that was told of it so far, without when and on which stream. */
  get log(): string {
    const text = Buffer.concat(this.#pieces).toString();
    return text.replace(/\n\S+Z [\da-f]{2}[OE]\+/g, '').replace(/^\S+Z [\da-f]{2}[OE] /gm, '');
  }

  /** Bytes of it that were taken. */
  get size(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  take(piece: Buffer): void {
    this.#pieces.push(piece);
  }
}

/** Serves one runner, with this token, at an address of this machine. `await using` ends it. */
export class Coordinator implements AsyncDisposable {
  readonly #server: Server;
  readonly #waiting: HandedJob[] = [];
  readonly #jobs: HandedJob[] = [];
  readonly #image: string;

  private constructor(image: string) {
    this.#image = image;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Starts one whose jobs run in containers of `image`. */
  static async start(image: string): Promise<Coordinator> {
    const coordinator = new Coordinator(image);
    coordinator.#server.listen(0, '127.0.0.1');
    await once(coordinator.#server, 'listening');
    return coordinator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Hands in a job, which the runner takes when it asks next. */
  hand(job: Job): HandedJob {
    const handed = new HandedJob(this.#jobs.length + 1, job, this.#image);
    this.#jobs.push(handed);
    this.#waiting.push(handed);
    return handed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const [, path = '', id = ''] =
      /^\/api\/v4\/(jobs\/request|jobs\/(?=\d)|)(\d*)/.exec(request.url ?? '') ?? [];
    if (path === 'jobs/request') return this.#give(body, response);
    const job = this.#jobs[Number(id) - 1];
    if (path === '' || !job) return void response.writeHead(404).end();
    response.setHeader('x-gitlab-trace-update-interval', 1);
    if (job.isCanceled) response.setHeader('job-status', 'canceled');
    if (request.method === 'PATCH') return takePiece(job, request, body, response);
    takeState(job, JSON.parse(body.toString()), response);
  }

  #give(body: Buffer, response: ServerResponse): void {
    const job = this.#waiting.shift();
    if (!job) return void response.writeHead(204).end();
    const { session } = JSON.parse(body.toString()) as { session?: JobSession };
    if (session) job.session.resolve(session);
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(job.description));
  }
}

/** Takes a piece of a log that begins where the last one ended, and refuses any other. */
function takePiece(job: HandedJob, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const start = Number(/^\d+/.exec(request.headers['content-range'] ?? '')?.[0]);
  const fits = start === job.size;
  if (fits) job.take(body);
  response.writeHead(fits ? 202 : 416, { range: `0-${job.size}` }).end();
}

function takeState(
  job: HandedJob,
  update: { state: string; exit_code?: number; failure_reason?: string },
  response: ServerResponse,
): void {
  response.writeHead(200).end();
  const { state, exit_code: exitCode, failure_reason: reason } = update;
  if (state === 'success' || state === 'failed') job.ended.resolve({ state, exitCode, reason });
}
