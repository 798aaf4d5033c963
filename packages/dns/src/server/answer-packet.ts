import type { Clock } from '@wherry/clock';
import type { Responder } from '../answering/responder.ts';
import type { Answer } from '../wire/answer.ts';
import { readQuery } from '../wire/query.ts';
import { udpAnswerBytes, writeResponse } from '../wire/response.ts';
import type { DnsMetrics } from './dns-metrics.ts';

/** What both transports need. */
export interface PacketAnswers {
  responder: Responder;
  metrics: DnsMetrics;
  clock: Clock;
}

/** The message that answers a packet, or undefined for what must not be answered. */
export function answerPacket(
  { responder, metrics, clock }: PacketAnswers,
  packet: Buffer,
  { client, transport }: { client: string; transport: 'udp' | 'tcp' },
): Buffer | undefined | Promise<Buffer> {
  const fromMs = clock.monotonicMs();
  const query = readQuery(packet);
  if (!query) return undefined;
  const finish = (answer: Answer) => {
    const bytesMax = transport === 'udp' ? udpAnswerBytes(query) : undefined;
    const response = writeResponse(query, answer, bytesMax);
    metrics.answered({ query, answer, transport, seconds: (clock.monotonicMs() - fromMs) / 1000 });
    return response;
  };
  const answer = responder.answer(query, client);
  return answer instanceof Promise ? answer.then(finish) : finish(answer);
}
