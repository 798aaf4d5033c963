import type { Duplex } from 'node:stream';
import { askBackend, type BackendAnswer, type UpgradedBackend } from './backend-answer.ts';
import type { ProxyOutcome, ProxyUpgradeOptions } from './contract.ts';
import type { HeaderLines } from './headers.ts';
import { refuse, relay } from './refusal.ts';
import { proxyEnd } from './told-session.ts';

/** What is particular to one way of passing an upgrade on. */
export interface PassOnPlan {
  method: string;
  /** The request's header lines. */
  lines: HeaderLines;
  /** Joins both sides after the backend's 101. What it throws cuts the backend off. */
  join(answer: UpgradedBackend): Promise<ProxyOutcome>;
}

/**
 * Asks the backend, and then joins, relays a refusal, or refuses for this hop. A client that leaves meanwhile ends the
 * request. Never rejects.
 */
export async function passOn(options: ProxyUpgradeOptions, plan: PassOnPlan): Promise<ProxyOutcome> {
  const outcome = await askAndJoin(options, plan);
  options.session?.end(proxyEnd(outcome));
  return outcome;
}

async function askAndJoin(options: ProxyUpgradeOptions, plan: PassOnPlan): Promise<ProxyOutcome> {
  const { socket, backend } = options;
  socket.on('error', () => {});
  const leaving = abortOnClose(socket, options.signal);
  let answer: BackendAnswer;
  try {
    answer = await askBackend({ ...backend, method: plan.method, lines: plan.lines, signal: leaving.signal });
  } catch (error) {
    return refuse(options, error as Error);
  } finally {
    leaving.release();
  }
  if (answer.kind === 'upgraded') return joinOrCut(plan, answer);
  const { statusCode = 0 } = answer.response;
  if (statusCode >= 400) return relay(socket, answer.response);
  answer.response.destroy();
  if (statusCode === 101) return refuse(options, missingHeaders());
  return refuse(options, new Error(`invalid upgrade response: status code ${statusCode}`));
}

/** A 101 that does not say what it switches to. */
export const missingHeaders = () => new Error('unable to upgrade: missing upgrade headers in response');

/** A client that can't be joined has its answer, or has gone: what is left is the backend. */
async function joinOrCut(plan: PassOnPlan, answer: UpgradedBackend): Promise<ProxyOutcome> {
  try {
    return await plan.join(answer);
  } catch (error) {
    answer.socket.destroy();
    return { statusCode: 400, bytesFromClient: 0, bytesFromBackend: 0, error: error as Error };
  }
}

/** A signal that also aborts when the client's socket closes. */
function abortOnClose(socket: Duplex, signal: AbortSignal | undefined) {
  const left = new AbortController();
  const leave = () => left.abort(new Error('the client has gone'));
  socket.once('close', leave);
  if (socket.destroyed) leave();
  return {
    signal: signal ? AbortSignal.any([left.signal, signal]) : left.signal,
    release: () => socket.off('close', leave),
  };
}
