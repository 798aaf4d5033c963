import type { IncomingMessage, ServerResponse } from 'node:http';
import { StatusError } from '@wherry/kubeapi';
import { ProcessPages, timesOfProcess } from '@wherry/kubeapi/zpages';
import { isGateOn } from '../../configuration/feature-gates.ts';
import type { Ground } from '../../ground/ground.ts';
import { kubeletVersion } from '../../reporting/node/node-status.ts';
import type { Rooms } from '../../rooms.ts';
import { answerJson, answerText, HttpError } from '../answers.ts';
import { type CheckpointOptions, serveCheckpoint } from './checkpoint.ts';
import { Journal } from './journal.ts';
import { readJournalQuery } from './journal-query.ts';
import { serveLogLevel } from './log-level.ts';
import { ProfileRoutes } from './profile-routes.ts';
import { serveLogFile, serveSystemLogs, systemLogsDir } from './system-logs.ts';

/** The first parts of paths, as `/statusz` names them: those that only the main server has, those of all, and these. */
const mainRoots = ['/run', '/exec', '/attach', '/portForward', '/containerLogs', '/runningpods', '/configz'];
const readRoots = ['/healthz', '/pods', '/stats', '/metrics'];
const ownRoots = ['/logs', '/checkpoint', '/debug', '/statusz'];

/** What helps to find a fault of the node: its logs, checkpoints of containers, and the kubelet's own insides. */
export class DiagnosticRoutes {
  readonly #ground: Ground;
  readonly #profiles: ProfileRoutes;
  readonly #journal: Journal;
  readonly #pages: ProcessPages;
  /** Undefined where the feature gate ContainerCheckpoint is off: then there is no such path. */
  readonly #checkpoints: CheckpointOptions | undefined;

  constructor({ ground, board, observation }: Rooms) {
    const { clock, cri, paths, configuration } = ground;
    this.#ground = ground;
    this.#pages = new ProcessPages({
      component: 'kubelet',
      version: kubeletVersion.slice(1),
      paths: [...mainRoots, ...readRoots, ...ownRoots, ...(ground.flags ? ['/flagz'] : [])],
      flags: ground.flags,
    });
    this.#profiles = new ProfileRoutes(clock);
    this.#journal = new Journal({ clock, root: systemLogsDir });
    this.#checkpoints = isGateOn(configuration.featureGates, 'ContainerCheckpoint')
      ? {
          ...{ runtime: cri.runtime, store: board.store, cache: observation.cache, clock },
          folder: paths.checkpointsDir,
          requestTimeoutMs: configuration.runtimeRequestTimeout,
        }
      : undefined;
  }

  /** Answers the request, or returns false when the path is none of these. */
  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean> {
    const { pathname } = url;
    if (/^\/logs(\/|$)/.test(pathname)) await this.#logs(request, response, url);
    else if (this.#checkpoints && pathname.startsWith('/checkpoint/')) {
      requireMethod(request, 'POST');
      await serveCheckpoint(response, url, this.#checkpoints);
    } else if (pathname.startsWith('/debug/pprof/')) await this.#profile(request, response, url);
    else if (pathname === '/debug/flags/v') await this.#logLevel(request, response);
    else if (this.#pages.has(pathname)) this.#page(request, response, pathname);
    else return false;
    return true;
  }

  async #logs(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    requireSwitch(this.#ground.configuration.enableSystemLogHandler, 'logs');
    requireMethod(request, 'GET');
    const query = readJournalQuery(url.searchParams);
    if (query) {
      if (!this.#ground.configuration.enableSystemLogQuery)
        throw new HttpError(501, 'queries of logs are switched off; set enableSystemLogQuery');
      if (!/^\/logs\/*$/.test(url.pathname)) throw new HttpError(406, 'path not allowed in query mode');
      if (query.file === undefined) return this.#journal.serve(query, request, response);
      return serveLogFile(systemLogsDir, query.file.replace(/^\/+/, ''), request, response);
    }
    await serveSystemLogs(systemLogsDir, request, response, url);
  }

  async #profile(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    requireSwitch(this.#ground.configuration.enableProfilingHandler, 'profiling');
    requireMethod(request, 'GET');
    await this.#profiles.serve(response, url);
  }

  async #logLevel(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireSwitch(this.#ground.configuration.enableDebugFlagsHandler, 'flags');
    await serveLogLevel(request, response, this.#ground.setVerbosity);
  }

  #page(request: IncomingMessage, response: ServerResponse, path: string): void {
    requireMethod(request, 'GET');
    const times = timesOfProcess(this.#ground.clock.nowMs());
    response.setHeader('x-content-type-options', 'nosniff');
    try {
      const page = this.#pages.answer(path, request.headers.accept, times);
      if (!page) throw new HttpError(404, 'Not Found');
      if (page.warning !== undefined) response.setHeader('warning', `299 - ${JSON.stringify(page.warning)}`);
      answerText(response, page.text, page.type);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      response.statusCode = error.code;
      answerJson(response, error.status);
    }
  }
}

/** What a switch of the configuration took away is told as upstream tells it. */
function requireSwitch(isOn: boolean, what: string): void {
  if (!isOn) throw new HttpError(405, `${what} endpoint is disabled.`);
}

/** GET lets HEAD in as well. */
function requireMethod({ method }: IncomingMessage, allowed: 'GET' | 'POST'): void {
  if (method === allowed || (allowed === 'GET' && method === 'HEAD')) return;
  throw new HttpError(405, 'Method Not Allowed', [['Allow', allowed]]);
}
