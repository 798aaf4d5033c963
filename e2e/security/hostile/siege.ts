import { seededRandom } from '../../../packages/spdy/fuzz/mutate.ts';
import { mutate } from './mutate.ts';
import { mayHave } from './oracle.ts';
import { type Role, secretText } from './roles.ts';
import { type Answer, type Destination, Sender } from './send.ts';
import type { Template } from './templates.ts';

/** What is besieged, with what. */
export interface Siege {
  destination: Destination;
  templates: readonly Template[];
  roles: readonly Role[];
  count: number;
  seed: number;
  nodeName: string;
  /** True where no role may get anything done, as at the kubelet. */
  everythingIsRefused?: boolean;
}

/** What came of it. */
export interface SiegeOutcome {
  /** Answers by status code, and `cut` or `unsent`. */
  counts: Map<string, number>;
  /** A line for each answer that should not have been: a rise, a failure of the server's own, a secret. */
  findings: string[];
}

/** Watches and logs are waited for a while each: meanwhile others are sent. */
const parallel = 20;
/** Each request is drawn from a seed of its own, so that its number says what it was, whatever came in between. */
const indexStep = 0x9e37_79b1;
const findingsMax = 20;
/** Kubernetes answers these when what stands behind it can't be reached, or it has too much to do. */
const expectedFailures = new Set([501, 502, 503, 504]);

/** Sends `count` damaged requests, each by a role drawn by lot, and judges every answer. */
export async function besiege(siege: Siege): Promise<SiegeOutcome> {
  const senders = siege.roles.map((role) => ({
    role,
    sender: new Sender(siege.destination, role, parallel),
  }));
  const outcome: SiegeOutcome = { counts: new Map(), findings: [] };
  let sent = 0;
  const work = async () => {
    while (sent < siege.count && outcome.findings.length < findingsMax) {
      const index = sent;
      sent += 1;
      const random = seededRandom(siege.seed + index * indexStep);
      const { role, sender } = senders[random(senders.length)]!;
      const request = mutate(random, siege.templates[random(siege.templates.length)]!);
      const answer = await sender.send(request);
      const label = answer.kind === 'answered' ? String(answer.statusCode) : answer.kind;
      outcome.counts.set(label, (outcome.counts.get(label) ?? 0) + 1);
      const problem = judge(siege, role, request, answer);
      if (problem) {
        const body = request.body?.toString('latin1').slice(0, 300) ?? '';
        outcome.findings.push(
          `request ${index}: ${problem}: ${role.name} ${request.method} ${request.target.slice(0, 300)} ${JSON.stringify(request.headers).slice(0, 400)} ${body}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  for (const { sender } of senders) sender.close();
  return outcome;
}

function judge(
  siege: Siege,
  role: Role,
  request: { method: string; target: string },
  answer: Answer,
): string | undefined {
  if (answer.kind === 'cut' && /in time|ECONNREFUSED/.test(answer.reason)) return answer.reason;
  if (answer.kind !== 'answered') return undefined;
  const { statusCode, text } = answer;
  if (text.includes(secretText)) return 'a secret came out';
  if (statusCode >= 500 && !expectedFailures.has(statusCode)) return `${statusCode} ${text.slice(0, 300)}`;
  if (statusCode >= 300) return undefined;
  if (siege.everythingIsRefused) return `${statusCode} where everything is refused`;
  return mayHave({ role: role.name, ...request, nodeName: siege.nodeName }) === undefined
    ? `${statusCode} above its rights`
    : undefined;
}
