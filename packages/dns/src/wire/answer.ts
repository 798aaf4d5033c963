import type { ResourceRecord } from './record.ts';

/** What is answered to a question, whoever knew it. */
export interface Answer {
  code: number;
  /** Whether it comes from who is responsible for the name. */
  authoritative: boolean;
  /** Whether the resolver that gave it has verified it (RFC 4035 §3.1.6). */
  authentic?: boolean;
  answers: readonly ResourceRecord[];
  authorities: readonly ResourceRecord[];
  additionals: readonly ResourceRecord[];
}

/** An answer without records. */
export function bareAnswer(code: number): Answer {
  return { code, authoritative: false, answers: [], authorities: [], additionals: [] };
}
