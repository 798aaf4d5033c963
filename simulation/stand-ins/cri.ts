/** `@wherry/cri` with a server that listens in memory. */
import type { CriServer, CriServerOptions } from '@wherry/cri';
import { currentParticipant } from '../machine/participant.ts';

export * from '@wherry/cri';

export function createCriServer(handlers: CriServerOptions): CriServer {
  const process = currentParticipant();
  return {
    async listen() {
      process.machine.criServer = { handlers, process };
    },
    async close() {
      process.machine.criServer = undefined;
    },
  };
}
